"""The common part of all retrievers: a ranker orders passages, and `Search` makes an answer of them.

A ranker sees only the first `visible` passages, so the gate applies before anything is ranked. The answer is
cut to `k` and the token budget, extended by neighbours, annotated with how often the characters are
mentioned, and put in the requested order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from coref.types import Annotations
from retrieval.index import BookIndex
from retrieval.protocols import CountTokens
from retrieval.retrievers.packing import SPARE, Budget, beside, choose
from retrieval.types import Finding, Order, Passage, Query


@dataclass(frozen=True, slots=True)
class RankedHit:
    index: int
    score: float
    findings: tuple[Finding, ...]


class Ranker(Protocol):
    def rank(self, query: Query, *, limit: int, visible: int) -> Sequence[RankedHit]:
        """Return at most `limit` of the first `visible` passages, best first."""
        ...


class Search:
    """A retriever: a ranker and what is done with its ranking."""

    def __init__(
        self,
        name: str,
        ranker: Ranker,
        *,
        index: BookIndex,
        annotations: Annotations,
        count_tokens: CountTokens | None = None,
    ) -> None:
        self._name = name
        self._ranker = ranker
        self._index = index
        self._annotations = annotations
        self._count_tokens = count_tokens

    @property
    def name(self) -> str:
        return self._name

    def search(self, query: Query) -> list[Passage]:
        with self._index.reading():
            return self._answer(query)

    def _answer(self, query: Query) -> list[Passage]:
        visible = self._index.visible(query.upto)
        if query.k <= 0 or not visible:
            return []
        limit = min(query.k if query.token_budget is None else SPARE * query.k, visible)
        hits = self._ranker.rank(query, limit=limit, visible=visible)
        postings = self._index.postings(self._annotations)
        mentions = postings.counts(query.characters, visible=visible, upto=query.upto)

        def at(index: int) -> Passage | None:
            if not 0 <= index < visible:
                return None
            return replace(self._index.passages[index], mentions=int(mentions[index]))

        budget = Budget(query.token_budget, self._count_tokens)
        passages = (
            replace(passage, score=hit.score, findings=hit.findings)
            for hit in hits
            if (passage := at(hit.index))
        )
        found = choose(passages, query.k, budget)
        taken = {passage.index for _, passage in found}
        groups = [
            (find, beside(find, rank, query.neighbours, at=at, taken=taken, budget=budget))
            for rank, find in found
        ]
        return _ordered(groups, query.order)


def ranked(source: str, scored: Iterable[tuple[int, float]]) -> list[RankedHit]:
    """Return the hits of one ranking, best first."""
    return [
        RankedHit(index, score, (Finding(source, score, rank),))
        for rank, (index, score) in enumerate(scored, start=1)
    ]


def wanted(query: Query, annotations: Annotations) -> list[str]:
    """Return the question's own text, or else the names used for the characters so far."""
    if query.text.strip():
        return [query.text]
    chosen = [c for c in annotations.characters if c.id in query.characters]
    aliases = (alias for character in chosen for alias in character.aliases)
    return [
        alias.text for alias in aliases if query.upto is None or alias.first + len(alias.text) <= query.upto
    ]


def _ordered(groups: Iterable[tuple[Passage, list[Passage]]], order: Order) -> list[Passage]:
    """Return passages in story order; or finds by score, each with its neighbours before and after it."""
    best_first = sorted(groups, key=lambda g: (-g[0].score, g[0].index))
    passages = [p for find, near in best_first for p in sorted((find, *near), key=lambda p: p.index)]
    return sorted(passages, key=lambda p: p.index) if order is Order.STORY else passages
