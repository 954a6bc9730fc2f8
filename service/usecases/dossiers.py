"""The dossier of a character up to `upto`: the evidence from which the offline generator writes."""

from __future__ import annotations

from coref.types import Character
from generation.story.dossier_builder import make
from generation.story.types import Dossier
from service.services import Services
from service.shelf import View
from service.usecases.characters import met, open_view


def dossier(
    services: Services, *, library: str, book_id: str, key: str, upto: str | None = None
) -> tuple[View, Character, Dossier]:
    """The dossier, with the view that its citations refer to."""
    view = open_view(services, library=library, book_id=book_id, upto=upto)
    character = met(view, key)
    return view, character, make(view.book, view.annotations, character.id)
