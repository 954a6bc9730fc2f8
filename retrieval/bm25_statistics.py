"""BM25's arithmetic: what a term adds to a passage's score, given a collection of passages.

The collection may be the beginning of a book, up to a gate, or many books searched together. Each step has
the precision, and the order, of the library whose formula it is, so that sums are equal and not just close.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrieval.types import Bm25Formula

K1 = 1.5
B = 0.75
EPSILON = 0.25
"""The share of the average weight that `okapi` gives to a term in more than half of the passages."""

Scores = NDArray[np.floating[Any]]
Ints = NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True)
class TermStatistics:
    """The statistics of the passages from which a term's weight is computed."""

    passages: int
    words: int
    """Number of terms in all passages together."""
    holding: Mapping[str, int]
    """Number of passages that contain each requested term."""
    floor: float = 0.0
    """For `okapi`: the weight of a term in more than half of the passages."""


Weigh = Callable[[Ints, Ints, int, TermStatistics], Scores]


def lucene(counts: Ints, lengths: Ints, holding: int, among: TermStatistics) -> Scores:
    frequency = counts.astype(np.float32)
    share = frequency / (K1 * ((1 - B) + B * lengths / (among.words / among.passages)) + frequency)
    rarity = np.float32(math.log(1 + (among.passages - holding + 0.5) / (holding + 0.5)))
    weights: Scores = (rarity * share).astype(np.float32)
    return weights


def okapi(counts: Ints, lengths: Ints, holding: int, among: TermStatistics) -> Scores:
    rarity = _rarity(holding, among.passages)
    rarity = rarity if rarity >= 0 else among.floor
    frequency = counts.astype(np.int64)
    weights: Scores = rarity * (
        frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * lengths / (among.words / among.passages)))
    )
    return weights


FORMULAS: dict[Bm25Formula, tuple[Weigh, type[np.floating[Any]]]] = {
    Bm25Formula.LUCENE: (lucene, np.float32),
    Bm25Formula.OKAPI: (okapi, np.float64),
}


def floor(holding: NDArray[np.int64], passages: int) -> float:
    """Return the weight that `okapi` gives to common terms, from document frequencies by first appearance."""
    if not len(holding):
        return 0.0
    values, at = np.unique(holding, return_inverse=True)
    rarity = np.array([_rarity(int(n), passages) for n in values])[at]
    # `cumsum` adds one value after the other, as `rank_bm25` does; `sum` would not.
    return EPSILON * (float(np.cumsum(rarity)[-1]) / len(holding))


def _rarity(holding: int, passages: int) -> float:
    return math.log(passages - holding + 0.5) - math.log(holding + 0.5)
