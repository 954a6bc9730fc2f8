"""BM25 against the formula itself, and the gate against an index of only the beginning."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.bm25 import K1, B, Bm25, build

WORDS = ["ann", "tom", "bee", "hill", "rain", "wall"]
documents = st.lists(st.lists(st.sampled_from(WORDS), max_size=8), min_size=1, max_size=12)
question = st.lists(st.sampled_from([*WORDS, "nowhere"]), max_size=4)


def reference(docs: list[list[str]], query: list[str]) -> list[float]:
    """Lucene's variant, word for word from Kamphuis and others (2020)."""
    n = len(docs)
    average = sum(map(len, docs)) / n
    scores = []
    for doc in docs:
        total = 0.0
        for term in query:
            tf, df = doc.count(term), sum(term in d for d in docs)
            if tf:
                idf = math.log(1 + (n - df + 0.5) / (df + 0.5))
                total += idf * tf / (tf + K1 * (1 - B + B * len(doc) / average))
        scores.append(total)
    return scores


def opened(docs: list[list[str]], folder: Path) -> Bm25:
    build(docs, folder)
    return Bm25.open(folder)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bm25")


@given(docs=documents, query=question)
def test_scores_are_the_formula(docs: list[list[str]], query: list[str], scratch: Path) -> None:
    scores = opened(docs, scratch).scores(query, visible=len(docs))
    assert scores.tolist() == pytest.approx(reference(docs, query), rel=1e-5)


@given(docs=documents, query=question, data=st.data())
def test_gated_scores_are_those_of_the_beginning_alone(
    docs: list[list[str]], query: list[str], data: st.DataObject, scratch: Path
) -> None:
    visible = data.draw(st.integers(1, len(docs)))
    gated = opened(docs, scratch / "whole").scores(query, visible=visible)
    alone = opened(docs[:visible], scratch / "part").scores(query, visible=visible)
    assert np.array_equal(gated, alone)


def test_later_passages_would_have_changed_the_score(scratch: Path) -> None:
    """Or else the test above would prove nothing."""
    docs = [["ann", "bee"], ["tom"], ["ann"], ["ann"], ["ann"]]
    index = opened(docs, scratch)
    assert index.scores(["ann"], visible=2)[0] != index.scores(["ann"], visible=5)[0]


def test_ties_are_in_story_order_and_zeros_are_left_out(scratch: Path) -> None:
    index = opened([["tom"], ["bee"], ["tom"], ["tom"]], scratch)
    assert [i for i, _ in index.top(["tom"], 10, visible=4)] == [0, 2, 3]
    assert [i for i, _ in index.top(["tom"], 2, visible=4)] == [0, 2]
    assert index.top(["nowhere"], 10, visible=4) == []
    assert index.top([], 10, visible=4) == []
    assert index.top(["tom"], -1, visible=4) == []


def test_a_book_without_any_term_has_an_index_too(scratch: Path) -> None:
    assert opened([[], []], scratch).top(["tom"], 3, visible=2) == []
    assert opened([], scratch).top(["tom"], 3, visible=0) == []


def test_files_that_do_not_fit_are_refused(scratch: Path) -> None:
    build([["tom"], ["bee"]], scratch)
    np.save(scratch / "counts.npy", np.zeros(5, np.uint16))
    with pytest.raises(ValueError, match="do not fit"):
        Bm25.open(scratch)
