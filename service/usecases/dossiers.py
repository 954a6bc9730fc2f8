"""The dossier of a character up to `upto`: the evidence from which the offline generator writes."""

from __future__ import annotations

from coref.types import Character
from generation.story.dossier_builder import make
from generation.story.types import Dossier
from service.shelf import View
from service.usecases.characters import met


def dossier(view: View, key: str) -> tuple[Character, Dossier]:
    character = met(view, key)
    return character, make(view.book, view.annotations, character.id)
