"""Checks any text about a character against the book."""

from __future__ import annotations

from anyio import to_thread
from fastapi import APIRouter, Response

from service.http.call import Call, ReadCall
from service.http.parameters import BookId, Upto
from service.http.problems import describe
from service.usecases import checking
from service.wire.checking import CheckIn, CheckOut

router = APIRouter(tags=["checks"])


@router.post(
    "/books/{book_id}/check",
    response_model=CheckOut,
    responses=describe(401, 403, 404, 408, 409, 413, 429, 502, 503),
)
async def check_text(call: ReadCall, book_id: BookId, given: CheckIn, upto: Upto = None) -> Response:
    """Split a text into facts and check each against the book, up to `upto`. Nothing is stored."""
    # A judge may be a language model.
    return await to_thread.run_sync(_check, call, book_id, given, upto, limiter=call.writers)


def _check(call: Call, book_id: str, given: CheckIn, upto: str | None) -> Response:
    checked = checking.check(
        call.library,
        book_id=book_id,
        name=given.character,
        text=given.text,
        upto=upto,
        judge=given.judge,
        against=given.reference,
    )
    return call.reply(CheckOut.of(checked))
