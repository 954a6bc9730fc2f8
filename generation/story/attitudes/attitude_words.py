"""The words that express an attitude, with the grammatical pattern of each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from generation.lexicon import rows
from generation.story.types import Bearing

_NONE = "-"
MUTUAL = frozenset((Bearing.MARRIAGE, Bearing.ENGAGEMENT, Bearing.ELOPEMENT))
"""Events that two people do together."""


@dataclass(frozen=True, slots=True)
class AttitudePattern:
    bearing: Bearing
    weight: float
    how: str
    between: frozenset[str]
    """Prepositions, or the things that are refused and saved."""


@dataclass(frozen=True, slots=True)
class AttitudeFrame:
    """One place where a pattern matches. People are given by the indexes of the words that refer to them."""

    pattern: AttitudePattern
    word: int
    predicate: int
    """The word whose mood decides whether it is asserted: the verb of "felt a dislike"."""
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
