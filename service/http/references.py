"""Reference texts: what somebody holds to be right about a character, for answers to be compared with."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Query, Response

from generation.types import Task
from service.http.call import ReadCall, WriteCall
from service.http.parameters import BookId, Key
from service.http.problems import describe
from service.usecases import references
from service.wire.references import OfOne, ReferenceIn, ReferenceOut, ReferencesOut

router = APIRouter(tags=["checks"])

_AT: Final = "/books/{book_id}/characters/{key}/reference"
_Task = Annotated[OfOne, Query(description="For which answers.")]


@router.get(_AT, response_model=ReferenceOut, responses=describe(401, 403, 404, 409, 429, 503))
def get_reference(call: ReadCall, book_id: BookId, key: Key, task: _Task = Task.DESCRIPTION) -> Response:
    """The text that answers about the character are compared with. It knows the whole book."""
    found = references.get(call.library, book_id=book_id, key=key, task=task)
    return call.reply(ReferenceOut.of(found))


@router.put(_AT, response_model=ReferenceOut, responses=describe(401, 403, 404, 408, 409, 413, 429, 503))
def put_reference(call: WriteCall, book_id: BookId, key: Key, given: ReferenceIn) -> Response:
    """Keep a text that is right about the character; answers then tell how they compare with it."""
    kept = references.put(
        call.library,
        book_id=book_id,
        key=key,
        task=given.task,
        text=given.text,
        source=given.source,
    )
    return call.reply(ReferenceOut.of(kept))


@router.delete(_AT, status_code=204, responses=describe(401, 403, 404, 409, 429, 503))
def delete_reference(call: WriteCall, book_id: BookId, key: Key, task: _Task = Task.DESCRIPTION) -> Response:
    """Forget the text. If the character took in another that has one, that one counts from then on."""
    references.delete(call.library, book_id=book_id, key=key, task=task)
    return Response(status_code=204)


@router.get(
    "/books/{book_id}/references",
    response_model=ReferencesOut,
    responses=describe(401, 403, 404, 409, 429, 503),
)
def list_references(call: ReadCall, book_id: BookId) -> Response:
    """All reference texts of a book, also of characters that were merged or are hidden."""
    found = references.listed(call.library, book_id=book_id)
    return call.reply(ReferencesOut(items=[ReferenceOut.of(one) for one in found]))
