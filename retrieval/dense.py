"""Nearest passages by meaning: FAISS, exact up to 50,000 passages and HNSW above.

Under a gate the search is always exact and covers only the passages before it: they are the first ones, so an
id range inside FAISS selects them, and k results are k results. An HNSW graph would also work, but its links
were drawn through vectors that the reader has not reached yet.

With a GPU and the build of FAISS for it, an ungated search is exact at any size: the plain vectors are copied
to the GPU.
"""

from __future__ import annotations

import logging
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import Any, Self

import numpy as np

from retrieval.protocols import Vectors

VERSION = 1
EXACT_LIMIT = 50_000
LINKS = 32
_EFFORT = 128
"""Minimum number of nodes that an HNSW search keeps in view."""
_GPU_MOST = 2048
"""Maximum number of results that FAISS returns on a GPU."""
_GPU_SCRATCH = 64 << 20
"""Bytes; by default FAISS would take a large part of the card."""
_GPU_LOCK = Lock()
"""FAISS objects on a card may be used by one thread at a time."""

_log = logging.getLogger(__name__)


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

    def __init__(self, index: Any, rows: Any, on_gpu: Any = None) -> None:
        self._index = index
        self._rows = rows
        """The plain vectors, which are also the bottom layer of an HNSW graph."""
        self._on_gpu = on_gpu
        """A copy of the vectors on a GPU, if there is one."""

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
        return cls(index, rows, _copied_to_gpu(rows))

    def top(self, vector: Vectors, k: int, *, visible: int) -> list[tuple[int, float]]:
        """Return the best `k` of the first `visible` passages with positive scores, ties in story order."""
        k = min(k, visible)
        if k <= 0:
            return []
        question = np.ascontiguousarray(vector.reshape(1, -1), dtype=np.float32)
        asked = min(k + 1, visible)
        scores, ids = self._search(question, asked, visible)
        # FAISS keeps any of the results that are equal at the cut, so all of them are requested.
        while asked < visible and scores[0][-1] == scores[0][k - 1] > 0:
            asked = min(2 * asked, visible)
            scores, ids = self._search(question, asked, visible)
        found = [(int(i), float(s)) for i, s in zip(ids[0], scores[0], strict=True) if i >= 0 and s > 0]
        return sorted(found, key=lambda hit: (-hit[1], hit[0]))[:k]

    def _search(self, vector: Vectors, k: int, visible: int) -> tuple[Vectors, Any]:
        faiss = _faiss()
        if visible < len(self):
            within = faiss.IDSelectorRange(0, visible)
            answer = self._rows.search(vector, k, params=faiss.SearchParameters(sel=within))
        elif self._on_gpu is not None and k <= _GPU_MOST:
            with _GPU_LOCK:
                answer = self._on_gpu.search(vector, k)
        elif self._index is self._rows:
            answer = self._rows.search(vector, k)
        else:
            effort = faiss.SearchParametersHNSW(efSearch=max(_EFFORT, 2 * k))
            answer = self._index.search(vector, k, params=effort)
        return answer[0], answer[1]

    def vectors(self, ids: list[int]) -> Vectors:
        rows: Vectors = self._rows.reconstruct_batch(np.asarray(ids, dtype=np.int64))
        return rows


def _copied_to_gpu(rows: Any) -> Any:
    """Return None without a GPU, without the FAISS for it, or when the card is full."""
    faiss = _faiss()
    if not hasattr(faiss, "StandardGpuResources") or faiss.get_num_gpus() < 1:
        return None
    try:
        with _GPU_LOCK:
            return faiss.index_cpu_to_gpu(_gpu_resources(), 0, rows)
    except RuntimeError:
        _log.warning("An index does not fit on the GPU; it is searched without one.")
        return None


@cache
def _gpu_resources() -> Any:
    resources = _faiss().StandardGpuResources()
    resources.setTempMemory(_GPU_SCRATCH)
    return resources


def _faiss() -> Any:
    """Import FAISS late because it is slow; untyped, because its stubs lack what is used here."""
    return import_module("faiss")
