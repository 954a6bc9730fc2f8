"""The book to read, and the people in it as a network."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from service.http.call import ReadCall
from service.http.parameters import BookId, Upto
from service.http.problems import describe
from service.http.schemas.reader import LeafOut, NetworkOut
from service.usecases import network, reader

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
    call.view(book_id, upto)
    leaf = reader.leaf(call.services, library=call.library, book_id=book_id, number=number, upto=upto)
    return call.reply(LeafOut.of(leaf, book_id=book_id))


@router.get("/books/{book_id}/network", response_model=NetworkOut, responses=_REFUSALS)
def show_network(
    call: ReadCall,
    book_id: BookId,
    upto: Upto = None,
    k: Annotated[int, Query(ge=2, le=100, description="How many people at most.")] = 30,
) -> Response:
    """Who has to do with whom: paragraphs that they share, and what they say to one another."""
    call.view(book_id, upto)
    found = network.network(call.services, library=call.library, book_id=book_id, upto=upto, most=k)
    return call.reply(NetworkOut.of(found, book_id=book_id))
