"""Inter-annotator agreement beyond chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence


def cohen(one: Sequence[Hashable], other: Sequence[Hashable]) -> float | None:
    """Return Cohen's kappa of two annotators; None where chance alone would make them agree."""
    if len(one) != len(other):
        raise ValueError(f"{len(one)} labels are compared with {len(other)}")
    if not one:
        return None
    count = len(one)
    observed = sum(a == b for a, b in zip(one, other, strict=True)) / count
    mine, theirs = Counter(one), Counter(other)
    expected = sum(mine[label] * theirs[label] for label in mine) / count**2
    return _beyond(observed, expected)


def weighted(one: Sequence[int], other: Sequence[int]) -> float | None:
    """Return Cohen's kappa of two raters with quadratic weights; None where it has no meaning."""
    if len(one) != len(other):
        raise ValueError(f"{len(one)} ratings are compared with {len(other)}")
    if not one:
        return None
    observed = sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) / len(one)
    expected = sum((a - b) ** 2 for a in one for b in other) / len(one) ** 2
    return 1 - observed / expected if expected else None


def fleiss(labels: Sequence[Sequence[Hashable]]) -> float | None:
    """Return Fleiss' kappa for the labels of each item: the same number for each, and at least two."""
    if not labels:
        return None
    raters = len(labels[0])
    if raters < 2 or any(len(row) != raters for row in labels):
        raise ValueError("every item needs the same number of labels, at least two")
    counts = [Counter(row) for row in labels]
    pairs = raters * (raters - 1)
    observed = sum(sum(n * (n - 1) for n in c.values()) / pairs for c in counts) / len(labels)
    all_together = sum(counts, Counter[Hashable]())
    every = raters * len(labels)
    expected = sum((n / every) ** 2 for n in all_together.values())
    return _beyond(observed, expected)


def _beyond(observed: float, expected: float) -> float | None:
    return (observed - expected) / (1 - expected) if expected < 1 else None
