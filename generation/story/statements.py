"""What can be stated of a character with certainty: their relations to others, each with its places."""

from __future__ import annotations

import math
from collections.abc import Iterator

from generation.story.cast import CastIndex
from generation.story.indexed_book import reading_of
from generation.story.ties.learnt_ties import ties
from generation.story.ties.relation_words import RelationType, fits, meant_by
from generation.story.types import Tie

_FAMILY = 2.0
"""How much nearer a relation of the family is than another."""
_LEAST = 0.1
"""Share of the character's mentions that a friend or a neighbour must have."""
CERTAIN = 0.65
"""Probability from which a relation may be stated in the writer's own words."""


def certain_ties(cast: CastIndex, character: str) -> tuple[Tie, ...]:
    """Return the relations that are certain, nearest first. The cast must already be cut at the gate."""
    stated = [tie for tie in ties(reading_of(cast), character) if tie.certainty >= CERTAIN]
    known = {c.id: c.mention_count for c in cast.annotations.characters}

    def nearness(tie: Tie) -> float:
        """Weigh a relation by how much the book is about the other."""
        return tie.certainty * math.log1p(known[tie.other]) * (_FAMILY if tie.family else 1)

    near = [t for t in stated if t.family or _LEAST * known[character] <= known[t.other]]
    return tuple(sorted(near, key=nearness, reverse=True))


def relatives(cast: CastIndex, owner: str, called: tuple[RelationType, str | None]) -> Iterator[Tie]:
    """Yield what others certainly are to somebody, if they can be called by a word such as “brother”."""
    kind, implied = called
    for other in dict.fromkeys(tie.other for tie in certain_ties(cast, owner)):
        if not fits(cast.by_id[other].pronouns, implied):
            continue
        for tie in certain_ties(cast, other):
            meaning = meant_by(tie.term.split()[-1])
            if tie.other == owner and meaning is not None and meaning[0] == kind:
                yield tie


def other_name(tie: Tie, cast: CastIndex) -> str:
    """Return the name of the other person of a relation."""
    return cast.by_id[tie.other].name
