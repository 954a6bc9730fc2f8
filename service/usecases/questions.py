"""The people whom a reader's question is about."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from coref.errors import CharacterAmbiguous, CharacterUnknown
from coref.lookup import find
from coref.types import Character
from generation.story.named_people import Names
from service.shelf import View
from service.usecases.characters import met

QUESTION_MOST: Final = 500
"""Maximum length of a question in characters."""
MOST_OF: Final = 2 / 3
"""Share of the mentions of all people of a name from which the name in a question means one of them.

Often the others are the same person, before or after a wedding."""


def people_in(view: View, question: str, meant: Sequence[str]) -> tuple[Character, ...]:
    """Return the people named in a question; if it names nobody, those that are meant, as in a conversation.

    A name of several people means the one among those meant, or the one with most of the mentions. Raises
    CharacterAmbiguous if there is none.
    """
    known = {person.id: person for person in (met(view, name) for name in meant)}
    named = Names(view.annotations.characters).find(question)
    found = {
        person.id: person
        for person in (_named(view, each.span.of(question), each.character, known) for each in named)
    }
    return tuple((found or known).values())


def remarks_on_names(view: View, question: str, people: Sequence[Character]) -> tuple[str, ...]:
    """Return who else has a name that the question uses, besides the people for whom it was taken."""
    taken = {person.id: person for person in people}
    remarks: dict[str, None] = {}
    for each in Names(view.annotations.characters).find(question):
        name = each.span.of(question)
        with suppress(CharacterUnknown):
            try:
                find(view.annotations, name)
            except CharacterAmbiguous as several:
                who = [taken[one].name for one in several.candidates if one in taken]
                others = [_of(view, one).name for one in several.candidates if one not in taken]
                if who and others:
                    also = f"{', '.join(others)} {'has' if len(others) == 1 else 'have'} that name, too."
                    remarks[f"“{name}” was taken for {who[0]}. {also}"] = None
    return tuple(remarks)


def _named(view: View, name: str, likeliest: str, meant: dict[str, Character]) -> Character:
    try:
        return find(view.annotations, name)
    except CharacterAmbiguous as several:
        chosen = [meant[each] for each in several.candidates if each in meant]
        if not chosen:
            everybody = [_of(view, each) for each in several.candidates]
            chosen = [person for person in everybody if _outweighs(person, everybody)]
        if not chosen:
            raise
        return chosen[0]
    except CharacterUnknown:
        return met(view, likeliest)


def _of(view: View, id_: str) -> Character:
    person = view.annotations.character(id_)
    assert person is not None
    return person


def _outweighs(person: Character, everybody: Sequence[Character]) -> bool:
    return person.mention_count >= MOST_OF * sum(each.mention_count for each in everybody)
