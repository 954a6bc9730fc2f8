"""FAISS against plain numpy, exact and approximate, with and without a gate."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import faiss
import numpy as np
import pytest

from retrieval import dense
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


@pytest.mark.parametrize("clusters", [40, 400])
def test_a_graph_finds_nearly_all_of_the_nearest(tmp_path: Path, clusters: int) -> None:
    """Sentences are not spread evenly: most are in clusters, which are hard for a graph."""
    rng = np.random.default_rng(clusters)
    places = rng.normal(size=(clusters, 32))[rng.integers(0, clusters, 4100)]
    every = (places + 0.3 * rng.normal(size=places.shape)).astype(np.float32)
    every /= np.linalg.norm(every, axis=1, keepdims=True)
    rows, questions = every[:4000], every[4000:]
    index = opened(rows, tmp_path / "dense.faiss", exact_limit=100)
    assert isinstance(index._index, faiss.IndexHNSW)
    hits = sum(
        len({i for i, _ in index.top(vector, 10, visible=4000)} & set(reference(rows, vector, 10)))
        for vector in questions
    )
    assert hits / (10 * len(questions)) >= 0.95


class OneGpu:
    """FAISS as if it had a GPU: the copy on the card is another index, and searches of it are counted."""

    StandardGpuResources = Mock

    def __init__(self, *, gpus: int = 1, full: bool = False) -> None:
        self.gpus, self.full, self.searches = gpus, full, 0

    def __getattr__(self, name: str) -> object:
        return getattr(faiss, name)

    def get_num_gpus(self) -> int:
        return self.gpus

    def index_cpu_to_gpu(self, resources: Mock, card: int, rows: faiss.IndexFlatIP) -> object:
        resources.setTempMemory.assert_called_once()
        if self.full:
            raise RuntimeError("out of memory")
        copy = faiss.clone_index(rows)

        def search(vector: Vectors, k: int) -> object:
            self.searches += 1
            return copy.search(vector, k)

        return SimpleNamespace(search=search)


@pytest.fixture
def with_gpu(monkeypatch: pytest.MonkeyPatch) -> Callable[[OneGpu], OneGpu]:
    def use(gpu: OneGpu) -> OneGpu:
        monkeypatch.setattr("retrieval.dense._faiss", lambda: gpu)
        dense._gpu_resources.cache_clear()
        return gpu

    return use


@pytest.mark.parametrize("exact_limit", [50_000, 100])
def test_with_a_gpu_an_open_search_is_done_there(
    tmp_path: Path, with_gpu: Callable[[OneGpu], OneGpu], exact_limit: int
) -> None:
    rows, gpu = unit(3000), with_gpu(OneGpu())
    index = opened(rows, tmp_path / "dense.faiss", exact_limit=exact_limit)
    vector = unit(1, seed=4)[0]
    assert [i for i, _ in index.top(vector, 10, visible=3000)] == reference(rows, vector, 10)
    assert gpu.searches == 1
    # A gated search, and one that exceeds the card's limit, do not use it.
    assert [i for i, _ in index.top(vector, 10, visible=50)] == reference(rows[:50], vector, 10)
    assert len(index.top(vector, 2500, visible=3000)) > 1000
    assert gpu.searches == 1


@pytest.mark.parametrize("gpu", [OneGpu(gpus=0), OneGpu(full=True)])
def test_without_room_on_a_gpu_the_search_is_done_here(
    tmp_path: Path, with_gpu: Callable[[OneGpu], OneGpu], gpu: OneGpu
) -> None:
    rows, vector = unit(200), unit(1, seed=5)[0]
    with_gpu(gpu)
    index = opened(rows, tmp_path / "dense.faiss")
    assert [i for i, _ in index.top(vector, 10, visible=200)] == reference(rows, vector, 10)
    assert gpu.searches == 0


@pytest.mark.skipif(
    not hasattr(faiss, "StandardGpuResources") or faiss.get_num_gpus() < 1, reason="needs a GPU and its FAISS"
)
def test_a_real_gpu_finds_the_same(tmp_path: Path) -> None:
    rows = unit(5000, dimension=384)
    index = opened(rows, tmp_path / "dense.faiss")
    for vector in unit(20, dimension=384, seed=6):
        found = index.top(vector, 10, visible=5000)
        assert [i for i, _ in found] == reference(rows, vector, 10)
        assert [s for _, s in found] == pytest.approx(np.sort(rows @ vector)[::-1][:10], abs=1e-4)


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
    assert [i for i, _ in index.top(rows[0], 2, visible=5)] == [0, 1]
    assert [i for i, _ in index.top(rows[0], 2, visible=4)] == [0, 1]


def test_ties_at_the_cut_are_in_story_order(tmp_path: Path) -> None:
    some = np.array([[1, 0], [0.6, 0.8]], dtype=np.float32)
    rows = some[np.random.default_rng(7).integers(0, 2, 300)]
    index = opened(rows, tmp_path / "dense.faiss")
    for visible, k in ((300, 9), (300, 250), (200, 9), (200, 150)):
        found = [i for i, _ in index.top(some[0], k, visible=visible)]
        assert found == np.argsort(-(rows[:visible] @ some[0]), kind="stable")[:k].tolist()


def test_rows_come_back_as_they_were(tmp_path: Path) -> None:
    rows = unit(9)
    index = opened(rows, tmp_path / "dense.faiss")
    assert np.array_equal(index.vectors([3, 7]), rows[[3, 7]])
    assert (len(index), index.dimension) == (9, 16)
