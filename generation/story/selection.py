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


WORTH, ALONE = 0.45, 0.75
"""Worth, and probability of being understood alone, from which a quotation is shown; docs/quality.md."""
_AT_LEAST = 2
"""Number of quotations that a text shows even if they are worth less."""
_FITS = 0.5
"""Weight of how much of what a quotation tells is of the categories."""
_NEAR = 0.7
"""What each quotation of a chapter takes from the scores of the next."""
_ALIKE = 0.4
"""The same for a category, where none is wanted."""
_SURE = 2.0
"""Weight of the certainty beside the rest of a quotation's worth: wrong is worse than trivial."""
_LEAST = 1e-6
_TERMS_KEPT = 4096


def worth_showing(said: Sequence[Quotation]) -> list[Quotation]:
    """Return the quotations that are worth it, or the best that there are."""
    shown = [q for q in said if good(q)]
    if len(shown) >= _AT_LEAST:
        return shown
    few = sorted(said, key=lambda q: -q.worth)[:_AT_LEAST]
    return sorted(few, key=lambda q: q.citation.span)


def good(quotation: Quotation) -> bool:
    return quotation.worth >= WORTH and quotation.alone >= ALONE


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
    """Whether two quotations share a place, or most of their words but names."""
    if one.citation.span.overlaps(other.citation.span):
        return True
    mine, theirs = _terms(one.text), _terms(other.text)
    return len(mine & theirs) >= _SAME * max(1, min(len(mine), len(theirs)))


@lru_cache(maxsize=_TERMS_KEPT)
def _terms(text: str) -> frozenset[str]:
    return frozenset(terms(" ".join(word for word in text.split() if not word[0].isupper())))


def worth(quotation: Quotation, wanted: Sequence[Category] = (), chosen: Sequence[Quotation] = ()) -> float:
    """Return what a quotation is worth beside those chosen, and for these categories if any: a logarithm."""
    near = sum(quotation.citation.chapter == other.citation.chapter for other in chosen)
    alike = sum(quotation.category is other.category for other in chosen) if not wanted else 0
    sure = (_SURE - 1) * math.log(max(quotation.certainty, _LEAST))
    fits = _FITS * math.log(_share(quotation, wanted)) if wanted else 0.0
    return math.log(max(quotation.worth, _LEAST)) + sure + fits - _NEAR * near - _ALIKE * alike


def _share(quotation: Quotation, wanted: Sequence[Category]) -> float:
    """Return how much of what a quotation tells is of the categories."""
    tells = {category: math.exp(score) for category, score in quotation.by_category.items()}
    return sum(tells[category] for category in wanted) / sum(tells.values())
