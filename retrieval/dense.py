"""Nearest passages by meaning: FAISS, exact up to 50,000 passages and HNSW above.

Under a gate the search is always exact and only over the passages before it: they are the first ones, so an
id range inside FAISS selects them, and k results are k results. An HNSW graph would also do, but its links
were drawn through vectors that the reader has not come to yet.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any, Self

import numpy as np

from retrieval.protocols import Vectors

VERSION = 1
EXACT_LIMIT = 50_000
LINKS = 32
_EFFORT = 128
"""How many nodes an HNSW search keeps in view, at least."""


def build(vectors: Vectors, path: Path, *, exact_limit: int = EXACT_LIMIT) -> None:
    """Write an inner-product index of unit rows; above `exact_limit` rows it is an HNSW graph."""
    faiss = _faiss()
    count, dimension = vectors.shape
    if count <= exact_limit:
        index = faiss.IndexFlatIP(dimension)
    else:
        index = faiss.IndexHNSWFlat(dimension, LINKS, faiss.METRIC_INNER_PRODUCT)
    index.add(np.ascontiguousarray(vectors, dtype=np.float32))
    faiss.write_index(index, str(path))


class Dense:
    """An opened index; safe to search from many threads."""

    def __init__(self, index: Any, rows: Any) -> None:
        self._index = index
        self._rows = rows
        """The plain vectors, which are also the ground floor of an HNSW graph."""

    def __len__(self) -> int:
        return int(self._index.ntotal)

    @property
    def dimension(self) -> int:
        return int(self._index.d)

    @classmethod
    def open(cls, path: Path) -> Self:
        """Map the index at `path`; raises RuntimeError when FAISS cannot read it."""
        faiss = _faiss()
        index = faiss.read_index(str(path), faiss.IO_FLAG_MMAP_IFC)
        rows = faiss.downcast_index(index.storage) if isinstance(index, faiss.IndexHNSW) else index
        return cls(index, rows)

    def top(self, vector: Vectors, k: int, *, visible: int) -> list[tuple[int, float]]:
        """The best `k` of the first `visible` passages, ties in story order, none that points away."""
        k = min(k, visible)
        if k <= 0:
            return []
        scores, ids = self._search(np.ascontiguousarray(vector.reshape(1, -1), dtype=np.float32), k, visible)
        found = [(int(i), float(s)) for i, s in zip(ids[0], scores[0], strict=True) if i >= 0 and s > 0]
        return sorted(found, key=lambda hit: (-hit[1], hit[0]))

    def _search(self, vector: Vectors, k: int, visible: int) -> tuple[Vectors, Any]:
        faiss = _faiss()
        if visible < len(self):
            within = faiss.IDSelectorRange(0, visible)
            answer = self._rows.search(vector, k, params=faiss.SearchParameters(sel=within))
        elif self._index is self._rows:
            answer = self._rows.search(vector, k)
        else:
            effort = faiss.SearchParametersHNSW(efSearch=max(_EFFORT, 2 * k))
            answer = self._index.search(vector, k, params=effort)
        return answer[0], answer[1]

    def vectors(self, ids: list[int]) -> Vectors:
        rows: Vectors = self._rows.reconstruct_batch(np.asarray(ids, dtype=np.int64))
        return rows


def _faiss() -> Any:
    """Imported late, for it is heavy; untyped, for its type stubs leave out what is used here."""
    return import_module("faiss")
