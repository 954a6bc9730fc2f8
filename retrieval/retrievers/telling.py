"""`telling`: the passages whose sentences say most about who the characters are, by a trained head."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from coref.types import Annotations
from retrieval.index import BookIndex
from retrieval.retrievers.search import RankedHit, ranked
from retrieval.telling.sentences import scored
from retrieval.types import Query


class TellingRanker:
    def __init__(self, *, index: BookIndex, annotations: Annotations) -> None:
        self._index = index
        self._annotations = annotations

    def rank(self, query: Query, *, limit: int, visible: int) -> Sequence[RankedHit]:
        """Rank passages by the sum of what their sentences are worth; of several people, by the best."""
        worth = np.zeros(visible)
        for character in query.characters:
            candidates, scores = scored(self._index, self._annotations, character, upto=query.upto)
            passage = self._index.sentences[candidates.sentences, 2]
            summed = np.bincount(passage, np.exp(scores[:, 0].astype(np.float64)), minlength=visible)
            worth = np.maximum(worth, summed[:visible])
        order = np.lexsort((np.arange(visible), -worth))
        return ranked("telling", ((int(i), float(worth[i])) for i in order[:limit] if worth[i] > 0))
