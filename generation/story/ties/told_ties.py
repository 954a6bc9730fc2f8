"""The relations of one character as they are reported: the fitting noun, and the sentences that
support it.
"""

from __future__ import annotations

from collections import Counter

from generation.story.indexed_book import IndexedBook
from generation.story.ties.kin_votes import KinVote
from generation.story.ties.relation_consensus import RelationConsensus
from generation.story.types import Tie

LEAST = 0.4
"""Confidence below which nothing is reported."""
_CITED = 3


def ties(reading: IndexedBook, consensus: RelationConsensus, character: str) -> tuple[Tie, ...]:
    """Return the relations, family first, most certain first."""
    found = [t for bond in consensus.of(character) if (t := _tie(reading, bond)) is not None]
    return tuple(sorted(found, key=lambda t: (t.kind, -t.confidence, -t.votes)))


def _tie(reading: IndexedBook, bond: KinVote) -> Tie | None:
    term = bond.relation.term(reading.people[bond.holder].pronouns)
    if term is None or bond.confidence < LEAST:
        return None
    best = sorted(bond.seen, key=lambda s: (-s.weight, s.at))[:_CITED]
    said = Counter(s.qualifier for s in bond.seen if s.qualifier and s.plain and s.holder == bond.holder)
    return Tie(
        kind=bond.relation.kind,
        term=term,
        other=bond.owner,
        other_name=None,
        citations=tuple(dict.fromkeys(reading.cite(s.at) for s in sorted(best, key=lambda s: s.at))),
        votes=round(bond.score, 2),
        confidence=round(bond.confidence, 2),
        qualifier=said.most_common(1)[0][0] if said else None,
        inferred=bond.inferred,
    )
