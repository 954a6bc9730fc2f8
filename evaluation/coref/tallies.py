"""Counts that add up: of documents, of novels, of halves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many; both may be weighted counts."""

    of: float = 0.0
    all: float = 0.0

    def __add__(self, other: Share) -> Share:
        return Share(self.of + other.of, self.all + other.all)

    @property
    def value(self) -> float:
        """0 where there was nothing to get right, as the scorer of CoNLL has it."""
        return self.of / self.all if self.all else 0.0


@dataclass(frozen=True, slots=True)
class PrecisionRecall:
    precision: Share = Share()
    recall: Share = Share()

    def __add__(self, other: PrecisionRecall) -> PrecisionRecall:
        return PrecisionRecall(self.precision + other.precision, self.recall + other.recall)

    @property
    def f1(self) -> float:
        p, r = self.precision.value, self.recall.value
        return 2 * p * r / (p + r) if p + r else 0.0


NOTHING = PrecisionRecall()


def pooled_shares(shares: Iterable[Share]) -> Share:
    return sum(shares, Share())


def pooled(scores: Iterable[PrecisionRecall]) -> PrecisionRecall:
    """As CoNLL's scorer does over documents: what is above and what is below the line is summed apart."""
    return sum(scores, NOTHING)
