"""How much of a word's meaning another has: the same stem, a synonym, a relative, an opposite."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from generation.lexicon import rows
from generation.verbs import stem

SAME, RELATED = 0.85, 0.7
"""What a synonym counts beside the word itself, and what a word that only begins alike does."""
KIN = 5
"""Letters in which relatives agree: "calculation" beside "calculate"."""
LONGER = 3
"""Letters that one may have more."""


def likeness(word: str, stems: Collection[str]) -> float:
    """The best that some stems have for one: 1 for itself, 0 for nothing."""
    if word in stems:
        return 1.0
    if not likes(word).isdisjoint(stems):
        return SAME
    if len(word) >= KIN:
        relatives = (s for s in stems if s[:KIN] == word[:KIN] and abs(len(s) - len(word)) <= LONGER)
        return RELATED if next(relatives, None) is not None else 0.0
    return 0.0


@cache
def likes(word: str) -> frozenset[str]:
    """The stems that say the same as one."""
    return frozenset(other for group in _groups() if word in group for other in group) - {word}


@cache
def opposites(word: str) -> frozenset[str]:
    """The stems that exclude one."""
    return frozenset(other for pair in _pairs() if word in pair for other in pair) - {word}


@cache
def _groups() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(map(stem, row)) for row in rows("synonyms"))


@cache
def _pairs() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(map(stem, row)) for row in rows("antonyms"))
