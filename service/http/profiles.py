"""The card of a character, and one line about each of the main characters."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from service.http.call import ReadCall
from service.http.parameters import BookId, Key, Upto
from service.http.problems import OF_BOOK
from service.usecases import profiles
from service.wire.profiles import ProfileOut, WhoLinesOut, WhoOut

router = APIRouter(tags=["characters"])


@router.get("/books/{book_id}/who", response_model=WhoLinesOut, responses=OF_BOOK)
def list_who_lines(
    call: ReadCall,
    book_id: BookId,
    upto: Upto = None,
    k: Annotated[int, Query(ge=1, le=200, description="Maximum number of characters.")] = 30,
) -> Response:
    """One line about each of the most mentioned characters that says who they are."""
    view = call.view(book_id, upto)
    items = [WhoOut.of(person, line, book=view.book) for person, line in profiles.who_lines(view, k)]
    return call.reply(WhoLinesOut(items=items))


@router.get("/books/{book_id}/characters/{key}/profile", response_model=ProfileOut, responses=OF_BOOK)
def get_profile(call: ReadCall, book_id: BookId, key: Key, upto: Upto = None) -> Response:
    """The card of a character: who they are, relationships, looks, nature, turning points and own words."""
    view = call.view(book_id, upto)
    character, found = profiles.profile(view, key)
    told = ProfileOut.of(found, character=character, name_of=view.annotations.character, book=view.book)
    return call.reply(told)
