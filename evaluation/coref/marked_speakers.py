"""Measures who speaks, by quotations of which readers said who utters them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from books.types import Span
from coref.types import Annotations
from evaluation.coref.tallies import Sums
from evaluation.coref.teller_parts import speaker_at
from evaluation.corpus.speakers import MarkedQuotation


@dataclass(frozen=True, slots=True)
class QuotationScore(Sums):
    quotations: int = 0
    right: int = 0
    nobody: int = 0
    """Those for which no speaker is named."""


def score_speakers(
    marked: Iterable[MarkedQuotation], annotations: Annotations, people: Mapping[str, str]
) -> QuotationScore:
    """`people` are the characters by the keys of the cast."""
    said = [
        (people.get(each.who, ""), speaker_at(Span(each.start, each.start + 1), annotations))
        for each in marked
    ]
    right = sum(meant == found for meant, found in said)
    return QuotationScore(len(said), right, sum(found is None for _, found in said))
