"""Ways to find the places that answer a question: Bookworm's, and those that it is compared with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from coref.types import Annotations
from evaluation.asking.measuring import Finder
from retrieval.asking.places import answering_places, around, found_places, place_at
from retrieval.index import BookIndex
from retrieval.protocols import Embedder
from retrieval.registry import make_retriever
from retrieval.types import AnsweringPlace, Order, Query

_PLACES = 12
_ASKED: Final = ("bm25", "dense", "hybrid")


def finders(embedder: Embedder) -> Mapping[str, Finder]:
    ranked = {name: _of_retriever(name, embedder) for name in _ASKED}
    return {**ranked, "nearest": _nearest, "asking": _asking}


def _nearest(index: BookIndex, question: str, upto: int | None) -> Sequence[AnsweringPlace]:
    return found_places(index, question, upto=upto, most=_PLACES)[0]


def _asking(index: BookIndex, question: str, upto: int | None) -> Sequence[AnsweringPlace]:
    return answering_places(index, question, upto=upto)


def _of_retriever(name: str, embedder: Embedder) -> Finder:
    nobody = Annotations(resolver="", characters=(), mentions=(), quotes=())

    def find(index: BookIndex, question: str, upto: int | None) -> Sequence[AnsweringPlace]:
        retriever = make_retriever(name, index=index, annotations=nobody, embedder=embedder)
        query = Query(text=question, k=10 * _PLACES, upto=upto, order=Order.SCORE)
        return list(_grown([p.index for p in retriever.search(query)], index, upto))

    return find


def _grown(passages: Sequence[int], index: BookIndex, upto: int | None) -> Iterator[AnsweringPlace]:
    """Yield places around the passages, as Bookworm shows them."""
    visible = index.visible(upto)
    taken = np.zeros(visible, bool)
    count = 0
    for passage in passages:
        if count < _PLACES and not taken[passage]:
            first, last = around(index, passage, visible)
            taken[first : last + 1] = True
            count += 1
            yield place_at(index, first, last)
