"""Questions about a book."""

from __future__ import annotations

from fastapi import APIRouter, Response

from generation.types import Task
from service.http.answer_responses import answer
from service.http.answer_routes import RESPONSES, AnswerOut
from service.http.call import ReadCall
from service.http.parameters import BookId, HowToAnswer, HowToWrite
from service.wire.questions import QuestionIn

router = APIRouter(tags=["questions"])


@router.post("/books/{book_id}/questions", response_model=AnswerOut, responses=RESPONSES)
async def ask_book(
    call: ReadCall, book_id: BookId, asked: QuestionIn, wanted: HowToWrite, how: HowToAnswer
) -> Response:
    """Answer a question from the book, with citations, or say that the book does not answer it.

    `answered` is false if it does not, as far as you have read. A name in the question that several
    characters have is reported as 409 with the candidates: ask again with one of them in `people`.
    """
    return await answer(
        call, book_id, task=Task.QUESTION, names=asked.people, wanted=asked.of(wanted), how=how
    )
