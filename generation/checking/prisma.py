"""Compute PRISMA: the share of an answer's facts that the book supports, in total and by category."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from generation.types import Category, Fact, Label, Prisma

NOT_CHECKED: Final = "Not checked: too few of the facts could be judged for a score."


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
        decided=sum(f.label is not Label.UNCERTAIN for f in facts),
    )


def doubted_sentences(facts: Iterable[Fact]) -> dict[int, Label]:
    """Return the sentences with a fact that the book does not bear out, each with the worst such label."""
    found: dict[int, Label] = {}
    for fact in facts:
        if fact.label is Label.CONTRADICTED:
            found[fact.claim.sentence] = fact.label
        elif fact.label is Label.UNSUPPORTED:
            found.setdefault(fact.claim.sentence, fact.label)
    return found


def notes(prisma: Prisma) -> tuple[str, ...]:
    """Return a note where facts were found but too few of them could be judged."""
    return (NOT_CHECKED,) if prisma.facts and not prisma.checked else ()
