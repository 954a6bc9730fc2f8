"""The traits of a character, up to `upto`."""

from __future__ import annotations

from coref.traits.summary import TraitSummaries, TraitSummary
from service.services import Services
from service.shelf import View
from service.usecases.characters import met, open_view


def traits(
    services: Services, *, library: str, book_id: str, key: str, upto: str | None = None
) -> tuple[View, TraitSummary]:
    """The traits, with the view that their places refer to."""
    view = open_view(services, library=library, book_id=book_id, upto=upto)
    character = met(view, key)
    return view, TraitSummaries(view.book, view.annotations).of(character.id)
