"""Choose quotations: those that say most, and none that repeats another."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache

from generation.story.quotation import Quotation
from retrieval.tokenizer import terms
from retrieval.types import Category

_CONSIDERED = 40
"""Number of quotations that are compared for a choice over the whole story."""
_SAME = 0.5
"""Share of the shorter one's words in common from which two quotations say the same."""


WHO = (Category.ROLE, Category.RELATIONSHIP)
"""The categories that say who somebody is."""
_ALL = 1.0
"""Weight of what a quotation tells over all, beside what it tells in its category."""
_NEAR = 0.7
"""What each quotation of a chapter takes from the scores of the next."""
_HEARD = 0.7
"""What a quotation is worth less if a character says it."""
_NAMED, _SURE = 0.6, 4.0
"""What a name is worth, and the logarithm of the certainty."""
_TERMS_KEPT = 4096


def best(
    said: Iterable[Quotation], category: Category, most: int, chosen: Sequence[Quotation] = ()
) -> list[Quotation]:
    """Return the quotations that say most in a category, best first, each different from those before it."""
    ranked = sorted(said, key=lambda q: (-worth(q, (category,), chosen), q.citation.span.start))
    return distinct(ranked, most)


def spread(said: Iterable[Quotation], category: Category, most: int) -> list[Quotation]:
    """Return the quotations that say most in a category, spread over the chapters."""
    rest, chosen = best(said, category, _CONSIDERED), list[Quotation]()
    while rest and len(chosen) < most:
        chosen.append(max(rest, key=lambda q: worth(q, (category,), chosen)))
        rest.remove(chosen[-1])
    return chosen


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
    mine, theirs = _terms(one.text), _terms(other.text)
    return len(mine & theirs) >= _SAME * max(1, min(len(mine), len(theirs)))


@lru_cache(maxsize=_TERMS_KEPT)
def _terms(text: str) -> frozenset[str]:
    return frozenset(terms(text))


def worth(quotation: Quotation, wanted: Sequence[Category], chosen: Sequence[Quotation] = ()) -> float:
    """Return what a quotation is worth: what it tells in these categories, and how surely of the person."""
    near = sum(quotation.citation.chapter == other.citation.chapter for other in chosen)
    heard = _HEARD if quotation.speaker is not None else 0.0
    sure = (_NAMED if quotation.named else 0.0) + _SURE * math.log(max(quotation.certainty, 1e-3))
    tells = max(quotation.by_category[c] for c in wanted) + _ALL * quotation.score
    return tells - _NEAR * near - heard + sure
