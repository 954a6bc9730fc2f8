"""Find where in the book the words of a claim occur together, and which people are there.

The words of a true claim occur near its people. If they occur near somebody else, the claim may be about that
person. So the words are located first, without regard to people, and then the people near them.
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
"""Minimum weight of a word relative to the book's rarest."""
_CENTRE = 0.25
"""Additional weight of words that are in the sentence itself."""
_ABSENT, _ALONE = 0.3, 0.7
"""Factors of a place where the subject, or everybody else, is missing."""
_BEST, _CLOSE, _STEEP = 10, 0.8, 6
"""Number of places whose people are compared, their minimum value relative to the best place, and the
exponent of their weight.
"""
_MOST = 40
"""Maximum number of words, and of people, of a claim that are searched for."""


@dataclass(frozen=True, slots=True)
class OccurrencePlace:
    at: int
    """Index of a sentence."""
    words: float


def survey(
    book: SentenceIndex, stems: Sequence[str], subject: str | None, others: Collection[str], *,
    joint: int, words: int,
) -> tuple[ClaimOccurrences, list[OccurrencePlace]]:  # fmt: skip
    """Return where a claim occurs, and its best places.

    These are the `joint` best ones for words and people together, and the `words` best ones for words alone.
    """
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
    """Return the maximum of each entry and its neighbours, weighted by distance."""
    found = rows.copy()
    for step in range(1, reach):
        worth = np.float32(_DISTANT[step])
        if rows.shape[-1] > step:
            np.maximum(found[..., step:], worth * rows[..., :-step], out=found[..., step:])
            np.maximum(found[..., :-step], worth * rows[..., step:], out=found[..., :-step])
    return found
