"""Distinctive words of a character: those that are more frequent around them than elsewhere in the book."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from coref.language.syntax import Parse
from coref.packing import Coded
from generation.story.cast import CastIndex

_TOLD = ("NOUN", "VERB", "ADJ")
_EXPECTED = 500.0
"""Prior count in words, weighed against the counts of somebody's paragraphs. It dampens rare words."""
_KEPT: WeakKeyDictionary[CastIndex, Themes] = WeakKeyDictionary()
Floats = NDArray[np.float64]


def themes_of(cast: CastIndex) -> Themes | None:
    """Return the themes of a book, kept as long as its cast, or None if the book has no parse."""
    parse = cast.annotations.parse
    if parse is None or not len(parse):
        return None
    found = _KEPT.get(cast)
    if found is None:
        found = _KEPT[cast] = Themes(cast, parse)
    return found


class Themes:
    """The distinctive words of the characters of one book."""

    def __init__(self, cast: CastIndex, parse: Parse) -> None:
        self._cast = cast
        self._parse = parse
        self._of: dict[str, dict[str, float]] = {}

    def of(self, character: str) -> dict[str, float]:
        """Return the lemmas that are more frequent around somebody than elsewhere, with the number of
        standard errors.
        """
        if character not in self._of:
            self._of[character] = self._weigh(character)
        return self._of[character]

    def _weigh(self, character: str) -> dict[str, float]:
        names, codes, told = self._lemmas
        inside = np.zeros(len(codes), bool)
        for first, end in self._ranges(character):
            inside[first:end] = True
        here = np.bincount(codes[inside & told], minlength=len(names)).astype(float)
        every = self._every
        there = every - here
        if not here.sum() or not there.sum():
            return {}
        expected = _EXPECTED * every / every.sum()
        odds = _log_odds(here, expected) - _log_odds(there, expected)
        spread = np.sqrt(1 / (here + expected + 1e-9) + 1 / (there + expected + 1e-9))
        weights = odds / spread
        return {names[at]: float(weights[at]) for at in np.flatnonzero((weights > 1) & (here > 1)).tolist()}

    def _ranges(self, character: str) -> list[tuple[int, int]]:
        starts, book = self._starts, self._cast.book
        spans = [book.paragraphs[at].span for at in self._cast.paragraphs_of(character)]
        firsts = np.searchsorted(starts, [s.start for s in spans]).tolist()
        ends = np.searchsorted(starts, [s.end for s in spans]).tolist()
        return list(zip(firsts, ends, strict=True))

    @cached_property
    def _every(self) -> Floats:
        names, codes, told = self._lemmas
        return np.bincount(codes[told], minlength=len(names)).astype(float)

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        return np.asarray(self._parse.starts, np.int64)

    @cached_property
    def _lemmas(self) -> tuple[Sequence[str], NDArray[np.int64], NDArray[np.bool_]]:
        """All lemmas, the index of each word's lemma, and whether the word is a content word."""
        names, codes = _coded(self._parse.lemmas)
        tags, tagged = _coded(self._parse.tags)
        told = np.isin(tagged, [at for at, tag in enumerate(tags) if tag in _TOLD])
        return names, codes, told


def _coded(column: Sequence[str]) -> tuple[Sequence[str], NDArray[np.int64]]:
    if isinstance(column, Coded):
        return column.names, np.asarray(column.codes).astype(np.int64)
    names, codes = np.unique(np.asarray(column, dtype=object).astype(str), return_inverse=True)
    return names.tolist(), codes.astype(np.int64)


def _log_odds(counts: Floats, expected: Floats) -> Floats:
    seen = counts + expected + 1e-9
    odds: Floats = np.log(seen) - np.log(counts.sum() + _EXPECTED - seen)
    return odds
