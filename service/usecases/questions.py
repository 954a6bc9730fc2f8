"""The people whom a reader's question is about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from coref.lookup import find, fitting
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
    remarks: dict[str, None] = {}
    for each in Names(view.annotations.characters).find(question):
        name = each.span.of(question)
        bearers = fitting(view.annotations, name)
        who = [person.name for person in bearers if person in people]
        others = [person.name for person in bearers if person not in people]
        if who and others:
            also = f"{', '.join(others)} {'has' if len(others) == 1 else 'have'} that name, too."
            remarks[f"“{name}” was taken for {who[0]}. {also}"] = None
    return tuple(remarks)


def _named(view: View, name: str, likeliest: str, meant: dict[str, Character]) -> Character:
    bearers = fitting(view.annotations, name)
    if not bearers:
        return met(view, likeliest)
    mentions = sum(person.mention_count for person in bearers)
    chosen = [person for person in bearers if person.id in meant]
    chosen += [person for person in bearers if person.mention_count >= MOST_OF * mentions]
    return chosen[0] if chosen else find(view.annotations, name)  # raises: it means none of them
