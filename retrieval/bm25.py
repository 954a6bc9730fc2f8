"""BM25 in Lucene's variant, over one book: `bm25s` for the whole of it, exact prefix statistics under a gate.

`bm25s` stores the finished score of each term in each passage, which bakes in how rare the term is in the
*whole* book and how long its passages are on average: both would tell a gated reader something of what
comes later. So the plain counts are kept beside the scores. Passages are in story order and so are the
postings of a term, hence what lies before the gate is a prefix of each posting list: its length is the
term's document frequency so far, and scores are computed from that with the same arithmetic. A gated search
gives, to the bit, what an index of only that part of the book would give.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

VERSION = 1
K1 = 1.5
B = 0.75

Scores = NDArray[np.float32]

_COUNTS = "counts.npy"
_LENGTHS = "lengths.npy"


class Bm25:
    """An opened index; safe to search from many threads."""

    def __init__(self, model: Any, counts: NDArray[np.uint16], lengths: NDArray[np.int32]) -> None:
        self._model = model
        self._postings: NDArray[np.int32] = model.scores["indices"]
        self._bounds: NDArray[np.int64] = model.scores["indptr"]
        self._vocabulary: dict[str, int] = model.vocab_dict
        self._counts = counts
        self._lengths = lengths
        self._total = np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))

    def __len__(self) -> int:
        return len(self._lengths)

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Map the index in `folder`; raises OSError or ValueError when its files are damaged."""
        model = _bm25s().BM25.load(folder, mmap=True, backend="numpy", show_progress=False)
        counts = np.load(folder / _COUNTS, mmap_mode="r", allow_pickle=False)
        lengths = np.load(folder / _LENGTHS, mmap_mode="r", allow_pickle=False)
        opened = cls(model, counts, lengths)
        opened._check()
        return opened

    def _check(self) -> None:
        scores = self._model.scores["data"]
        shapes = (
            len(self._postings) == len(self._counts) == len(scores) == int(self._bounds[-1]),
            len(self._bounds) == len(self._vocabulary) + 1,
            self._model.scores["num_docs"] == len(self._lengths),
        )
        if not all(shapes):
            raise ValueError("the files of the BM25 index do not fit each other")

    def top(self, terms: Sequence[str], k: int, *, visible: int) -> list[tuple[int, float]]:
        """The best `k` of the first `visible` passages, ties in story order, none that shares no term."""
        scores = self.scores(terms, visible=visible)
        found = np.flatnonzero(scores > 0)
        best = found[np.lexsort((found, -scores[found]))][: max(k, 0)]
        return [(int(i), float(scores[i])) for i in best]

    def scores(self, terms: Sequence[str], *, visible: int) -> Scores:
        """One score for each of the first `visible` passages."""
        known = [self._vocabulary[t] for t in terms if t in self._vocabulary]
        if not known:
            return np.zeros(visible, dtype=np.float32)
        if visible == len(self):
            whole: Scores = self._model.get_scores_from_ids(known)
            return whole
        return self._prefix_scores(known, visible)

    def _prefix_scores(self, known: Sequence[int], visible: int) -> Scores:
        scores = np.zeros(visible, dtype=np.float32)
        for term in known:
            start, end = int(self._bounds[term]), int(self._bounds[term + 1])
            end = start + int(np.searchsorted(self._postings[start:end], visible))
            if start < end:
                within = self._postings[start:end]
                scores[within] += self._weights(within, self._counts[start:end], visible)
        return scores

    def _weights(self, within: NDArray[np.int32], counts: NDArray[np.uint16], visible: int) -> Scores:
        """Each step in the precision that `bm25s` uses, so that the sums are equal and not just close."""
        average = self._total[visible] / visible
        frequency = counts.astype(np.float32)
        share = frequency / (K1 * ((1 - B) + B * self._lengths[within] / average) + frequency)
        rarity = np.float32(math.log(1 + (visible - len(within) + 0.5) / (len(within) + 0.5)))
        weights: Scores = (rarity * share).astype(np.float32)
        return weights


def build(documents: Sequence[Sequence[str]], folder: Path) -> None:
    """Write the index of `documents`, each a list of terms, into `folder`."""
    vocabulary = {term: i for i, term in enumerate(dict.fromkeys(chain.from_iterable(documents)))}
    ids = [[vocabulary[term] for term in document] for document in documents]
    model = _bm25s().BM25(method="lucene", k1=K1, b=B, backend="numpy", csc_backend="numpy")
    if vocabulary:
        model.index((ids, vocabulary), create_empty_token=False, show_progress=False)
    else:
        _make_empty(model, len(documents))
    postings, counts = _count(ids)
    if not np.array_equal(postings, model.scores["indices"]):
        raise RuntimeError("bm25s keeps its postings in another order than story order")
    model.save(folder, show_progress=False)
    np.save(folder / _COUNTS, counts, allow_pickle=False)
    np.save(folder / _LENGTHS, np.fromiter(map(len, ids), dtype=np.int32, count=len(ids)), allow_pickle=False)


def _bm25s() -> Any:
    """Imported late, for it is heavy; it sets its own log to DEBUG, which says nothing of use."""
    import bm25s

    logging.getLogger("bm25s").setLevel(logging.WARNING)
    return bm25s


def _make_empty(model: Any, documents: int) -> None:
    """`bm25s` cannot index a book without a single term."""
    model.scores = {
        "data": np.zeros(0, np.float32),
        "indices": np.zeros(0, np.int32),
        "indptr": np.zeros(1, np.int64),
        "num_docs": documents,
    }
    model.vocab_dict = {}
    model.nonoccurrence_array = None


def _count(ids: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.uint16]]:
    """For each term in turn: the documents that hold it, in order, and how often."""
    lengths = [len(document) for document in ids]
    term = np.fromiter(chain.from_iterable(ids), dtype=np.int64, count=sum(lengths))
    document = np.repeat(np.arange(len(ids), dtype=np.int64), lengths)
    packed, counts = np.unique((term << 32) | document, return_counts=True)
    return packed & 0xFFFFFFFF, np.minimum(counts, np.iinfo(np.uint16).max).astype(np.uint16)
