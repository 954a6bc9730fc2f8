"""Descriptions, analyses and joint descriptions, by book, or by name in the whole library."""

from __future__ import annotations

from typing import Annotated, Final

from anyio import to_thread
from fastapi import APIRouter, Query, Response

from generation.types import Task
from service.http import sse
from service.http.answer_responses import answer
from service.http.call import Call, ReadCall
from service.http.parameters import BookId, How, HowToAnswer, HowToWrite, Key
from service.http.problems import describe
from service.usecases import answers, name_lookup
from service.usecases.answer_request import Wanted
from service.wire.answers import PlanOut, PortraitOut, SummaryIn

router = APIRouter(tags=["portraits"])

_STREAM: Final = (
    "The answer; with `dry_run`, its estimated cost. With `stream`, server-sent events with JSON data: "
    "`text` (`{text}`, a piece), `thinking` (`{}`: the model thinks, and shows nothing), `progress` "
    "(`{done, parts}`: how many of the texts behind a summary are written), `again` (`{reason}`: discard "
    "the text so far), and at the end `answer` (the whole) or `error` (a problem)."
)
RESPONSES: Final = {
    200: {"description": _STREAM, "content": {sse.MEDIA_TYPE: {}}},
    **describe(401, 403, 404, 409, 429, 502, 503),
}
AnswerOut = PortraitOut | PlanOut
_NOBODY: Final[list[str]] = []
_Names = Annotated[
    list[Annotated[str, Query(max_length=200)]],
    Query(
        alias="name",
        max_length=answers.JOINT_MOST,
        description="Characters. The default is the main characters.",
    ),
]
_Book = Annotated[str | None, Query(max_length=100, description="Search only this book.")]


@router.get("/books/{book_id}/characters/{key}/description", response_model=AnswerOut, responses=RESPONSES)
async def describe_character(
    call: ReadCall, book_id: BookId, key: Key, wanted: HowToWrite, how: HowToAnswer
) -> Response:
    """A short factual profile. Every sentence is cited and every fact is checked."""
    return await answer(call, book_id, task=Task.DESCRIPTION, names=[key], wanted=wanted, how=how)


@router.post("/books/{book_id}/characters/{key}/description", response_model=AnswerOut, responses=RESPONSES)
async def describe_character_by_summary(
    call: ReadCall, book_id: BookId, key: Key, given: SummaryIn, wanted: HowToWrite, how: HowToAnswer
) -> Response:
    """The same, generated from a summary that you provide."""
    return await answer(call, book_id, task=Task.DESCRIPTION, names=[key], wanted=given.of(wanted), how=how)


@router.get("/books/{book_id}/characters/{key}/analysis", response_model=AnswerOut, responses=RESPONSES)
async def analyse_character(
    call: ReadCall, book_id: BookId, key: Key, wanted: HowToWrite, how: HowToAnswer
) -> Response:
    """A detailed interpretation, with citations and checked facts."""
    return await answer(call, book_id, task=Task.ANALYSIS, names=[key], wanted=wanted, how=how)


@router.post("/books/{book_id}/characters/{key}/analysis", response_model=AnswerOut, responses=RESPONSES)
async def analyse_character_by_summary(
    call: ReadCall, book_id: BookId, key: Key, given: SummaryIn, wanted: HowToWrite, how: HowToAnswer
) -> Response:
    """The same, generated from a summary that you provide."""
    return await answer(call, book_id, task=Task.ANALYSIS, names=[key], wanted=given.of(wanted), how=how)


@router.get("/books/{book_id}/descriptions", response_model=AnswerOut, responses=RESPONSES)
async def describe_together(
    call: ReadCall, book_id: BookId, wanted: HowToWrite, how: HowToAnswer, names: _Names = _NOBODY
) -> Response:
    """A description of several characters in one answer."""
    return await answer(call, book_id, task=Task.JOINT, names=names, wanted=wanted, how=how)


@router.post("/books/{book_id}/descriptions", response_model=AnswerOut, responses=RESPONSES)
async def describe_together_by_summary(
    call: ReadCall,
    book_id: BookId,
    given: SummaryIn,
    wanted: HowToWrite,
    how: HowToAnswer,
    names: _Names = _NOBODY,
) -> Response:
    """The same, generated from a summary that you provide."""
    return await answer(call, book_id, task=Task.JOINT, names=names, wanted=given.of(wanted), how=how)


@router.get("/characters/{name}/description", response_model=AnswerOut, responses=RESPONSES)
async def describe_by_name(
    call: ReadCall, name: Key, wanted: HowToWrite, how: HowToAnswer, book: _Book = None
) -> Response:
    """The description of the only character with this name in your library. 409 lists several matches."""
    return await _by_name(call, name, book, Task.DESCRIPTION, wanted, how)


@router.get("/characters/{name}/analysis", response_model=AnswerOut, responses=RESPONSES)
async def analyse_by_name(
    call: ReadCall, name: Key, wanted: HowToWrite, how: HowToAnswer, book: _Book = None
) -> Response:
    """The analysis of the only character with this name in your library. 409 lists several matches."""
    return await _by_name(call, name, book, Task.ANALYSIS, wanted, how)


async def _by_name(
    call: Call, name: str, book_id: str | None, task: Task, wanted: Wanted, how: How
) -> Response:
    if book_id is not None:
        return await answer(call, book_id, task=task, names=[name], wanted=wanted, how=how)
    found, key = await to_thread.run_sync(_found, call, name, wanted.upto)
    return await answer(call, found, task=task, names=[key], wanted=wanted, how=how)


def _found(call: Call, name: str, upto: str | None) -> tuple[str, str]:
    """Return the book and the id of the one character of that name in the library."""
    return name_lookup.only_one(call.library, name=name, upto=upto)
