"""What can be stated of a character with certainty: their relations to others, each with its places."""

from __future__ import annotations

import math
from functools import lru_cache

from books.types import Book
from coref.types import Annotations
from generation.story.cast import CastIndex, cast_of
from generation.story.indexed_book import IndexedBook, reading_of
from generation.story.ties.relation_consensus import RelationConsensus
from generation.story.ties.told_ties import ties
from generation.story.types import Statement, StatementKind, Tie, TieKind

_FAMILY = 2.0
"""How much nearer a relation of the family is than another."""
_LEAST = 0.1
"""Share of the character's mentions that a friend or a neighbour must have."""
_ALONE = 0.85
"""The same for a relation that only one place states."""
_KEPT = 4
"""Books whose relations are kept between calls."""
_SPOKEN = 0.5
"""Share of a sentence in quotes from which a person of the book says it."""
CERTAIN = 0.7
"""Certainty from which a relation may be stated in the writer's own words."""


def ties_of(book: Book, annotations: Annotations, character: str) -> tuple[Tie, ...]:
    """Return a character's relations to others, also uncertain and inferred ones, most certain first.

    Book and annotations must already be cut at the spoiler gate.
    """
    reading = reading_of(book, annotations)
    return ties(reading, _consensus(reading), character)


def certain_ties(book: Book, annotations: Annotations, character: str) -> tuple[Statement, ...]:
    """Return the relations that are certain and that the narration states, nearest first.

    What only people of the book say may be a lie, a hope or a joke.
    """
    cast = cast_of(book, annotations)
    stated = [
        tie
        for tie in ties_of(book, annotations, character)
        if tie.confidence >= (CERTAIN if len(tie.citations) > 1 else _ALONE)
        and not tie.inferred
        and any(cast.spoken_share(place.span) < _SPOKEN for place in tie.citations)
    ]
    known = {c.id: c.mention_count for c in annotations.characters}

    def nearness(tie: Tie) -> float:
        """Weigh a relation by its evidence and by how much the book is about the other."""
        return (
            tie.votes
            * math.log1p(known.get(tie.other or "", 0))
            * (_FAMILY if tie.kind is TieKind.KIN else 1)
        )

    near = [
        t for t in stated if t.kind is TieKind.KIN or _LEAST * known[character] <= known.get(t.other or "", 0)
    ]
    return tuple(_statement(character, tie) for tie in sorted(near, key=nearness, reverse=True))


def other_name(statement: Statement, cast: CastIndex) -> str:
    """Return the name of the other person of a relation."""
    known = cast.by_id.get(statement.other or "")
    return known.name if known else str(statement.other_name)


@lru_cache(maxsize=_KEPT)
def _consensus(reading: IndexedBook) -> RelationConsensus:
    return RelationConsensus(reading)


def _statement(character: str, tie: Tie) -> Statement:
    return Statement(
        subject=character,
        predicate=" ".join(filter(None, (tie.qualifier, tie.term))),
        other=tie.other,
        other_name=tie.other_name,
        kind=StatementKind.TIE,
        certainty=min(1.0, tie.confidence),
        places=tie.citations,
    )
