"""API keys of the library of the caller: create, list, revoke; and what the key of a request may do."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from service.access import Gate
from service.http import pagination
from service.http.call import AdminCall, Call, ReadCall
from service.http.parameters import KeyId
from service.http.problems import OF_BOOK, OF_LIBRARY, describe
from service.usecases import keyring
from service.wire.keys import KeyIn, KeyMadeOut, KeyOut, KeyPage, ScopesOut

router = APIRouter(tags=["keys"])


@router.post(
    "/keys", status_code=201, response_model=KeyMadeOut, responses=describe(401, 403, 408, 409, 413, 429, 503)
)
def create_key(call: AdminCall, given: KeyIn) -> Response:
    """Create a key for your library. Only this response contains its secret.

    The first key ends open mode, so it must have the scope `admin`.
    """
    record, secret = keyring.make(
        call.services,
        call.principal,
        name=given.name,
        scopes=given.scopes,
        rate_per_minute=given.rate_per_minute,
        quota_per_day=given.quota_per_day,
    )
    _look_again(call)
    made = KeyMadeOut(secret=secret, key=KeyOut.of(record, used=call.principal.key_id))
    headers = {"Cache-Control": "no-store"}
    return Response(made.model_dump_json(), 201, headers=headers, media_type="application/json")


@router.get("/keys", response_model=KeyPage, responses=OF_LIBRARY)
def list_keys(call: AdminCall, cursor: pagination.Cursor = None, limit: pagination.Limit = 50) -> Response:
    """The keys of your library, oldest first, including revoked ones. Secrets are not stored."""
    after = pagination.decode(cursor, of=call.list_id)
    rows = keyring.listed(call.services, call.principal, after=after, limit=limit + 1)
    items, following = pagination.page(rows, limit=limit, position=lambda k: k.id, of=call.list_id)
    used = call.principal.key_id
    told = [KeyOut.of(key, used=used) for key in items]
    return call.reply(KeyPage(items=told, next=following, guarded=used is not None))


@router.delete("/keys/{key_id}", status_code=204, responses=OF_BOOK)
def revoke_key(
    call: AdminCall,
    key_id: KeyId,
    anyway: Annotated[
        bool,
        Query(description="Also revoke the key of this request, or the last key with the scope `admin`."),
    ] = False,
) -> Response:
    """Revoke a key permanently: at once in this process, and within a second in others."""
    keyring.revoke(call.services, call.principal, key_id=key_id, anyway=anyway)
    _look_again(call)
    return Response(status_code=204)


@router.get("/scopes", response_model=ScopesOut, responses=OF_LIBRARY)
def list_scopes(call: ReadCall) -> Response:
    """What the key of this request may do. While the service is open, everybody may do everything."""
    return call.reply(ScopesOut.of(call.principal))


def _look_again(call: Call) -> None:
    gate: Gate = call.request.app.state.gate
    gate.look_again()
