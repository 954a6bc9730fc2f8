"""Questions about a book."""

from __future__ import annotations

from typing import Final

from anyio import to_thread
from fastapi import APIRouter, Response

from generation.types import Task
from service.http import sse
from service.http.answer_responses import answer, check_how, streamed
from service.http.answer_routes import RESPONSES, AnswerOut
from service.http.answer_stream import Channel
from service.http.call import ReadCall
from service.http.errors import RequestInvalid
from service.http.parameters import BookId, HowToAnswer, HowToWrite
from service.http.problems import describe
from service.usecases.library_questions import (
    BookAnswer,
    ChosenBooks,
    ask_books,
    choose_books,
    estimate_books,
)
from service.wire.questions import LibraryAnswersOut, LibraryPlanOut, LibraryQuestionIn, QuestionIn, told

router = APIRouter(tags=["questions"])

_RESPONSES: Final = {
    200: {
        "description": "The answers; with `dry_run`, their estimated cost. With `stream`, server-sent "
        "events: those of one book, and `book` (its whole answer) for each book that answers, when it is "
        "ready, or `again` for one that does not say. `answer` at the end has all of it.",
        "content": {sse.MEDIA_TYPE: {}},
    },
    **describe(401, 403, 404, 409, 429, 502, 503),
}


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
    call: ReadCall, asked: LibraryQuestionIn, wanted: HowToWrite, how: HowToAnswer
) -> Response:
    """Ask several books a question. Those that are likeliest to answer do; the others are listed.

    `upto` is given for each book in the body.
    """
    if wanted.upto is not None:
        raise RequestInvalid("Several books have no common place.", remedy="Give `upto` in the body.")
    check_how(how)

    def choose() -> ChosenBooks:
        return choose_books(call.library, asked.question, books=asked.books, upto=asked.upto)

    def whole() -> Response:
        chosen = choose()
        if how.dry_run:
            return call.reply(LibraryPlanOut.of(estimate_books(call.library, chosen, wanted)))
        return call.reply(
            LibraryAnswersOut.of(ask_books(call.library, chosen, wanted, candid=call.administers))
        )

    if not how.stream:
        return await to_thread.run_sync(whole, limiter=call.writers)
    chosen = await to_thread.run_sync(choose, limiter=call.writers)

    def write(channel: Channel) -> str:
        def tell(each: BookAnswer) -> None:
            if each.answered:
                channel.tell(told(each).model_dump_json())
            else:
                channel.again("This book does not say.")

        return LibraryAnswersOut.of(
            ask_books(call.library, chosen, wanted, audience=channel, tell=tell, candid=call.administers)
        ).model_dump_json()

    return streamed(call, write)
