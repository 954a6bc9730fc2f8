"""Notes on the people of a prompt: what Bookworm itself knows of them, for a language model to start from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from coref.types import Character
from generation.story.cast import cast_of
from generation.story.profile import in_order, make_profile, who_of
from generation.story.quotation import Quotation
from generation.story.statements import other_name
from generation.story.types import Profile
from generation.types import Citation, Prompt, Strategy

MOST: Final = 10
"""Most notes on one person."""


@dataclass(frozen=True, slots=True)
class PersonNote:
    text: str
    place: Citation
    """Where the book says it."""
    certain: bool
    """Whether it may be told without its passage."""


def notes_on(prompt: Prompt) -> tuple[PersonNote, ...]:
    """Return the notes on the people of a prompt. There are none for strategies that show other material."""
    if prompt.strategy is not Strategy.RETRIEVE or not prompt.telling:
        return ()
    people = prompt.context.people
    if len(people) == 1:
        return tuple(_on(prompt, people[0]))
    return tuple(note for person in people for note in _in_one_line(prompt, person))


def _on(prompt: Prompt, person: Character) -> Iterator[PersonNote]:
    """Yield the relations that are certain, then the quotations of the card in the order of the story."""
    context = prompt.context
    card = make_profile(context, person, (s for s in prompt.telling if s.character == person.id))
    cast = cast_of(context.book, context.annotations)
    for tie in card.ties:
        text = f"{person.name} is the {tie.predicate} of {other_name(tie, cast)}."
        yield PersonNote(text, tie.places[0], True)
    quotations = {q.citation.span: q for q in _quotations(card)}
    for said in in_order(islice(quotations.values(), MOST - len(card.ties))):
        yield PersonNote(f"“{said.text}”", said.citation, False)


def _quotations(card: Profile) -> Iterator[Quotation]:
    """Yield the quotations of a card, the most important first. One may stand under several headings."""
    parts = (card.role, card.turning_points, card.nature, card.looks, card.said_by_others, card.own_words)
    for part in parts:
        yield from part


def _in_one_line(prompt: Prompt, person: Character) -> Iterator[PersonNote]:
    who = who_of(prompt.context, person, (s for s in prompt.telling if s.character == person.id))
    if who.text and who.places:
        yield PersonNote(f"{person.name}: {who.text}", who.places[0], False)
