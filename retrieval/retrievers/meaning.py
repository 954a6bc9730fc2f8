"""`dense`: passages with a meaning near the question, or near the characters' names."""

from __future__ import annotations

from collections.abc import Sequence

from coref.types import Annotations
from retrieval.errors import IndexStale
from retrieval.index import BookIndex
from retrieval.protocols import Embedder
from retrieval.retrievers.search import RankedHit, ranked, wanted
from retrieval.types import Query


class DenseRanker:
    def __init__(self, *, index: BookIndex, annotations: Annotations, embedder: Embedder) -> None:
        self._index = index
        self._annotations = annotations
        self._embedder = embedder

    def rank(self, query: Query, *, limit: int, visible: int) -> Sequence[RankedHit]:
        same_model(self._index, self._embedder)
        texts = wanted(query, self._annotations)
        if not texts:
            return []
        vector = self._embedder.embed([", ".join(texts)])[0]
        return ranked("dense", self._index.dense.top(vector, limit, visible=visible))


def same_model(index: BookIndex, embedder: Embedder) -> None:
    """Raise IndexStale unless the question is embedded by the index's model."""
    made, asked = index.embedder, embedder.name
    if made != asked:
        raise IndexStale(f"The index was made with `{made}`, the question with `{asked}`.")
