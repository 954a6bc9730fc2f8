"""Find where in the book the words of a claim occur together, and which people are there.

A true claim's words occur near its people; those of a claim about somebody else occur near that person. So
the words are located first, whoever is there, and then the people.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from generation.checking.judges.sentence_index import SentenceIndex
from generation.checking.types import NOWHERE, ClaimOccurrences

Row = NDArray[np.float32]
_DISTANT = (1.0, 0.85, 0.7, 0.5, 0.4)
"""Weights by distance in sentences."""
_WORDS, _PEOPLE = 3, 5
"""Distances, in sentences, below which words and people count."""
_LEAST = 0.1
"""The least weight of a word relative to the book's rarest."""
_CENTRE = 0.25
"""Added if words are in one sentence."""
_ABSENT, _ALONE = 0.3, 0.7
"""Factors of a place where the subject, or everybody else, is missing."""
_BEST, _CLOSE, _STEEP = 10, 0.8, 6
"""Places compared for the people there, how near to the best they must be, and how fast their
weight falls.
"""
_MOST = 40
"""Most words, and people, of a claim that are searched for."""


@dataclass(frozen=True, slots=True)
class OccurrencePlace:
    at: int
    """Index of a sentence."""
    words: float


def survey(
    book: SentenceIndex, stems: Sequence[str], subject: str | None, others: Collection[str], *,
    joint: int, words: int,
) -> tuple[ClaimOccurrences, list[OccurrencePlace]]:  # fmt: skip
    """With the `joint` best places for words and people, and the `words` best for words alone."""
    if not stems or not len(book):
        return NOWHERE, []
    kept = stems[:_MOST]
    weights = np.array([max(_LEAST, book.weight(s)) for s in kept], np.float32)
    hits = np.stack([book.hits(s) for s in kept])
    near = _spread(hits, _WORDS)
    share = weights / weights.sum()
    base: Row = (share @ near + _CENTRE * (share @ hits)) / (1 + _CENTRE)
    here = _spread(book.presence(subject), _PEOPLE)
    rest = [_spread(book.presence(o), _PEOPLE) for o in list(others)[:_MOST]]
    there: Row = np.mean(rest, axis=0) if rest else np.ones_like(here)
    both = base * (_ABSENT + (1 - _ABSENT) * here) * (_ALONE + (1 - _ALONE) * there)
    a, j = int(np.argmax(base)), int(np.argmax(both))
    unknown = frozenset(s for s in stems if not len(book.places(s)))
    if base[a] <= 0:
        return replace(NOWHERE, unknown=unknown), []
    stands = _standing(book, base)
    found = ClaimOccurrences(
        words=float(base[a]),
        joint=float(base[j]),
        standing=stands.get(subject or "", 0.0),
        others=min((stands.get(o, 0.0) for o in others), default=1.0),
        subject_near=float(here[j]),
        subject_there=float(here[a]),
        others_near=float(there[j]),
        missing=float(((1 - near[:, j]) * weights).max() / weights.max()),
        unknown=unknown,
    )
    return found, _places(base, both, joint, words)


def _places(base: Row, both: Row, joint: int, words: int) -> list[OccurrencePlace]:
    """Return the best places, no two of them adjacent."""
    found: list[int] = []
    for row, most in ((both, joint), (base, joint + words)):
        for at in _top(row, 4 * most):
            if len(found) < most and row[at] > 0 and not {at - 1, at, at + 1} & set(found):
                found.append(at)
    return [OccurrencePlace(at, float(base[at])) for at in found]


def _standing(book: SentenceIndex, base: Row) -> Mapping[str, float]:
    best = base.max()
    places = {at: (base[at] / best) ** _STEEP for at in _top(base, _BEST) if base[at] > _CLOSE * best}
    found: dict[str, float] = {}
    for at, weight in places.items():
        nearest: dict[str, float] = {}
        for step in range(1 - _WORDS, _WORDS):
            for who in book.people(at + step):
                nearest[who] = max(nearest.get(who, 0.0), _DISTANT[abs(step)])
        for who, closeness in nearest.items():
            found[who] = found.get(who, 0.0) + float(weight) * closeness
    most = max(found.values(), default=1.0)
    return {who: value / most for who, value in found.items()}


def _top(row: Row, k: int) -> list[int]:
    k = min(k, len(row))
    some = np.argpartition(-row, k - 1)[:k]
    return [int(at) for at in some[np.lexsort((some, -row[some]))]]


def _spread(rows: Row, reach: int) -> Row:
    """Return each entry, or that of a neighbour, whichever counts more."""
    found = rows.copy()
    for step in range(1, reach):
        worth = np.float32(_DISTANT[step])
        if rows.shape[-1] > step:
            np.maximum(found[..., step:], worth * rows[..., :-step], out=found[..., step:])
            np.maximum(found[..., :-step], worth * rows[..., step:], out=found[..., :-step])
    return found
