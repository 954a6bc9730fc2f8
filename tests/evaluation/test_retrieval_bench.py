"""The calculations of `make bench-retrieval`, and all of it once with a handful of paragraphs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import retrieval, retrieval_asking, retrieval_dense, retrieval_lexical, texts, timing
from benchmarks.retrieval import Measured, goals, tables
from benchmarks.retrieval_embedding import Embedding
from retrieval.registry import RETRIEVERS

PARAGRAPHS = 60


@pytest.fixture(scope="module")
def some() -> list[str]:
    return texts.marked(texts.load([texts.NOVELLA]), PARAGRAPHS)


def test_paragraphs_are_repeated_and_all_differ() -> None:
    assert texts.marked("one\n\n\n\ntwo", 5) == ["one", "two", "one [2]", "two [2]", "one [3]"]
    assert texts.marked("one\n\ntwo", 1) == ["one"]


def test_questions_are_terms_of_a_paragraph_and_the_same_each_time() -> None:
    documents = [["a", "b", "a"], [], ["c", "d", "e", "f"]]
    asked = retrieval_lexical.questions(documents, 10)
    assert asked == retrieval_lexical.questions(documents, 10)
    assert len(asked) == 10
    assert all(len(set(q)) == len(q) > 0 for q in asked)
    assert all(set(q) <= {"a", "b"} or set(q) <= {"c", "d", "e", "f"} for q in asked)


def test_bm25_beside_the_others(some: list[str]) -> None:
    found = retrieval_lexical.measure(some, queries=10)
    assert found.paragraphs == PARAGRAPHS
    assert list(found.engines) == ["ours", "rank_bm25", "bm25s"]
    assert found.same == 1, "plain bm25s gives the same scores"
    assert found.engines["ours"].slower == 1
    assert all(min(e.build, e.bytes, e.open.median, e.query.median) > 0 for e in found.engines.values())
    assert found.engines["rank_bm25"].query.runs == 10


def test_the_slow_one_is_asked_less(some: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrieval_lexical, "_SLOWEST", 3 * PARAGRAPHS)
    found = retrieval_lexical.measure(some, queries=10).engines
    assert (found["rank_bm25"].query.runs, found["ours"].query.runs) == (3, 10)


def test_vectors_beside_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    found = retrieval_dense.measure(PARAGRAPHS, queries=4)
    assert (found.exact, found.found, found.query.runs) == (True, 1, 4)
    rows = retrieval_dense.vectors(10)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)
    assert retrieval_dense.brute(rows, rows[3])[0] == 3


def test_every_retriever_is_asked_with_and_without_a_gate(some: list[str]) -> None:
    found = retrieval_asking.measure(some, runs=1)
    assert list(found.queries) == [name + gate for name in RETRIEVERS for gate in ("", ", gated")]
    assert {spread.runs for spread in found.queries.values()} == {
        retrieval_asking.PEOPLE * len(retrieval_asking.QUESTIONS)
    }
    assert found.index_bytes > 0


def test_what_is_met_and_what_not() -> None:
    embedding = Embedding(10, "cpu", "float32", 1.0, 2.4, 2.4, 1.0, 2.4, 0.0001, 0.0001)
    [speed, error] = goals(Measured("", (), (), embedding, None, None))
    assert (speed.found, speed.goal, speed.met) == (2.4, ">= 2.5", False)
    assert (error.goal, error.met) == ("< 0.001", True)
    assert [table.row_count for table in tables(Measured("", (), (), embedding, None, None))] == [2]


def _here(work: Callable[..., Any], *arguments: object) -> Any:
    return work(*arguments)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_all_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def save(name: str, result: Any) -> Path:
        return keep(name, result, folder=tmp_path)

    def near(work: Callable[..., Any], *arguments: object) -> Any:
        """Run in this process: only what measures its own memory needs another."""
        return (alone if work is retrieval.open_books else _here)(work, *arguments)

    keep, alone = timing.save, retrieval._alone
    monkeypatch.setattr(timing, "save", save)
    monkeypatch.setattr(retrieval, "_alone", near)
    sizes = [
        "--sizes",
        "40",
        "--embedded",
        "6",
        "--asked",
        "40",
        "--runs",
        "1",
        "--books",
        "2",
        "--shelved",
        "40",
    ]
    retrieval.main([*sizes, "--resolver", "rules"])
    result = json.loads((tmp_path / "retrieval.json").read_text("utf-8"))["result"]
    assert "novella" in result["source"]
    assert [part["paragraphs"] for part in result["lexical"]] == [40]
    assert result["embedding"]["error"] < 1e-3
    assert result["open_books"]["kept"] >= 2
    assert result["open_books"]["asked"]["resident"] >= result["open_books"]["opened"]["resident"] > 0
    names = [goal["name"] for goal in result["goals"]]
    assert "2 open books, MiB" in names
    assert "BM25, times as fast as rank_bm25 at 40" in names
    assert "Questions at" in capsys.readouterr().out
