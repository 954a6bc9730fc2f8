"""Nearest vectors by the number of paragraphs: ours (FAISS: exact, a graph above 50,000) and plain numpy.

The vectors are not embeddings, for which 200,000 paragraphs would take minutes: they are random unit vectors
about as near to each other as a novel's paragraphs are, scattered around a thousand centres.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks import timing
from benchmarks.timing import Spread
from retrieval import dense
from retrieval.protocols import Vectors

K = 80
QUERIES = 100
DIMENSION = 384
_CENTRES = 1_000
_SCATTER = 1.0


@dataclass(frozen=True, slots=True)
class Nearest:
    paragraphs: int
    exact: bool
    build: float
    bytes: int
    open: Spread
    query: Spread
    gated: Spread
    """With a gate at half of the book, where the search is always exact."""
    numpy: Spread
    """The product with all rows, mapped from a file, and the best results."""
    found: float
    """The share of the nearest vectors that ours finds."""


def measure(paragraphs: int, *, queries: int = QUERIES) -> Nearest:
    rows = vectors(paragraphs + queries)
    rows, asked = rows[:paragraphs], rows[paragraphs:]
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "dense.faiss"
        dense.build(asked[:1], path)  # loads FAISS, which is not part of building
        building = timing.timed(lambda: dense.build(rows, path)).median
        np.save(Path(scratch) / "rows.npy", rows)
        opening = timing.timed(lambda: dense.Dense.open(path), runs=10)
        index = dense.Dense.open(path)
        plain = np.load(Path(scratch) / "rows.npy", mmap_mode="r")
        index.top(asked[0], K, visible=paragraphs)
        brute(plain, asked[0])
        truth = [brute(plain, vector) for vector in asked]
        found = [{i for i, _ in index.top(vector, K, visible=paragraphs)} for vector in asked]
        right = sum(len(ours & set(them)) for ours, them in zip(found, truth, strict=True))
        return Nearest(
            paragraphs=paragraphs,
            exact=paragraphs <= dense.EXACT_LIMIT,
            build=building,
            bytes=path.stat().st_size,
            open=opening,
            query=_spread(lambda v: index.top(v, K, visible=paragraphs), asked),
            gated=_spread(lambda v: index.top(v, K, visible=paragraphs // 2), asked),
            numpy=_spread(lambda v: brute(plain, v), asked),
            found=round(right / max(1, sum(map(len, truth))), 4),
        )


def vectors(count: int) -> Vectors:
    drawn = np.random.default_rng(0)
    centres = drawn.standard_normal((_CENTRES, DIMENSION), dtype=np.float32)
    rows = drawn.standard_normal((count, DIMENSION), dtype=np.float32) * np.float32(_SCATTER)
    rows += centres[drawn.integers(_CENTRES, size=count)]
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


def brute(rows: Vectors, vector: Vectors) -> list[int]:
    scores = rows @ vector
    k = min(K, len(scores))
    best = np.argpartition(-scores, k - 1)[:k]
    return [int(i) for i in best[np.lexsort((best, -scores[best]))] if scores[i] > 0]


def _spread(ask: Callable[[Vectors], object], asked: Vectors) -> Spread:
    return timing.spread([timing.timed(partial(ask, vector)).median for vector in asked])
