"""Possible duplicates among the characters."""

from __future__ import annotations

from fastapi import APIRouter, Response

from service.http.call import ReadCall
from service.http.parameters import BookId, Upto
from service.http.problems import describe
from service.usecases import doubts
from service.wire.doubts import DoubtOut, DoubtsOut

router = APIRouter(tags=["decisions"])


@router.get(
    "/books/{book_id}/doubts",
    response_model=DoubtsOut,
    responses=describe(401, 403, 404, 409, 429, 503),
)
def list_doubts(call: ReadCall, book_id: BookId, upto: Upto = None) -> Response:
    """Possible duplicates for you to resolve, most important first, each with both possible decisions."""
    found = doubts.questions(call.view(book_id, upto))
    return call.reply(DoubtsOut(items=[DoubtOut.of(question) for question in found]))
