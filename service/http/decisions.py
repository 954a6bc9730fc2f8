"""Corrections by readers, in an append-only log for each book."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Response

from service.http.call import ReadCall, WriteCall
from service.http.parameters import BookId, Upto
from service.http.problems import OF_BODY, OF_BOOK
from service.usecases import copied_decisions, decisions
from service.wire.decisions import (
    CopiedOut,
    CopyIn,
    DecisionIn,
    DecisionOut,
    DecisionsOut,
    LoggedOut,
    NotCopiedOut,
)
from service.wire.previews import PreviewOut

router = APIRouter(tags=["decisions"])

IdempotencyKey = Annotated[
    str | None,
    Header(
        min_length=1,
        max_length=200,
        description="A random text, another for each correction. If the answer does not arrive, send the "
        "same request with the same key again: the correction is stored once, and both get its answer.",
    ),
]


@router.get("/books/{book_id}/decisions", response_model=DecisionsOut, responses=OF_BOOK)
def list_decisions(call: ReadCall, book_id: BookId) -> Response:
    """The log of corrections of the book, oldest first."""
    log = decisions.logged(call.library, book_id=book_id)
    return call.reply(DecisionsOut(items=[LoggedOut.of_entry(entry) for entry in log]))


@router.post("/books/{book_id}/decisions", status_code=201, response_model=DecisionOut, responses=OF_BODY)
def decide(
    call: WriteCall, book_id: BookId, given: DecisionIn, idempotency_key: IdempotencyKey = None
) -> Response:
    """Correct the cast: merge, split, rename, hide, set the narrator, a speaker or who is meant, and undo."""
    wanted = given.wanted()
    decision = decisions.decide(call.library, book_id=book_id, wanted=wanted, key=idempotency_key)
    return call.reply(DecisionOut.of(decision), status=201)


@router.post("/books/{book_id}/decisions/preview", response_model=PreviewOut, responses=OF_BODY)
def preview_decision(call: WriteCall, book_id: BookId, given: DecisionIn, upto: Upto = None) -> Response:
    """Preview what a correction would change, up to `upto`. It is validated, but not stored."""
    found = decisions.preview(call.library, book_id=book_id, wanted=given.wanted(), upto=upto)
    return call.reply(PreviewOut.of(found))


@router.post("/books/{book_id}/decisions/copy", response_model=CopiedOut, responses=OF_BODY)
def copy_decisions(call: WriteCall, book_id: BookId, given: CopyIn) -> Response:
    """Make the corrections of another draft of the book in this one."""
    left = copied_decisions.copy(call.library, book_id=book_id, source=given.book)
    log = decisions.logged(call.library, book_id=book_id)
    items = [LoggedOut.of_entry(entry) for entry in log]
    return call.reply(CopiedOut(items=items, not_copied=[NotCopiedOut.of_entry(each) for each in left]))
