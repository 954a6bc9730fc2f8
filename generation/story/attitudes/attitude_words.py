"""The words that tell how one stands to another, and how each is built."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from generation.lexicon import rows
from generation.story.types import Bearing

_NONE = "-"
MUTUAL = frozenset((Bearing.MARRIAGE, Bearing.ENGAGEMENT, Bearing.ELOPEMENT))
"""What two do together."""


@dataclass(frozen=True, slots=True)
class AttitudePattern:
    bearing: Bearing
    weight: float
    how: str
    between: frozenset[str]
    """Prepositions, or the things that are refused and saved."""


@dataclass(frozen=True, slots=True)
class AttitudeFrame:
    """One place where a pattern fits: people are told by the numbers of the words that mean them."""

    pattern: AttitudePattern
    word: int
    predicate: int
    """What says whether it is so: the verb of "felt a dislike"."""
    holders: tuple[int, ...]
    others: tuple[int, ...]


@cache
def patterns() -> dict[str, tuple[AttitudePattern, ...]]:
    found: dict[str, list[AttitudePattern]] = {}
    for bearing, weight, how, between, *lemmas in rows("attitudes"):
        links = frozenset(() if between == _NONE else between.split(","))
        for lemma in lemmas:
            found.setdefault(lemma, []).append(AttitudePattern(Bearing(bearing), float(weight), how, links))
    return {lemma: tuple(some) for lemma, some in found.items()}
