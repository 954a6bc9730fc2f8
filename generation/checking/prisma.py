"""Compute PRISMA: the share of an answer's facts that the book supports, in total and by category."""

from __future__ import annotations

from collections.abc import Sequence

from generation.types import Category, Fact, Label, Prisma


def score(facts: Sequence[Fact]) -> Prisma:
    by_category: dict[Category, tuple[int, int]] = {}
    for category in Category:
        verdicts = [f.label for f in facts if f.claim.category is category]
        if verdicts:
            by_category[category] = (verdicts.count(Label.SUPPORTED), len(verdicts))
    return Prisma(
        facts=len(facts),
        supported=sum(supported for supported, _ in by_category.values()),
        by_category=by_category,
        overruled=sum(f.overruled is not None for f in facts),
    )
