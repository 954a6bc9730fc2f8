"""Questions about a book."""

from __future__ import annotations

from typing import Final

from anyio import to_thread
from fastapi import APIRouter, Response

from generation.types import Task
from service.http.answer_responses import answer
from service.http.answer_routes import RESPONSES, AnswerOut
from service.http.call import ReadCall
from service.http.errors import RequestInvalid
from service.http.parameters import BookId, DryRun, HowToAnswer, HowToWrite
from service.http.problems import describe
from service.usecases.library_questions import ask_books, estimate_books
from service.wire.questions import LibraryAnswersOut, LibraryPlanOut, LibraryQuestionIn, QuestionIn

router = APIRouter(tags=["questions"])

_RESPONSES: Final = describe(401, 403, 404, 409, 429, 502, 503)


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


@router.post("/questions", response_model=LibraryAnswersOut | LibraryPlanOut, responses=_RESPONSES)
async def ask_library(
    call: ReadCall, asked: LibraryQuestionIn, wanted: HowToWrite, dry_run: DryRun = False
) -> Response:
    """Ask several books a question. Those that are likeliest to answer do; the others are listed.

    `upto` is given for each book in the body.
    """
    if wanted.upto is not None:
        raise RequestInvalid("Several books have no common place.", remedy="Give `upto` in the body.")

    def told() -> Response:
        question, books, upto = asked.question, asked.books, asked.upto
        if dry_run:
            planned = estimate_books(call.library, question, books=books, upto=upto, wanted=wanted)
            return call.reply(LibraryPlanOut.of(planned))
        found = ask_books(call.library, question, books=books, upto=upto, wanted=wanted)
        return call.reply(LibraryAnswersOut.of(found))

    return await to_thread.run_sync(told, limiter=call.request.app.state.writers)
