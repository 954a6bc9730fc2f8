"""`hybrid`: several rankings made one by reciprocal rank fusion (Cormack and others, 2009)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from retrieval.retrievers.search import Hit, Ranker
from retrieval.types import Query

RANK_CONSTANT = 60
_DEPTH = 100
"""How far down each ranking counts, at least."""


class HybridRanker:
    """A passage gains 1 / (60 + rank) from each ranking it stands in."""

    def __init__(self, rankers: Sequence[Ranker]) -> None:
        self._rankers = tuple(rankers)

    def rank(self, query: Query, *, limit: int, visible: int) -> Sequence[Hit]:
        depth = min(max(limit, _DEPTH), visible)
        scores: defaultdict[int, float] = defaultdict(float)
        sources: defaultdict[int, tuple[str, ...]] = defaultdict(tuple)
        for ranker in self._rankers:
            for rank, hit in enumerate(ranker.rank(query, limit=depth, visible=visible), start=1):
                scores[hit.index] += 1 / (RANK_CONSTANT + rank)
                sources[hit.index] += hit.sources
        best = sorted(scores, key=lambda i: (-scores[i], i))[:limit]
        return [Hit(i, scores[i], sources[i]) for i in best]
