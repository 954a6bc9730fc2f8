"""FAISS against plain numpy, exact and approximate, gated and not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from retrieval.dense import Dense, build
from retrieval.protocols import Vectors


def unit(count: int, *, dimension: int = 16, seed: int = 0) -> Vectors:
    rows = np.random.default_rng(seed).normal(size=(count, dimension)).astype(np.float32)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


def reference(rows: Vectors, vector: Vectors, k: int) -> list[int]:
    scores = rows @ vector
    return [int(i) for i in np.argsort(-scores)[:k] if scores[i] > 0]


def opened(rows: Vectors, path: Path, *, exact_limit: int = 50_000) -> Dense:
    build(rows, path, exact_limit=exact_limit)
    return Dense.open(path)


@pytest.mark.parametrize("visible", [1, 37, 200])
def test_exact_search_is_a_sorted_product(tmp_path: Path, visible: int) -> None:
    rows = unit(200)
    index = opened(rows, tmp_path / "dense.faiss")
    for vector in unit(5, seed=1):
        found = [i for i, _ in index.top(vector, 10, visible=visible)]
        assert found == reference(rows[:visible], vector, 10)


def test_a_gated_search_in_a_graph_is_exact_and_full(tmp_path: Path) -> None:
    rows = unit(600)
    index = opened(rows, tmp_path / "dense.faiss", exact_limit=100)
    for vector in unit(5, seed=2):
        found = [i for i, _ in index.top(vector, 10, visible=50)]
        assert found == reference(rows[:50], vector, 10)


def test_a_graph_finds_most_of_the_nearest(tmp_path: Path) -> None:
    rows = unit(600)
    index = opened(rows, tmp_path / "dense.faiss", exact_limit=100)
    for vector in unit(5, seed=3):
        found = {i for i, _ in index.top(vector, 10, visible=600)}
        assert len(found & set(reference(rows, vector, 10))) >= 9


def test_k_is_clamped_and_opposites_are_left_out(tmp_path: Path) -> None:
    rows = np.array([[1, 0], [-1, 0], [0.6, 0.8]], dtype=np.float32)
    index = opened(rows, tmp_path / "dense.faiss")
    assert [i for i, _ in index.top(rows[0], 99, visible=3)] == [0, 2]
    assert index.top(rows[0], 0, visible=3) == []
    assert index.top(rows[0], 5, visible=0) == []


def test_ties_are_in_story_order(tmp_path: Path) -> None:
    rows = np.tile(np.array([[1, 0]], dtype=np.float32), (5, 1))
    index = opened(rows, tmp_path / "dense.faiss")
    assert [i for i, _ in index.top(rows[0], 5, visible=5)] == [0, 1, 2, 3, 4]


def test_rows_come_back_as_they_were(tmp_path: Path) -> None:
    rows = unit(9)
    index = opened(rows, tmp_path / "dense.faiss")
    assert np.array_equal(index.vectors([3, 7]), rows[[3, 7]])
    assert (len(index), index.dimension) == (9, 16)
