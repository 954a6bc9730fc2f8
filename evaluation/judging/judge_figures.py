"""Precision and recall of a judge's labels, with intervals, and the calibration of its scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt

from evaluation.coref.tallies import Share
from evaluation.judging.types import JudgedFact
from generation.types import Label

_Z = 1.959964
"""Quantile of the normal distribution for a 95% interval."""
_BINS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
_RIGHT = {True: Label.SUPPORTED, False: Label.CONTRADICTED}


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of a total, with the bounds of its 95% interval (Wilson)."""

    of: int
    all: int

    @property
    def value(self) -> float | None:
        return Share(self.of, self.all).value if self.all else None

    @property
    def interval(self) -> tuple[float, float] | None:
        if not self.all:
            return None
        n, p = self.all, self.of / self.all
        middle = (p + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
        reach = _Z / (1 + _Z**2 / n) * sqrt(p * (1 - p) / n + _Z**2 / (4 * n**2))
        return max(0.0, middle - reach), min(1.0, middle + reach)


@dataclass(frozen=True, slots=True)
class JudgeFigures:
    facts: int
    supported_precision: Rate
    """True claims among those called supported."""
    supported_recall: Rate
    """Claims called supported among those that are true."""
    contradicted_precision: Rate
    contradicted_recall: Rate
    false_supported: Rate
    """Claims called supported among those that are false."""
    uncertain: Rate
    labels: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Bin:
    """Verdicts of supported or contradicted with a score of at least `low` and below `high`."""

    low: float
    high: float
    said: float | None
    """The mean score."""
    right: Rate


def figures(judged: Sequence[JudgedFact]) -> JudgeFigures:
    true = [j for j in judged if j.known.true]
    false = [j for j in judged if not j.known.true]
    labels = [j.verdict.label for j in judged]
    return JudgeFigures(
        facts=len(judged),
        supported_precision=Rate(_count(true, Label.SUPPORTED), _count(judged, Label.SUPPORTED)),
        supported_recall=Rate(_count(true, Label.SUPPORTED), len(true)),
        contradicted_precision=Rate(_count(false, Label.CONTRADICTED), _count(judged, Label.CONTRADICTED)),
        contradicted_recall=Rate(_count(false, Label.CONTRADICTED), len(false)),
        false_supported=Rate(_count(false, Label.SUPPORTED), len(false)),
        uncertain=Rate(_count(judged, Label.UNCERTAIN), len(judged)),
        labels={label.value: labels.count(label) for label in Label},
    )


def by(judged: Sequence[JudgedFact], key: Callable[[JudgedFact], str | None]) -> dict[str, JudgeFigures]:
    """Return the figures of each part; items without a key are left out."""
    parts: dict[str, list[JudgedFact]] = {}
    for one in judged:
        if (name := key(one)) is not None:
            parts.setdefault(name, []).append(one)
    return {name: figures(part) for name, part in parts.items()}


def right(one: JudgedFact) -> bool | None:
    """Return whether a verdict is right; None for one that takes no side."""
    if one.verdict.label not in _RIGHT.values():
        return None
    return one.verdict.label is _RIGHT[one.known.true]


def reliability(judged: Iterable[JudgedFact]) -> list[Bin]:
    sided = [(j.verdict.score, r) for j in judged if (r := right(j)) is not None]
    found = []
    for low, high in pairwise(_BINS):
        inside = [(s, r) for s, r in sided if low <= s < high or s == high == _BINS[-1]]
        said = sum(s for s, _ in inside) / len(inside) if inside else None
        found.append(Bin(low, high, said, Rate(sum(r for _, r in inside), len(inside))))
    return found


def _count(judged: Iterable[JudgedFact], label: Label) -> int:
    return sum(j.verdict.label is label for j in judged)
