"""Passages: about a character, for words in one book, and for words over the whole library."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Depends, Query, Response

from retrieval.types import Order
from service.http.call import ReadCall
from service.http.parameters import BookId, Key, Retriever, Upto, WordRetriever
from service.http.problems import describe
from service.usecases import searching
from service.usecases.searching import Asked
from service.wire.passages import PassagesOut, SearchOut

router = APIRouter(tags=["passages"])

_RESPONSES: Final = describe(401, 403, 404, 409, 429, 503)

K = Annotated[int, Query(ge=1, le=200, description="How many at most.")]
Budget = Annotated[
    int | None,
    Query(
        ge=1,
        le=1_000_000,
        description="Tokens of all passages together, at most, as the generator counts them.",
    ),
]
Neighbours = Annotated[
    int, Query(ge=0, le=5, description="How many passages before and after each come with it.")
]
InOrder = Annotated[Order, Query(description="As the story goes, or best first.")]
Words = Annotated[
    str, Query(min_length=1, max_length=500, pattern=r"\S", description="What the passages should be about.")
]


async def _about(
    upto: Upto = None,
    retriever: Retriever = None,
    k: K = 20,
    budget: Budget = None,
    neighbours: Neighbours = 0,
    q: Annotated[str | None, Query(max_length=500, description="What the passages should be about.")] = None,
    order: InOrder = Order.STORY,
    seed: Annotated[int, Query(ge=0, le=2**31 - 1, description="For the `random` retriever.")] = 0,
) -> Asked:
    return Asked(q, retriever, k, budget, neighbours, order, upto, seed)


async def _in_book(
    q: Words,
    upto: Upto = None,
    retriever: WordRetriever = None,
    k: K = 20,
    budget: Budget = None,
    neighbours: Neighbours = 0,
    order: InOrder = Order.SCORE,
) -> Asked:
    return Asked(q, retriever, k, budget, neighbours, order, upto)


async def _in_library(
    q: Words,
    retriever: WordRetriever = None,
    k: K = 20,
    budget: Budget = None,
    neighbours: Neighbours = 0,
) -> Asked:
    return Asked(q, retriever, k, budget, neighbours)


@router.get("/books/{book_id}/characters/{key}/passages", response_model=PassagesOut, responses=_RESPONSES)
def list_passages(
    call: ReadCall, book_id: BookId, key: Key, asked: Annotated[Asked, Depends(_about)]
) -> Response:
    """The passages that say most about a character."""
    view = call.view(book_id, asked.upto)
    found = searching.about(call.services, view, key=key, asked=asked)
    return call.reply(PassagesOut.of(found))


@router.get("/books/{book_id}/passages", response_model=PassagesOut, responses=_RESPONSES)
def search_book(call: ReadCall, book_id: BookId, asked: Annotated[Asked, Depends(_in_book)]) -> Response:
    """The passages of one book that fit some words best."""
    view = call.view(book_id, asked.upto)
    found = searching.in_book(call.services, view, asked=asked)
    return call.reply(PassagesOut.of(found))


@router.get("/search", response_model=SearchOut, responses=describe(401, 403, 429, 503))
def search_library(
    call: ReadCall,
    asked: Annotated[Asked, Depends(_in_library)],
    per_book: Annotated[int | None, Query(ge=1, le=200, description="How many of one book at most.")] = None,
) -> Response:
    """The passages of your whole library that fit some words best.

    Scores and ranks are over all books together. Books that are not read yet are left out and listed.
    """
    found = searching.in_library(call.library, asked=asked, per_book=per_book)
    return call.reply(SearchOut.of(found))
