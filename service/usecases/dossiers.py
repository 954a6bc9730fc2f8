"""What is known of a character, up to the spoiler gate: the evidence that the offline writer tells from."""

from __future__ import annotations

from coref.types import Character
from generation.story.dossier_builder import make
from generation.story.types import Dossier
from service.shelf import View
from service.usecases.characters import met


def dossier(view: View, key: str) -> tuple[Character, Dossier]:
    character = met(view, key)
    return character, make(view.book, view.annotations, character.id)
