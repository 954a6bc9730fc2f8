"""The story: summaries of the book and its chapters, the recap, and the timeline."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Response

from generation.types import Task
from service.http.answer_responses import answer
from service.http.answer_routes import RESPONSES, AnswerOut
from service.http.books import ORDERED
from service.http.call import Call, ReadCall, WriteCall
from service.http.parameters import BookId, HowToAnswer, HowToWrite, Upto
from service.http.problems import OF_BOOK
from service.usecases.answer_jobs import order_answer
from service.usecases.answer_request import Wanted
from service.usecases.timeline import timeline
from service.wire.story import TimelineOut

router = APIRouter(tags=["story"])

_Number = Annotated[int, Path(ge=1, description="Number of the chapter, counted from 1.")]


async def _wanted(
    wanted: HowToWrite,
    chunk: Annotated[
        int | None,
        Query(ge=100, le=1_000_000, description="Tokens of the book that a language model reads at once."),
    ] = None,
    candidates: Annotated[
        int,
        Query(ge=1, le=16, description="Texts on each part, of which `ranked` takes the best."),
    ] = 1,
) -> Wanted:
    return replace(wanted, chunk=chunk, candidates=candidates)


HowToTell = Annotated[Wanted, Depends(_wanted)]


@router.get("/books/{book_id}/summary", response_model=AnswerOut, responses=RESPONSES)
async def summarise_book(call: ReadCall, book_id: BookId, wanted: HowToTell, how: HowToAnswer) -> Response:
    """What happens in the book, or in what you have read of it, in story order."""
    return await answer(call, book_id, task=Task.SUMMARY, names=(), wanted=wanted, how=how)


@router.get("/books/{book_id}/chapters/{number}/summary", response_model=AnswerOut, responses=RESPONSES)
async def summarise_chapter(
    call: ReadCall, book_id: BookId, number: _Number, wanted: HowToTell, how: HowToAnswer
) -> Response:
    """What happens in a chapter."""
    wanted = replace(wanted, chapter=number)
    return await answer(call, book_id, task=Task.SUMMARY, names=(), wanted=wanted, how=how)


@router.get("/books/{book_id}/recap", response_model=AnswerOut, responses=RESPONSES)
async def recap(call: ReadCall, book_id: BookId, wanted: HowToTell, how: HowToAnswer) -> Response:
    """The story so far, for a reader who goes on: what happened, where you stopped, and who is there."""
    return await answer(call, book_id, task=Task.RECAP, names=(), wanted=wanted, how=how)


@router.post("/books/{book_id}/summary", **ORDERED)
def order_summary(call: WriteCall, book_id: BookId, wanted: HowToTell) -> Response:
    """Write the summary of the book in the background, for a language model that takes long.

    The response is a job. When it has succeeded, GET with the same parameters returns the answer. Repeating
    the request while the job is running returns the same job. A job that was cancelled or has failed can be
    retried: what is written already is kept.
    """
    return _order(call, book_id, Task.SUMMARY, wanted)


@router.post("/books/{book_id}/chapters/{number}/summary", **ORDERED)
def order_chapter_summary(call: WriteCall, book_id: BookId, number: _Number, wanted: HowToTell) -> Response:
    """Write the summary of a chapter in the background."""
    return _order(call, book_id, Task.SUMMARY, replace(wanted, chapter=number))


@router.post("/books/{book_id}/recap", **ORDERED)
def order_recap(call: WriteCall, book_id: BookId, wanted: HowToTell) -> Response:
    """Write the recap in the background."""
    return _order(call, book_id, Task.RECAP, wanted)


def _order(call: Call, book_id: str, task: Task, wanted: Wanted) -> Response:
    url = call.request.url.remove_query_params("refresh")
    path = f"{url.path}?{url.query}" if url.query else url.path
    job = order_answer(call.library, book_id=book_id, task=task, wanted=wanted, path=path)
    return call.ordered(job)


@router.get("/books/{book_id}/timeline", response_model=TimelineOut, responses=OF_BOOK)
def list_timeline(call: ReadCall, book_id: BookId, upto: Upto = None) -> Response:
    """The main event of each chapter in the book's own words, with the people in it."""
    view = call.view(book_id, upto)
    return call.reply(TimelineOut.of(timeline(view), book=view.book, name_of=view.annotations.character))
