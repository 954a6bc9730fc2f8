"""The traits of a character."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from service.http.call import ReadCall
from service.http.parameters import BookId, Key, Upto
from service.http.problems import OF_BOOK
from service.usecases import traits
from service.wire.traits import Most, TraitsOut

router = APIRouter(tags=["characters"])


@router.get("/books/{book_id}/characters/{key}/traits", response_model=TraitsOut, responses=OF_BOOK)
def list_traits(
    call: ReadCall,
    book_id: BookId,
    key: Key,
    upto: Upto = None,
    k: Annotated[int, Query(ge=1, le=200, description="Maximum number of traits of each kind.")] = 20,
    places: Annotated[int, Query(ge=0, le=200, description="Maximum number of places per trait.")] = 5,
) -> Response:
    """What a character does, undergoes, is and has, and their relations to others, most distinctive first."""
    view = call.view(book_id, upto)
    found, remarks = traits.traits(view, key), traits.remarks_on_traits(view)
    return call.reply(TraitsOut.of(found, book=view.book, most=Most(k, places), remarks=remarks))
