"""The dossier of a character."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from service.http.call import ReadCall
from service.http.parameters import BookId, Key, Upto
from service.http.problems import describe
from service.usecases import dossiers
from service.wire.dossiers import DossierOut, Extent

router = APIRouter(tags=["characters"])


@router.get(
    "/books/{book_id}/characters/{key}/dossier",
    response_model=DossierOut,
    responses=describe(401, 403, 404, 409, 429, 503),
)
def get_dossier(
    call: ReadCall,
    book_id: BookId,
    key: Key,
    upto: Upto = None,
    k: Annotated[int, Query(ge=1, le=1000, description="Maximum number of entries of each kind.")] = 20,
    places: Annotated[int, Query(ge=0, le=200, description="Maximum number of citations per entry.")] = 5,
) -> Response:
    """The dossier of a character: relationships, roles, traits, events, company, speech and changes."""
    view = call.view(book_id, upto)
    character, found = dossiers.dossier(view, key)
    extent = Extent(view.book, k, places)
    told = DossierOut.of(found, character=character, name_of=view.annotations.character, extent=extent)
    return call.reply(told)
