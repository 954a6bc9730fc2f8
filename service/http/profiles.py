"""The card of a character."""

from __future__ import annotations

from fastapi import APIRouter, Response

from service.http.call import ReadCall
from service.http.parameters import BookId, Key, Upto
from service.http.problems import describe
from service.usecases import profiles
from service.wire.profiles import ProfileOut

router = APIRouter(tags=["characters"])


@router.get(
    "/books/{book_id}/characters/{key}/profile",
    response_model=ProfileOut,
    responses=describe(401, 403, 404, 409, 429, 503),
)
def get_profile(call: ReadCall, book_id: BookId, key: Key, upto: Upto = None) -> Response:
    """The card of a character: who they are, relationships, looks, nature, turning points and own words."""
    view = call.view(book_id, upto)
    character, found = profiles.profile(view, key)
    told = ProfileOut.of(found, character=character, name_of=view.annotations.character, book=view.book)
    return call.reply(told)
