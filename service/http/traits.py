"""What a character is like, word by word."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from service.http.call import ReadCall
from service.http.parameters import BookId, Key, Upto
from service.http.problems import describe
from service.usecases import traits
from service.wire.traits import Most, TraitsOut

router = APIRouter(tags=["characters"])


@router.get(
    "/books/{book_id}/characters/{key}/traits",
    response_model=TraitsOut,
    responses=describe(401, 403, 404, 409, 429, 503),
)
def list_traits(
    call: ReadCall,
    book_id: BookId,
    key: Key,
    upto: Upto = None,
    k: Annotated[int, Query(ge=1, le=200, description="How many things of each kind at most.")] = 20,
    places: Annotated[int, Query(ge=0, le=200, description="How many places of each at most.")] = 5,
) -> Response:
    """What the book says a character does, undergoes, is, has, and is to others; most telling first."""
    view = call.view(book_id, upto)
    return call.reply(TraitsOut.of(traits.traits(view, key), book=view.book, most=Most(k, places)))
