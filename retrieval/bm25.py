"""BM25 over one book: `bm25s` scores for the whole book in Lucene's variant, exact statistics otherwise.

`bm25s` stores the final score of each term in each passage. That score includes how rare the term is in the
*whole* book and how long its passages are on average: both would reveal something of what comes later to a
gated reader. So the raw counts are stored beside the scores. Passages are in story order and so are the
postings of a term, hence the postings before the gate are a prefix of each list: the length of the prefix is
the term's document frequency so far, and scores are computed from it with the same arithmetic. A gated search
gives, to the bit, what an index of only that part of the book would give. The Okapi variant, and weights
among the passages of many books, are computed from the same counts.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from retrieval.bm25_statistics import FORMULAS, K1, B, Scores, TermStatistics, floor
from retrieval.mapped_arrays import ONE_AT_A_TIME, mapped
from retrieval.types import Bm25Formula

VERSION = 1

_COUNTS = "counts.npy"
_LENGTHS = "lengths.npy"


class Bm25:
    """An opened index; safe to search from many threads."""

    def __init__(self, model: Any, counts: NDArray[np.uint16], lengths: NDArray[np.int32]) -> None:
        # Plain arrays: each slice of a `memmap` creates another one, which takes longer than slicing.
        self._weights: NDArray[np.float32] = np.asarray(model.scores["data"])
        self._postings: NDArray[np.int32] = np.asarray(model.scores["indices"])
        self._bounds: NDArray[np.int64] = np.asarray(model.scores["indptr"])
        self._vocabulary: dict[str, int] = model.vocab_dict
        self._counts: NDArray[np.uint16] = np.asarray(counts)
        self._lengths: NDArray[np.int32] = np.asarray(lengths)
        self._total = np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))

    def __len__(self) -> int:
        return len(self._lengths)

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Map the index in `folder`; raises OSError or ValueError when its files are damaged."""
        library = _bm25s()
        with ONE_AT_A_TIME:
            model = library.BM25.load(folder, mmap=True, backend="numpy", show_progress=False)
        opened = cls(model, mapped(folder / _COUNTS), mapped(folder / _LENGTHS))
        opened._check(model.scores["num_docs"])
        return opened

    def _check(self, passages: int) -> None:
        shapes = (
            len(self._postings) == len(self._counts) == len(self._weights) == int(self._bounds[-1]),
            len(self._bounds) == len(self._vocabulary) + 1,
            passages == len(self._lengths),
        )
        if not all(shapes):
            raise ValueError("the files of the BM25 index do not fit each other")

    def top(
        self,
        terms: Sequence[str],
        k: int,
        *,
        visible: int,
        formula: Bm25Formula = Bm25Formula.LUCENE,
        among: TermStatistics | None = None,
    ) -> list[tuple[int, float]]:
        """Return the best `k` of the first `visible` passages, ties in story order; each shares a term.

        Passages with a score of zero or less are left out. With `okapi` these may be passages that share only
        terms that most passages contain. `rank_bm25` lists them beside passages that share none, or below
        them.
        """
        scores = self.scores(terms, visible=visible, formula=formula, among=among)
        found = np.flatnonzero(scores > 0)
        best = found[np.argsort(-scores[found], kind="stable")[: max(k, 0)]]
        return list(zip(best.tolist(), scores[best].tolist(), strict=True))

    def scores(
        self,
        terms: Sequence[str],
        *,
        visible: int,
        formula: Bm25Formula = Bm25Formula.LUCENE,
        among: TermStatistics | None = None,
    ) -> Scores:
        """Return a score for each of the first `visible` passages, with weights from them or from `among`."""
        known = [t for t in terms if t in self._vocabulary]
        weigh, precision = FORMULAS[formula]
        scores = np.zeros(visible, dtype=precision)
        if formula is Bm25Formula.LUCENE and among is None and visible == len(self):
            for term in known:
                held = self._held(term, visible)
                scores[self._postings[held]] += self._weights[held]
            return scores
        among = among or self.statistics(known, visible=visible, formula=formula)
        for term in known:
            held = self._held(term, visible)
            within = self._postings[held]
            if len(within):
                scores[within] += weigh(self._counts[held], self._lengths[within], among.holding[term], among)
        return scores

    def statistics(self, terms: Sequence[str], *, visible: int, formula: Bm25Formula) -> TermStatistics:
        """Return the statistics of the first `visible` passages that scoring `terms` needs."""
        held = (self._held(term, visible) for term in terms)
        return TermStatistics(
            passages=visible,
            words=int(self._total[visible]),
            holding={term: at.stop - at.start for term, at in zip(terms, held, strict=True)},
            floor=floor(self._holding(visible), visible) if formula is Bm25Formula.OKAPI else 0.0,
        )

    def holding(self, term: str, *, visible: int) -> NDArray[np.int32]:
        """Return which of the first `visible` passages have a term, in story order."""
        return self._postings[self._held(term, visible)]

    def census(self, visible: int) -> dict[str, int]:
        """Return how many of the first `visible` passages contain each term, in order of first appearance."""
        # The shorter one ends it: terms that have not appeared yet come last.
        return dict(zip(self._vocabulary, self._holding(visible).tolist(), strict=False))

    def _holding(self, visible: int) -> NDArray[np.int64]:
        """Return the numbers of `census` without the terms, which are numbered in order of appearance."""
        if visible == len(self):
            return np.diff(self._bounds)
        before = np.concatenate(([0], np.cumsum(self._postings < np.int32(visible))))
        held = np.diff(before[self._bounds])
        return held[held > 0]

    def _held(self, term: str, visible: int) -> slice:
        """Return the range of a term's postings in the first `visible` passages."""
        at = self._vocabulary.get(term)
        if at is None:
            return slice(0, 0)
        start, end = int(self._bounds[at]), int(self._bounds[at + 1])
        if visible < len(self):
            end = start + int(np.searchsorted(self._postings[start:end], np.int32(visible)))
        return slice(start, end)


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
    """Import `bm25s` late because it is slow, and reset its log.

    It sets the log to DEBUG, which gives no useful output.
    """
    import bm25s

    logging.getLogger("bm25s").setLevel(logging.WARNING)
    return bm25s


def _make_empty(model: Any, documents: int) -> None:
    """Write an empty index, because `bm25s` cannot index a book without a single term."""
    model.scores = {
        "data": np.zeros(0, np.float32),
        "indices": np.zeros(0, np.int32),
        "indptr": np.zeros(1, np.int64),
        "num_docs": documents,
    }
    model.vocab_dict = {}
    model.nonoccurrence_array = None


def _count(ids: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.uint16]]:
    """Return, for each term in turn, the documents that contain it, in order, and its frequency in each."""
    lengths = [len(document) for document in ids]
    term = np.fromiter(chain.from_iterable(ids), dtype=np.int64, count=sum(lengths))
    document = np.repeat(np.arange(len(ids), dtype=np.int64), lengths)
    packed, counts = np.unique((term << 32) | document, return_counts=True)
    return packed & 0xFFFFFFFF, np.minimum(counts, np.iinfo(np.uint16).max).astype(np.uint16)
