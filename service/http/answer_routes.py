"""Descriptions, analyses and joint descriptions, by book, or by name in the whole library."""

from __future__ import annotations

from functools import partial
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
    "`text` (`{text}`, a piece), `again` (`{reason}`: discard the text so far), and at the end `answer` "
    "(the whole answer) or `error` (a problem)."
)
_RESPONSES: Final = {
    200: {"description": _STREAM, "content": {sse.MEDIA_TYPE: {}}},
    **describe(401, 403, 404, 409, 429, 502, 503),
}
_Answer = PortraitOut | PlanOut
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


@router.get("/books/{book_id}/characters/{key}/description", response_model=_Answer, responses=_RESPONSES)
async def describe_character(
    call: ReadCall, book_id: BookId, key: Key, wanted: HowToWrite, how: HowToAnswer
) -> Response:
    """A short factual profile. Every sentence is cited and every fact is checked."""
    return await _one(call, book_id, key, Task.DESCRIPTION, wanted, how)


@router.post("/books/{book_id}/characters/{key}/description", response_model=_Answer, responses=_RESPONSES)
async def describe_character_by_summary(
    call: ReadCall, book_id: BookId, key: Key, given: SummaryIn, wanted: HowToWrite, how: HowToAnswer
) -> Response:
    """The same from a summary of the book that you give."""
    return await _one(call, book_id, key, Task.DESCRIPTION, given.of(wanted), how)


@router.get("/books/{book_id}/characters/{key}/analysis", response_model=_Answer, responses=_RESPONSES)
async def analyse_character(
    call: ReadCall, book_id: BookId, key: Key, wanted: HowToWrite, how: HowToAnswer
) -> Response:
    """A detailed interpretation, with citations and checked facts."""
    return await _one(call, book_id, key, Task.ANALYSIS, wanted, how)


@router.post("/books/{book_id}/characters/{key}/analysis", response_model=_Answer, responses=_RESPONSES)
async def analyse_character_by_summary(
    call: ReadCall, book_id: BookId, key: Key, given: SummaryIn, wanted: HowToWrite, how: HowToAnswer
) -> Response:
    """The same from a summary of the book that you give."""
    return await _one(call, book_id, key, Task.ANALYSIS, given.of(wanted), how)


@router.get("/books/{book_id}/descriptions", response_model=_Answer, responses=_RESPONSES)
async def describe_together(
    call: ReadCall, book_id: BookId, wanted: HowToWrite, how: HowToAnswer, names: _Names = _NOBODY
) -> Response:
    """A description of several characters in one answer."""
    return await _several(call, book_id, names, wanted, how)


@router.post("/books/{book_id}/descriptions", response_model=_Answer, responses=_RESPONSES)
async def describe_together_by_summary(
    call: ReadCall,
    book_id: BookId,
    given: SummaryIn,
    wanted: HowToWrite,
    how: HowToAnswer,
    names: _Names = _NOBODY,
) -> Response:
    """The same from a summary of the book that you give."""
    return await _several(call, book_id, names, given.of(wanted), how)


@router.get("/characters/{name}/description", response_model=_Answer, responses=_RESPONSES)
async def describe_by_name(
    call: ReadCall, name: Key, wanted: HowToWrite, how: HowToAnswer, book: _Book = None
) -> Response:
    """The description of the only character with this name in your library. 409 lists several matches."""
    return await _by_name(call, name, book, Task.DESCRIPTION, wanted, how)


@router.get("/characters/{name}/analysis", response_model=_Answer, responses=_RESPONSES)
async def analyse_by_name(
    call: ReadCall, name: Key, wanted: HowToWrite, how: HowToAnswer, book: _Book = None
) -> Response:
    """The analysis of the only character with this name in your library. 409 lists several matches."""
    return await _by_name(call, name, book, Task.ANALYSIS, wanted, how)


async def _by_name(
    call: Call, name: str, book_id: str | None, task: Task, wanted: Wanted, how: How
) -> Response:
    if book_id is not None:
        return await _one(call, book_id, name, task, wanted, how)
    find = partial(name_lookup.only_one, call.services, library=call.library, name=name, upto=wanted.upto)
    found, key = await to_thread.run_sync(find)
    return await _one(call, found, key, task, wanted, how)


async def _one(call: Call, book_id: str, name: str, task: Task, wanted: Wanted, how: How) -> Response:
    ask = partial(answers.about, call.services, name=name, task=task, wanted=wanted)
    return await answer(call, book_id, ask, wanted=wanted, how=how)


async def _several(call: Call, book_id: str, names: list[str], wanted: Wanted, how: How) -> Response:
    ask = partial(answers.about_several, call.services, names=names, wanted=wanted)
    return await answer(call, book_id, ask, wanted=wanted, how=how)
