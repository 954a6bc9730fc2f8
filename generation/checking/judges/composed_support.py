"""Check claims that their writer composed against the sentences it cites.

The writer is not trusted: the sentences must contain the claim's words and mention all its people, with the
same polarity and in the same direction. Only the sentences must be parsed, not the claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from generation.checking.judges.content_words import content_words, denies
from generation.checking.judges.propositions import Proposition, ReadSentence
from generation.checking.judges.word_similarity import likeness
from generation.checking.types import Evidence
from generation.types import Claim

_ENOUGH = 0.7
"""Minimum share of the content words that the cited sentences must contain."""
_PASSIVE = re.compile(r"\b(?:is|was|are|were|been|being|be|gets?|got)\b")


def holds(claim: Claim, cited: Sequence[Evidence]) -> bool:
    read = [m for m in cited if m.told is not None]
    if not claim.composed or not read or claim.subject is None:
        return False
    here = [m.told for m in read if m.told is not None]
    stems = frozenset().union(*(t.stems for t in here))
    people = frozenset().union(*(t.people for m in read for t in (m.told, *m.near) if t is not None))
    asked = content_words(claim)
    share = sum(likeness(s, stems) for s in asked) / len(asked) if asked else 1.0
    named = {claim.subject, *(n.character for n in claim.people)}
    met = [p for told in here for p in _met(asked, told.propositions)]
    if share < _ENOUGH or not named <= people or not _about(claim.subject, met, here):
        return False
    return _same_polarity(claim, met) and not _turned(claim, met)


def _met(asked: Sequence[str], propositions: Sequence[Proposition]) -> Iterator[Proposition]:
    return (p for p in propositions if likeness(p.stem, asked))


def _about(subject: str, met: Sequence[Proposition], here: Sequence[ReadSentence]) -> bool:
    """Whether a predicate involves the subject. If none involves any person, a sentence must mention it."""
    known = [p for p in met if p.agents or p.patients]
    if known:
        return any(subject in p.agents | p.patients for p in known)
    return any(subject in told.people for told in here)


def _same_polarity(claim: Claim, met: Sequence[Proposition]) -> bool:
    denied = denies(claim)
    return any(p.denied == denied for p in met) if met else not denied


def _turned(claim: Claim, met: Sequence[Proposition]) -> bool:
    """Whether the claim's subject undergoes in the book what it does in the claim."""
    others = {n.character for n in claim.people} - {claim.subject}
    if _PASSIVE.search(claim.text) or not others:
        return False
    ways = [p for p in met if not p.nominal and others & (p.agents | p.patients)]
    return bool(ways) and all(claim.subject in p.patients and others & p.agents for p in ways)
