"""How central a sentence is to a text: PageRank over the cosines of the sentences, like TextRank."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retrieval.protocols import Vectors

DAMPING = 0.85
_ROUNDS = 100
_CLOSE = 1e-6


def centrality(vectors: Vectors) -> NDArray[np.float64]:
    """Return the share of each sentence; they sum to 1. Opposite sentences do not vote for one another."""
    count = len(vectors)
    if not count:
        return np.zeros(0)
    weights = np.maximum(vectors @ vectors.T, 0.0)
    np.fill_diagonal(weights, 0.0)
    totals = weights.sum(1, keepdims=True, dtype=np.float32)
    alone = totals[:, 0] == 0
    weights /= np.where(totals == 0, 1, totals)
    rank = np.full(count, 1 / count)
    for _ in range(_ROUNDS):
        spread = weights.T @ rank + rank[alone].sum() / count
        following = (1 - DAMPING) / count + DAMPING * spread
        done = float(np.abs(following - rank).sum()) < _CLOSE
        rank = following
        if done:
            break
    return np.asarray(rank, dtype=np.float64)
