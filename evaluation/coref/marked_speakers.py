"""Measures who speaks, by quotations of which readers said who utters them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from coref.types import Annotations
from evaluation.coref.tallies import Sums
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
    speakers = {quote.span.start: quote.speaker for quote in annotations.quotes}
    said = [(people.get(each.who, ""), speakers.get(each.start)) for each in marked]
    right = sum(meant == found for meant, found in said)
    return QuotationScore(len(said), right, sum(found is None for _, found in said))
