"""`lead` and `random`: the baselines that a retriever has to beat."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from retrieval.retrievers.search import RankedHit, ranked
from retrieval.types import Query


class LeadRanker:
    """Ranks the story from its beginning."""

    def rank(self, query: Query, *, limit: int, visible: int) -> Sequence[RankedHit]:  # noqa: ARG002
        return ranked("lead", ((i, 1 / (1 + i)) for i in range(min(limit, visible))))


class RandomRanker:
    """Draws passages with the question's seed: the same seed over the same stretch gives the same ones."""

    def rank(self, query: Query, *, limit: int, visible: int) -> Sequence[RankedHit]:
        drawn = np.random.default_rng(query.seed).permutation(visible)[:limit]
        return ranked("random", ((int(i), 1 / (1 + at)) for at, i in enumerate(drawn)))
