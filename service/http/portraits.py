"""Descriptions, analyses and joint descriptions; by book, or by name over the whole library."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Query, Response

from generation.types import Task
from service.http.call import Call, ReadCall
from service.http.parameters import BookId, HowToWrite, Key
from service.http.problems import describe
from service.http.schemas.portraits import PortraitOut
from service.shelf import View
from service.usecases import portraits
from service.usecases.portraits import Wanted

router = APIRouter(tags=["portraits"])

_RESPONSES: Final = describe(401, 403, 404, 409, 429, 503)
_MOST_NAMES: Final = portraits.JOINT_MOST
_Book = Annotated[str | None, Query(max_length=100, description="Look only in this book.")]


@router.get("/books/{book_id}/characters/{key}/description", response_model=PortraitOut, responses=_RESPONSES)
def describe_character(call: ReadCall, book_id: BookId, key: Key, wanted: HowToWrite) -> Response:
    """A short factual profile, each sentence cited, each fact checked."""
    return _portrait(call, book_id, key, Task.DESCRIPTION, wanted)


@router.get("/books/{book_id}/characters/{key}/analysis", response_model=PortraitOut, responses=_RESPONSES)
def analyse_character(call: ReadCall, book_id: BookId, key: Key, wanted: HowToWrite) -> Response:
    """An interpretation in depth, cited and checked."""
    return _portrait(call, book_id, key, Task.ANALYSIS, wanted)


@router.get("/books/{book_id}/descriptions", response_model=PortraitOut, responses=_RESPONSES)
def describe_together(
    call: ReadCall,
    book_id: BookId,
    wanted: HowToWrite,
    name: Annotated[
        list[Annotated[str, Query(max_length=200)]],
        Query(max_length=_MOST_NAMES, description="Whom to describe; by default the main cast."),
    ] = [],  # noqa: B006 - FastAPI reads it
) -> Response:
    """Several characters in one answer."""

    def make(view: View) -> PortraitOut:
        answer = portraits.joint(
            call.services, library=call.library, book_id=book_id, names=name, wanted=wanted
        )
        return PortraitOut.of(answer.portrait, book_id=book_id, book=view.book)

    return call.portrait(book_id, upto=wanted.upto, refresh=wanted.refresh, make=make)


@router.get("/characters/{name}/description", response_model=PortraitOut, responses=_RESPONSES)
def describe_by_name(call: ReadCall, name: Key, wanted: HowToWrite, book: _Book = None) -> Response:
    """The description of the one character so called in your library; 409 says who they may be."""
    return _by_name(call, name, book, Task.DESCRIPTION, wanted)


@router.get("/characters/{name}/analysis", response_model=PortraitOut, responses=_RESPONSES)
def analyse_by_name(call: ReadCall, name: Key, wanted: HowToWrite, book: _Book = None) -> Response:
    """The analysis of the one character so called in your library; 409 says who they may be."""
    return _by_name(call, name, book, Task.ANALYSIS, wanted)


def _by_name(call: Call, name: str, book_id: str | None, task: Task, wanted: Wanted) -> Response:
    if book_id is None:
        found = portraits.only_one(call.services, library=call.library, name=name, upto=wanted.upto)
        book_id, name = found
    return _portrait(call, book_id, name, task, wanted)


def _portrait(call: Call, book_id: str, name: str, task: Task, wanted: Wanted) -> Response:
    def make(view: View) -> PortraitOut:
        answer = portraits.describe(
            call.services, library=call.library, book_id=book_id, name=name, task=task, wanted=wanted
        )
        return PortraitOut.of(answer.portrait, book_id=book_id, book=view.book)

    return call.portrait(book_id, upto=wanted.upto, refresh=wanted.refresh, make=make)
