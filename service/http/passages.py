"""Passages about a character, and search for words in one book or in the whole library."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from retrieval.types import Order
from service.http import pagination
from service.http.call import ReadCall
from service.http.parameters import BookId, Key, Retriever, Upto, WordRetriever
from service.http.problems import OF_BOOK, OF_LIBRARY
from service.usecases import finding, searching
from service.usecases.searching import Asked
from service.wire.finding import BookSearchOut
from service.wire.passages import PassagesOut, SearchOut

router = APIRouter(tags=["passages"])


K = Annotated[int, Query(ge=1, le=200, description="Maximum number of passages.")]
Budget = Annotated[
    int | None,
    Query(
        ge=1,
        le=1_000_000,
        description="Maximum total tokens, as counted by the generator.",
    ),
]
Neighbours = Annotated[int, Query(ge=0, le=5, description="Number of passages to add before and after each.")]
InOrder = Annotated[Order, Query(description="In the order of the story, or best first.")]
Words = Annotated[str, Query(min_length=1, max_length=500, pattern=r"\S", description="Words to search for.")]


async def _about(
    upto: Upto = None,
    retriever: Retriever = None,
    k: K = 20,
    budget: Budget = None,
    neighbours: Neighbours = 0,
    q: Annotated[str | None, Query(max_length=500, description="Words to search for.")] = None,
    order: InOrder = Order.STORY,
    seed: Annotated[
        int, Query(ge=0, le=2**31 - 1, description="Random seed for the `random` retriever.")
    ] = 0,
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


@router.get("/books/{book_id}/characters/{key}/passages", response_model=PassagesOut, responses=OF_BOOK)
def list_passages(
    call: ReadCall, book_id: BookId, key: Key, asked: Annotated[Asked, Depends(_about)]
) -> Response:
    """The most relevant passages about a character."""
    view = call.view(book_id, asked.upto)
    found = searching.about(call.services, view, key=key, asked=asked)
    return call.reply(PassagesOut.of(found))


@router.get("/books/{book_id}/passages", response_model=PassagesOut, responses=OF_BOOK)
def search_book(call: ReadCall, book_id: BookId, asked: Annotated[Asked, Depends(_in_book)]) -> Response:
    """The passages of one book that best match some words."""
    view = call.view(book_id, asked.upto)
    found = searching.in_book(call.services, view, asked=asked)
    return call.reply(PassagesOut.of(found))


@router.get("/books/{book_id}/search", response_model=BookSearchOut, responses=OF_BOOK)
def find_in_book(
    call: ReadCall,
    book_id: BookId,
    q: Annotated[
        str,
        Query(
            min_length=1,
            max_length=500,
            pattern=r"\S",
            description=(
                'Words, "phrases", and filters: `by:Ann` for what Ann says, `said:word` for anybody, '
                "`with:Ann` for scenes with Ann, `chapter:3-5`."
            ),
        ),
    ],
    upto: Upto = None,
    order: InOrder = Order.SCORE,
    cursor: pagination.Cursor = None,
    limit: pagination.Limit = 20,
    offset: Annotated[int, Query(ge=0, description="Passages to leave out, where there is no `cursor`.")] = 0,
) -> Response:
    """The places of one book that have all of the words, and a plain no if there is none.

    Passages that are only near in meaning are listed apart. A name that several characters have is reported
    as 409 with the candidates.
    """
    start = offset if cursor is None else pagination.decode_number(cursor, of=call.list_id)
    found = finding.search_in(
        call.services, call.view(book_id, upto), q, order=order, limit=limit, offset=start
    )
    end = start + limit
    following = pagination.next_number(end, more=end < found.found.total, of=call.list_id)
    return call.reply(BookSearchOut.of(found, following=following))


@router.get("/search", response_model=SearchOut, responses=OF_LIBRARY)
def search_library(
    call: ReadCall,
    asked: Annotated[Asked, Depends(_in_library)],
    per_book: Annotated[
        int | None, Query(ge=1, le=200, description="Maximum number of results per book.")
    ] = None,
) -> Response:
    """The passages of your whole library that best match some words.

    Scores and ranks are over all books. Books that are not processed yet are omitted and listed.
    """
    found = searching.in_library(call.library, asked=asked, per_book=per_book)
    return call.reply(SearchOut.of(found))
