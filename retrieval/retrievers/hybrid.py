"""`hybrid`: several rankings merged by reciprocal rank fusion (Cormack and others, 2009)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from retrieval.retrievers.search import RankedHit, Ranker
from retrieval.types import Finding, Query

RANK_CONSTANT = 60
DEPTH = 100
"""Minimum depth to which each ranking counts."""


class HybridRanker:
    """Gives a passage 1 / (60 + rank) for each ranking that contains it."""

    def __init__(self, rankers: Sequence[Ranker]) -> None:
        self._rankers = tuple(rankers)

    def rank(self, query: Query, *, limit: int, visible: int) -> Sequence[RankedHit]:
        depth = min(max(limit, DEPTH), visible)
        rankings = (ranker.rank(query, limit=depth, visible=visible) for ranker in self._rankers)
        hits = [hit for ranking in rankings for hit in ranking]
        return fused(hits, limit=limit)


def fused(hits: Iterable[RankedHit], *, limit: int) -> list[RankedHit]:
    """Fuse several concatenated rankings; each hit keeps its sources and ranks."""
    findings: defaultdict[int, tuple[Finding, ...]] = defaultdict(tuple)
    for hit in hits:
        findings[hit.index] += hit.findings
    scores = {i: sum(1 / (RANK_CONSTANT + f.rank) for f in found) for i, found in findings.items()}
    best = sorted(scores, key=lambda i: (-scores[i], i))[:limit]
    return [RankedHit(i, scores[i], findings[i]) for i in best]
