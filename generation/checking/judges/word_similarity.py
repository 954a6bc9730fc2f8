"""Measure the similarity of two words: the same stem, a synonym, a related word, or an opposite."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from generation.lexicon import rows
from generation.verbs import stem

SAME, RELATED = 0.85, 0.7
"""Similarity of a synonym, and of a word with the same beginning."""
KIN = 5
"""Initial letters that related words share, such as "calculation" and "calculate"."""
LONGER = 3
"""Maximum difference of their lengths."""


def likeness(word: str, stems: Collection[str]) -> float:
    """Return the highest similarity of a word to some stems: 1 for the same stem, 0 for none."""
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
    """Return the synonyms of a stem."""
    return frozenset(other for group in _groups() if word in group for other in group) - {word}


@cache
def opposites(word: str) -> frozenset[str]:
    """Return the opposites of a stem."""
    return frozenset(other for pair in _pairs() if word in pair for other in pair) - {word}


@cache
def _groups() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(map(stem, row)) for row in rows("synonyms"))


@cache
def _pairs() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(map(stem, row)) for row in rows("antonyms"))
