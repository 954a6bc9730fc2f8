"""The chapters to read, and the network of characters."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from service.http import pagination
from service.http.call import ReadCall
from service.http.parameters import BookId, Upto
from service.http.problems import OF_BOOK
from service.usecases import answers, network, reader
from service.wire.reader import LeafOut, MeetingOut, MeetingPage, NetworkOut

router = APIRouter(tags=["reading"])


@router.get("/books/{book_id}/chapters/{number}", response_model=LeafOut, responses=OF_BOOK)
def read_chapter(
    call: ReadCall,
    book_id: BookId,
    number: Annotated[int, Path(ge=1, le=1_000_000, description="The chapter, counted from 1.")],
    upto: Upto = None,
) -> Response:
    """The paragraphs of a chapter with mentions and speakers."""
    leaf = reader.leaf(call.view(book_id, upto), number=number)
    return call.reply(LeafOut.of(leaf, book_id=book_id))


@router.get("/books/{book_id}/network", response_model=NetworkOut, responses=OF_BOOK)
def show_network(
    call: ReadCall,
    book_id: BookId,
    upto: Upto = None,
    k: Annotated[int, Query(ge=2, le=100, description="Maximum number of people.")] = 30,
) -> Response:
    """The relationships between people: paragraphs they share, and quotes they say to one another."""
    found = network.network(call.view(book_id, upto), most=k)
    return call.reply(NetworkOut.of(found, book_id=book_id))


@router.get("/books/{book_id}/meetings", response_model=MeetingPage, responses=OF_BOOK)
def list_meetings(
    call: ReadCall,
    book_id: BookId,
    names: Annotated[
        list[Annotated[str, Query(max_length=200)]],
        Query(
            alias="name", min_length=2, max_length=answers.JOINT_MOST, description="Two or more characters."
        ),
    ],
    upto: Upto = None,
    cursor: pagination.Cursor = None,
    limit: pagination.Limit = 20,
) -> Response:
    """The passages that mention all of the characters, or in which one speaks to another, in story order."""
    start = pagination.decode_number(cursor, of=call.list_id)
    found = network.meetings(call.view(book_id, upto), names=names)
    rows, following = pagination.part(found.items, start=start, limit=limit, of=call.list_id)
    items = [MeetingOut.of(m, book=found.view.book) for m in rows]
    people = [person.id for person in found.people]
    return call.reply(MeetingPage(items=items, next=following, people=people, total=len(found.items)))
