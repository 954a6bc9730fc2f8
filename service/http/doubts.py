"""Possible duplicates and doubtful people among the characters."""

from __future__ import annotations

from fastapi import APIRouter, Response

from service.http.call import ReadCall
from service.http.parameters import BookId, Upto
from service.http.problems import OF_BOOK
from service.usecases import doubts
from service.wire.doubts import DoubtsOut

router = APIRouter(tags=["decisions"])


@router.get("/books/{book_id}/doubts", response_model=DoubtsOut, responses=OF_BOOK)
def list_doubts(call: ReadCall, book_id: BookId, upto: Upto = None) -> Response:
    """Possible duplicates and doubtful people for you to resolve, with the decisions that do it."""
    view = call.view(book_id, upto)
    return call.reply(DoubtsOut.of(doubts.questions(view), doubts.person_questions(view)))
