"""The retriever `telling`: the best passages about the characters first, and none behind the gate."""

from __future__ import annotations

import math

from coref.types import Annotations
from retrieval.index import BookIndex
from retrieval.protocols import Embedder
from retrieval.registry import make_retriever
from retrieval.telling.sentences import scored
from retrieval.types import Order, Query


def test_passages_come_by_the_sum_of_their_sentences(
    index: BookIndex, annotations: Annotations, embedder: Embedder
) -> None:
    retriever = make_retriever("telling", index=index, annotations=annotations, embedder=embedder)
    found = retriever.search(Query(characters=("tom",), k=50, order=Order.SCORE))
    candidates, scores = scored(index, annotations, "tom", upto=None)
    worth: dict[int, float] = {}
    for sentence, row in zip(candidates.sentences.tolist(), scores.tolist(), strict=True):
        passage = int(index.sentences[sentence, 2])
        worth[passage] = worth.get(passage, 0.0) + math.exp(row[0])
    assert [p.index for p in found] == sorted(worth, key=lambda n: (-worth[n], n))
    assert retriever.search(Query(characters=("tom",), k=2, order=Order.SCORE)) == found[:2]


def test_of_several_people_the_best_counts(
    index: BookIndex, annotations: Annotations, embedder: Embedder
) -> None:
    retriever = make_retriever("telling", index=index, annotations=annotations, embedder=embedder)
    both = {p.index for p in retriever.search(Query(characters=("tom", "ann"), k=50))}
    each = [{p.index for p in retriever.search(Query(characters=(who,), k=50))} for who in ("tom", "ann")]
    assert both == each[0] | each[1]


def test_the_gate(index: BookIndex, annotations: Annotations, embedder: Embedder) -> None:
    retriever = make_retriever("telling", index=index, annotations=annotations, embedder=embedder)
    upto = index.book.end_of_chapter(1)
    found = retriever.search(Query(characters=("ann",), k=50, upto=upto))
    assert found
    assert all(passage.span.end <= upto for passage in found)


def test_nobody(index: BookIndex, annotations: Annotations, embedder: Embedder) -> None:
    retriever = make_retriever("telling", index=index, annotations=annotations, embedder=embedder)
    assert not retriever.search(Query(text="garden", k=5))
    assert not retriever.search(Query(characters=("nobody",), k=5))
