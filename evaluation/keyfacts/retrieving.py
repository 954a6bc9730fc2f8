"""The share of the key facts' quotations that a retriever finds among the first passages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from evaluation.keyfacts.examples import NovelExamples, TellingExample
from retrieval.telling.sentence_table import Floats, Ints
from retrieval.types import Category

DEPTHS: Final = (20, 60)
NEVER: Final = 1_000_000
Score = Callable[[TellingExample], Floats]
"""Scores the candidates of an example: one column for all, and one for each category."""


@dataclass(frozen=True, slots=True)
class QuotationRanks:
    """For each quotation, the rank of the best passage that holds a part of it, from 0; by category."""

    by_category: Mapping[Category, tuple[int, ...]]
    lost: int
    """Quotations of people who are no character of the annotations."""

    @property
    def every(self) -> tuple[int, ...]:
        return tuple(rank for ranks in self.by_category.values() for rank in ranks)

    def share(self, depth: int, category: Category | None = None) -> float:
        """Return the share of the quotations within the first passages; those of lost people are missed."""
        ranks = self.every if category is None else self.by_category.get(category, ())
        whole = len(ranks) + (self.lost if category is None else 0)
        return sum(rank < depth for rank in ranks) / whole if whole else 0.0


def ranks(novels: Iterable[NovelExamples], score: Score) -> QuotationRanks:
    found: dict[Category, list[int]] = defaultdict(list)
    lost = 0
    for novel in novels:
        lost += sum(quotations for _, quotations in novel.lost)
        for example in novel.people:
            order = _passage_ranks(example, score(example)[:, 0], int(novel.passage_of[-1]) + 1)
            for quotation in example.quotations:
                touched = novel.passage_of[quotation.first : quotation.end]
                best = min((int(order[p]) for p in touched), default=NEVER)
                found[list(Category)[quotation.category]].append(best)
    return QuotationRanks({category: tuple(ranks) for category, ranks in found.items()}, lost)


def _passage_ranks(example: TellingExample, scores: Floats, passages: int) -> Ints:
    """Return the rank of each passage by the sum of what its sentences are worth, as `telling` ranks them."""
    worth = np.bincount(example.passages, np.exp(scores.astype(np.float64)), minlength=passages)
    order = np.lexsort((np.arange(passages), -worth))
    placed = np.full(passages, NEVER)
    placed[order] = np.arange(passages)
    return np.where(worth > 0, placed, NEVER)
