"""The card of a character up to `upto`: who they are, and what the book says that tells most of them."""

from __future__ import annotations

from coref.types import Character
from generation.story.profile import make_profile
from generation.story.types import Profile
from service.shelf import View
from service.usecases.characters import met
from service.usecases.fact_evidence import context_about


def profile(view: View, key: str) -> tuple[Character, Profile]:
    character = met(view, key)
    return character, make_profile(context_about(view, [character]), character, view.telling(character.id))
