"""`bm25`: passages that share terms with the question, or with the characters' names and aliases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from coref.types import Annotations
from retrieval.index import BookIndex
from retrieval.retrievers.search import RankedHit, ranked, wanted
from retrieval.tokenizer import terms
from retrieval.types import Bm25Formula, Query


class Bm25Ranker:
    def __init__(
        self, *, index: BookIndex, annotations: Annotations, formula: Bm25Formula = Bm25Formula.LUCENE
    ) -> None:
        self._index = index
        self._annotations = annotations
        self._formula = formula

    def rank(self, query: Query, *, limit: int, visible: int) -> Sequence[RankedHit]:
        texts = wanted(query, self._annotations)
        asked = distinct_terms(texts)
        found = self._index.bm25.top(asked, limit, visible=visible, formula=self._formula)
        return ranked("bm25", found)


def distinct_terms(texts: Iterable[str]) -> list[str]:
    """Return each term once: a family name is in every alias and would outweigh the given name."""
    return list(dict.fromkeys(chain.from_iterable(map(terms, texts))))
