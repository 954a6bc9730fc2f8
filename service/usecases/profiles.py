"""The cards of characters up to `upto`: who they are, and what the book says that tells most of them."""

from __future__ import annotations

from collections.abc import Iterator

from coref.export.tables import WhoTexts
from coref.types import Character
from generation.story.profile import make_profile, who_of
from generation.story.types import Profile, WhoLine
from retrieval.types import TellingSentence
from service.shelf import View
from service.usecases.characters import met
from service.usecases.fact_evidence import context_about


def profile(view: View, key: str) -> tuple[Character, Profile]:
    character = met(view, key)
    return character, make_profile(context_about(view, [character]), character, view.telling(character.id))


def who_lines(view: View, most: int) -> tuple[tuple[Character, WhoLine], ...]:
    """Return the most mentioned characters, each with the line that says who they are."""
    people = view.annotations.characters[:most]
    context = context_about(view, people)
    return tuple((person, who_of(context, person, _read_late(view, person))) for person in people)


def who_texts(view: View) -> WhoTexts:
    """Return the line that says who somebody is, and its places, for every character: for an export."""
    lines = who_lines(view, len(view.annotations.characters))
    return {person.id: (line.text, tuple(place.span for place in line.places)) for person, line in lines}


def _read_late(view: View, character: Character) -> Iterator[TellingSentence]:
    """Read the sentences about a character only when the first is wanted."""
    yield from view.introducing(character.id)
