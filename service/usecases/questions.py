"""The people whom a reader's question is about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from coref.errors import CharacterAmbiguous, CharacterUnknown
from coref.lookup import find
from coref.types import Character
from generation.story.named_people import Names
from service.shelf import View
from service.usecases.characters import met

QUESTION_MOST: Final = 500
"""Maximum length of a question in characters."""


def people_in(view: View, question: str, meant: Sequence[str]) -> tuple[Character, ...]:
    """Return the people named in a question; if it names nobody, those that are meant, as in a conversation.

    Raises CharacterAmbiguous for a name of several people, unless one of them is among those meant.
    """
    known = {person.id: person for person in (met(view, name) for name in meant)}
    named = Names(view.annotations.characters).find(question)
    found = {
        person.id: person
        for person in (_named(view, each.span.of(question), each.character, known) for each in named)
    }
    return tuple((found or known).values())


def _named(view: View, name: str, likeliest: str, meant: dict[str, Character]) -> Character:
    try:
        return find(view.annotations, name)
    except CharacterAmbiguous as several:
        chosen = [meant[each] for each in several.candidates if each in meant]
        if not chosen:
            raise
        return chosen[0]
    except CharacterUnknown:
        return met(view, likeliest)
