"""Finds people who are doubtful: the book hardly names them, and yet many pronouns are taken to mean them.

Mostly somebody else is meant: a name said once in a talk takes the pronouns of the two who talk. This is
found from the annotations whenever it is asked for, and never stored, so it follows corrections and the gate.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Final

from coref.language.word_lists import same
from coref.types import Annotations, CharacterKind, MentionKind, QuoteType

SELDOM: Final = 3
"""A name that is said more often is somebody's; so is a noun, such as `the old man`."""
MANY: Final = 50
"""Number of pronouns above which so seldom named a person is doubtful."""
MERE_PRONOUN: Final = 0.5
"""Maximum certainty of what means a doubtful person without their name: a sentence, a pronoun, a relation."""
_TIMES: Final = {1: "once", 2: "twice"}


@dataclass(frozen=True, slots=True)
class DoubtfulPerson:
    character: str
    said: int
    """How often the book says any of their names."""
    pronouns: int
    """Number of pronouns that are taken to mean them."""

    @property
    def told(self) -> str:
        times = _TIMES.get(self.said, f"{self.said} times")
        taken = f"{self.pronouns} pronouns are taken to mean them"
        return f"The book names this person only {times}, but {taken}."


def doubtful_people(annotations: Annotations) -> Mapping[str, DoubtfulPerson]:
    """Return the doubtful people by id, most mentioned first.

    Narrators, people without names and those whom a reader has confirmed are never doubtful.
    """
    tellers = (teller.character for teller in annotations.tellers)
    known = {annotations.narrator, *tellers, *annotations.confirmed}
    counts: dict[str, Counter[MentionKind]] = defaultdict(Counter)
    nouns: dict[str, Counter[str]] = defaultdict(Counter)
    for mention in annotations.mentions:
        if mention.character is not None:
            counts[mention.character][mention.kind] += 1
            if mention.kind is MentionKind.NOMINAL:
                nouns[mention.character][same(mention.surface)] += 1
    found = (
        DoubtfulPerson(c.id, counts[c.id][MentionKind.PROPER], counts[c.id][MentionKind.PRONOUN])
        for c in annotations.characters
        if c.kind is CharacterKind.PERSON
        and c.id not in known
        and max(nouns[c.id].values(), default=0) <= SELDOM
    )
    return {d.character: d for d in found if 1 <= d.said <= SELDOM and d.pronouns > MANY}


def capped(annotations: Annotations, doubtful: Collection[str]) -> Annotations:
    """Return the annotations with nothing certain of doubtful people but where they are named."""
    if not doubtful:
        return annotations
    return replace(
        annotations,
        mentions=tuple(
            replace(m, confidence=min(m.confidence, MERE_PRONOUN))
            if m.character in doubtful and m.kind is not MentionKind.PROPER
            else m
            for m in annotations.mentions
        ),
        quotes=tuple(
            replace(q, confidence=min(q.confidence, MERE_PRONOUN))
            if q.speaker in doubtful and q.type is not QuoteType.EXPLICIT
            else q
            for q in annotations.quotes
        ),
    )
