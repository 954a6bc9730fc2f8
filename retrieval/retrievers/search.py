"""What all retrievers share: a ranker puts passages in order, `Search` makes an answer of them.

A ranker sees only the first `visible` passages, so the gate holds before anything is ranked. The answer is
cut to `k` and the token budget, told how often the characters are mentioned, and put in the order asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from coref.types import Annotations
from retrieval.index import BookIndex
from retrieval.protocols import CountTokens
from retrieval.types import Order, Passage, Query

CHARACTERS_PER_TOKEN = 4
"""English, roughly: for when the writer's own tokenizer is not given."""
SPARE = 4
"""Times `k` passages are ranked under a token budget, to fill the place of those that are too long."""


@dataclass(frozen=True, slots=True)
class Hit:
    index: int
    score: float
    sources: tuple[str, ...]


class Ranker(Protocol):
    def rank(self, query: Query, *, limit: int, visible: int) -> Sequence[Hit]:
        """At most `limit` of the first `visible` passages, best first."""
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
        self._count_tokens = count_tokens or rough_tokens

    @property
    def name(self) -> str:
        return self._name

    def search(self, query: Query) -> list[Passage]:
        visible = self._index.visible(query.upto)
        if query.k <= 0 or not visible:
            return []
        limit = min(query.k if query.token_budget is None else SPARE * query.k, visible)
        hits = self._ranker.rank(query, limit=limit, visible=visible)
        postings = self._index.postings(self._annotations)
        mentions = postings.counts(query.characters, visible=visible, upto=query.upto)
        passages = (
            replace(
                self._index.passages[hit.index],
                score=hit.score,
                sources=hit.sources,
                mentions=int(mentions[hit.index]),
            )
            for hit in hits
        )
        return _ordered(self._within_budget(passages, query), query.order)

    def _within_budget(self, passages: Iterable[Passage], query: Query) -> list[Passage]:
        """The best that fit together; one that is too long makes room for the next."""
        chosen: list[Passage] = []
        left = query.token_budget
        for passage in passages:
            if len(chosen) == query.k or (left is not None and left <= 0):
                break
            if left is not None:
                cost = self._count_tokens(passage.text)
                if cost > left:
                    continue
                left -= cost
            chosen.append(passage)
        return chosen


def rough_tokens(text: str) -> int:
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def wanted(query: Query, annotations: Annotations) -> list[str]:
    """The question's own text, or else the names that the characters have been called so far."""
    if query.text.strip():
        return [query.text]
    chosen = [c for c in annotations.characters if c.id in query.characters]
    aliases = (alias for character in chosen for alias in character.aliases)
    return [
        alias.text for alias in aliases if query.upto is None or alias.first + len(alias.text) <= query.upto
    ]


def _ordered(passages: list[Passage], order: Order) -> list[Passage]:
    if order is Order.STORY:
        return sorted(passages, key=lambda p: p.index)
    return sorted(passages, key=lambda p: (-p.score, p.index))
