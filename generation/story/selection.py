"""Choose quotations: those that say most, and none that repeats another."""

from __future__ import annotations

from collections.abc import Iterable

from generation.story.quotation import Quotation
from retrieval.tokenizer import terms
from retrieval.types import Category

_SAME = 0.5
"""Share of the shorter one's words in common from which two quotations say the same."""


def best(said: Iterable[Quotation], category: Category, most: int) -> list[Quotation]:
    """Return the quotations that say most in a category, best first, each different from those before it."""
    ranked = sorted(said, key=lambda q: (-q.by_category[category], q.citation.span.start))
    return distinct(ranked, most)


def distinct(ranked: Iterable[Quotation], most: int) -> list[Quotation]:
    """Return the first quotations that do not repeat one before them."""
    chosen: list[Quotation] = []
    for quotation in ranked:
        if len(chosen) == most:
            break
        if not any(repeats(quotation, other) for other in chosen):
            chosen.append(quotation)
    return chosen


def repeats(one: Quotation, other: Quotation) -> bool:
    """Whether two quotations share a place, or most of their words."""
    if one.citation.span.overlaps(other.citation.span):
        return True
    mine, theirs = set(terms(one.text)), set(terms(other.text))
    return len(mine & theirs) >= _SAME * max(1, min(len(mine), len(theirs)))
