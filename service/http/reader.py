"""The book to read, and the people in it as a network."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from service.http import pagination
from service.http.call import ReadCall
from service.http.parameters import BookId, Upto
from service.http.problems import describe
from service.usecases import answers, network, reader
from service.wire.reader import LeafOut, MeetingOut, MeetingPage, NetworkOut

router = APIRouter(tags=["reading"])

_REFUSALS = describe(401, 403, 404, 409, 429, 503)


@router.get("/books/{book_id}/chapters/{number}", response_model=LeafOut, responses=_REFUSALS)
def read_chapter(
    call: ReadCall,
    book_id: BookId,
    number: Annotated[int, Path(ge=1, le=1_000_000, description="The chapter, counted from 1.")],
    upto: Upto = None,
) -> Response:
    """A chapter's paragraphs, with who is meant and who speaks where."""
    leaf = reader.leaf(call.view(book_id, upto), number=number)
    return call.reply(LeafOut.of(leaf, book_id=book_id))


@router.get("/books/{book_id}/network", response_model=NetworkOut, responses=_REFUSALS)
def show_network(
    call: ReadCall,
    book_id: BookId,
    upto: Upto = None,
    k: Annotated[int, Query(ge=2, le=100, description="How many people at most.")] = 30,
) -> Response:
    """Who has to do with whom: paragraphs that they share, and what they say to one another."""
    found = network.network(call.view(book_id, upto), most=k)
    return call.reply(NetworkOut.of(found, book_id=book_id))


@router.get("/books/{book_id}/meetings", response_model=MeetingPage, responses=_REFUSALS)
def list_meetings(
    call: ReadCall,
    book_id: BookId,
    names: Annotated[
        list[Annotated[str, Query(max_length=200)]],
        Query(alias="name", min_length=2, max_length=answers.JOINT_MOST, description="Whom; two or more."),
    ],
    upto: Upto = None,
    cursor: pagination.Cursor = None,
    limit: pagination.Limit = 20,
) -> Response:
    """Where people meet, in story order: all of them are there, or one of them speaks to another."""
    start = pagination.decode_number(cursor)
    found = network.meetings(call.view(book_id, upto), names=names)
    rows, following = pagination.part(found.items, start=start, limit=limit)
    items = [MeetingOut.of(m, book=found.view.book) for m in rows]
    people = [person.id for person in found.people]
    return call.reply(MeetingPage(items=items, next=following, people=people, total=len(found.items)))
