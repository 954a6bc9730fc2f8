"""`mentions`: every passage in which the characters are mentioned or speak; of too many, the most salient.

Salient are a first appearance, a mention by name and not only "she", a description ("was a"), a word of
kinship near by, and speaking. Then the choice is spread over the story, so that its end is represented too,
and near-duplicates of a chosen passage are skipped.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from coref.types import Annotations
from retrieval.index import BookIndex
from retrieval.postings import Ints, Signs
from retrieval.retrievers.packing import CHARACTERS_PER_TOKEN
from retrieval.retrievers.search import RankedHit, ranked
from retrieval.types import Query

Floats = NDArray[np.float64]

STRETCHES = 20
"""Number of parts of the story that each get a share of the choice."""
SAME = 0.97
"""Cosine from which two passages count as the same."""


class MentionRanker:
    def __init__(self, *, index: BookIndex, annotations: Annotations) -> None:
        self._index = index
        self._annotations = annotations

    def rank(self, query: Query, *, limit: int, visible: int) -> Sequence[RankedHit]:
        postings = self._index.postings(self._annotations)
        signs = postings.signs(query.characters, visible=visible, upto=query.upto)
        candidates = np.flatnonzero(signs.presence)
        telling = salience(signs)
        aim = self._aim(query, candidates)
        order = spread(candidates, telling[candidates], aim=aim, visible=visible)
        if len(order) > aim:
            order = self._repeats_last(order, aim)
        return ranked("mentions", ((int(i), float(telling[i])) for i in order[:limit]))

    def _aim(self, query: Query, candidates: Ints) -> int:
        """Return about how many passages the answer will have."""
        if query.token_budget is None or not len(candidates):
            return query.k
        starts, ends = self._index.spans[candidates].T
        typical = float(np.mean(ends - starts)) / CHARACTERS_PER_TOKEN
        return max(1, min(query.k, int(query.token_budget / max(typical, 1.0))))

    def _repeats_last(self, order: Ints, aim: int) -> Ints:
        """Return the first `aim` without near-duplicates; those come last, for when nothing else is left."""
        looked_at = order[: 3 * aim]
        vectors = self._index.dense.vectors(looked_at.tolist())
        chosen: list[int] = []
        repeats: list[int] = []
        for at, vector in enumerate(vectors):
            if len(chosen) == aim:
                break
            same = chosen and float((vectors[chosen] @ vector).max()) >= SAME
            (repeats if same else chosen).append(at)
        rest = np.delete(order, chosen + repeats)
        return np.concatenate((looked_at[chosen], rest, looked_at[repeats]))


def salience(signs: Signs) -> Floats:
    """Return how salient each passage is."""
    return (
        np.log1p(signs.proper)
        + 0.7 * np.log1p(signs.nominal)
        + 0.3 * np.log1p(signs.pronoun)
        + np.log1p(signs.described)
        + 0.6 * np.log1p(signs.related)
        + 0.4 * np.log1p(signs.spoken)
        + 4.0 * signs.firsts
    )


def spread(candidates: Ints, telling: Floats, *, aim: int, visible: int) -> Ints:
    """Order the candidates by salience, which is discounted for each better one in the same stretch."""
    stretch = candidates * STRETCHES // max(visible, 1)
    best_first = np.lexsort((candidates, -telling))
    rank = np.empty(len(candidates), dtype=np.float64)
    for part in range(STRETCHES):
        mine = best_first[stretch[best_first] == part]
        rank[mine] = np.arange(len(mine))
    share = max(aim / STRETCHES, 1.0)
    worth = telling / (1 + rank / share)
    return candidates[np.lexsort((candidates, -worth))]
