"""BM25 against the formula itself and `rank_bm25`, and the gate against an index of only the beginning."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from retrieval.bm25 import Bm25, build
from retrieval.bm25_statistics import K1, B
from retrieval.types import Bm25Formula

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


@settings(max_examples=50)
@given(docs=documents, query=question)
def test_scores_are_the_formula(docs: list[list[str]], query: list[str], scratch: Path) -> None:
    scores = opened(docs, scratch).scores(query, visible=len(docs))
    assert scores.tolist() == pytest.approx(reference(docs, query), rel=1e-5)


@settings(max_examples=50)
@given(docs=documents.filter(any), query=question, data=st.data())
def test_okapi_is_rank_bm25(
    docs: list[list[str]], query: list[str], data: st.DataObject, scratch: Path
) -> None:
    """Equal to the bit, so that its ties are ties; and under a gate as well."""
    visible = data.draw(st.integers(1, len(docs)).filter(lambda n: any(docs[:n])))
    index = opened(docs, scratch)
    oracle = BM25Okapi(docs[:visible]).get_scores(query)
    scores = index.scores(query, visible=visible, formula=Bm25Formula.OKAPI)
    assert scores.tolist() == oracle.tolist()
    ranked = [int(i) for i in np.argsort(-oracle, kind="stable") if oracle[i] > 0]
    found = index.top(query, len(docs), visible=visible, formula=Bm25Formula.OKAPI)
    assert found == [(i, float(oracle[i])) for i in ranked]


def test_okapi_gives_common_terms_a_share_of_the_average_weight(scratch: Path) -> None:
    docs = [["ann", "bee"], ["ann", "tom"], ["ann", "hill"], ["rain"], ["wall"]]
    index = opened(docs, scratch)
    okapi = index.top(["ann"], 9, visible=5, formula=Bm25Formula.OKAPI)
    assert [i for i, _ in okapi] == [0, 1, 2]
    average = (5 * math.log(4.5 / 1.5) + math.log(2.5 / 3.5)) / 6
    assert okapi[0][1] == pytest.approx(0.25 * average * 2.5 / (1 + K1 * (1 - B + B * 2 / 1.6)))
    assert okapi[0][1] != pytest.approx(index.top(["ann"], 9, visible=5)[0][1])


def test_okapi_leaves_out_what_weighs_nothing(scratch: Path) -> None:
    """A term in one passage of two has weight zero; in all, less: `rank_bm25` ranks that below no match."""
    index = opened([["ann", "bee"], ["ann"]], scratch)
    assert BM25Okapi([["ann", "bee"], ["ann"]]).get_scores(["ann"]).max() < 0
    assert index.top(["bee"], 9, visible=2, formula=Bm25Formula.OKAPI) == []
    assert index.top(["ann"], 9, visible=2, formula=Bm25Formula.OKAPI) == []


@pytest.mark.parametrize("formula", Bm25Formula)
@settings(max_examples=30)
@given(docs=documents, query=question, data=st.data())
def test_gated_scores_are_those_of_the_beginning_alone(
    formula: Bm25Formula, docs: list[list[str]], query: list[str], data: st.DataObject, scratch: Path
) -> None:
    visible = data.draw(st.integers(1, len(docs)))
    gated = opened(docs, scratch / "whole").scores(query, visible=visible, formula=formula)
    alone = opened(docs[:visible], scratch / "part").scores(query, visible=visible, formula=formula)
    assert np.array_equal(gated, alone)


@pytest.mark.parametrize("formula", Bm25Formula)
def test_later_passages_would_have_changed_the_score(formula: Bm25Formula, scratch: Path) -> None:
    """Otherwise the test above would prove nothing."""
    docs = [["ann", "bee"], ["tom"], ["hill"], ["ann"], ["rain"], ["ann"]]
    index = opened(docs, scratch)
    few, all_ = (index.scores(["ann"], visible=visible, formula=formula)[0] for visible in (3, 6))
    assert few != all_


@pytest.mark.parametrize("formula", Bm25Formula)
@settings(max_examples=20)
@given(docs=documents, more=documents, query=question)
def test_weighed_among_two_books_is_weighed_in_one(
    formula: Bm25Formula, docs: list[list[str]], more: list[list[str]], query: list[str], scratch: Path
) -> None:
    one, other = opened(docs, scratch / "one"), opened(more, scratch / "other")
    both = opened(docs + more, scratch / "both")
    among = both.statistics(query, visible=len(both), formula=formula)
    whole = both.scores(query, visible=len(both), formula=formula)
    parts = [index.scores(query, visible=len(index), formula=formula, among=among) for index in (one, other)]
    assert np.array_equal(np.concatenate(parts), whole)
    assert both.statistics(query, visible=len(one), formula=formula) == one.statistics(
        query, visible=len(one), formula=formula
    )


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
