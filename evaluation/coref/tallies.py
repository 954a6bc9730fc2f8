"""Counts that can be summed: over documents, novels, halves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self


class Sums:
    """Makes a dataclass with slots add up, one field after the other."""

    __slots__: tuple[str, ...] = ()

    def __add__(self, other: Self) -> Self:
        return type(self)(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))


@dataclass(frozen=True, slots=True)
class Share(Sums):
    """A share of a total; both may be weighted counts."""

    of: float = 0.0
    all: float = 0.0

    @property
    def value(self) -> float:
        """Return the share; 0 where there was nothing to get right, as in CoNLL's scorer."""
        return self.of / self.all if self.all else 0.0


@dataclass(frozen=True, slots=True)
class PrecisionRecall(Sums):
    precision: Share = Share()
    recall: Share = Share()

    @property
    def f1(self) -> float:
        p, r = self.precision.value, self.recall.value
        return 2 * p * r / (p + r) if p + r else 0.0


NOTHING = PrecisionRecall()


def pooled_shares(shares: Iterable[Share]) -> Share:
    return sum(shares, Share())


def pooled(scores: Iterable[PrecisionRecall]) -> PrecisionRecall:
    """Pool scores as CoNLL's scorer does over documents.

    Numerators and denominators are summed separately.
    """
    return sum(scores, NOTHING)
