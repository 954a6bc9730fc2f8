"""What is known of a place as the answer to a question: how near its sentences are, its words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from retrieval import tokenizer
from retrieval.index import BookIndex
from retrieval.telling.head import EMBEDDER
from retrieval.telling.sentence_table import Floats

if TYPE_CHECKING:
    from retrieval.asking.question_vectors import QuestionEncoder

NAMES: Final = (
    "nearest sentence",
    "second",
    "third",
    "mean of the sentences",
    "nearest passage",
    "before all others",
    "words beside the best",
    "words",
    "share of the words",
    "share of the words nearby",
    "sentences",
    "length",
)
_NEARBY: Final = 3
"""Passages before and after a place that are near it."""
_UNKNOWN: Final = 0.0
"""Nearness where there are no vectors of MiniLM."""
_ASKS: Final = 0.06
"""What a question in the book is less near; like the next, fitted on questions of train and dev novels."""
_SNATCH: Final = 0.05
"""The same for a very short sentence."""
_SNATCHED: Final = 5
"""Words from which a sentence is not very short."""
_LIKELIEST: Final = 400
"""Number of nearest sentences that are looked at."""
_LIKELIEST_PASSAGES: Final = 120
"""Number of passages with the words of a question whose sentences are looked at."""
_CLOSERS: Final = "\"'”’)"


class QuestionSigns:
    """A question beside the first passages of a book."""

    def __init__(
        self, index: BookIndex, question: str, names: Sequence[str], visible: int, *, meaning: bool
    ) -> None:
        """`names` are further names of the people in the question.

        Without `meaning` a sentence is as near as the share of the question's words that it has.
        """
        self._index = index
        self._lines = np.asarray(index.sentences)
        self._firsts = np.searchsorted(self._lines[:, 2], np.arange(visible + 1)).tolist()
        self._count: int = self._firsts[visible]
        terms = sorted(set(tokenizer.terms(question)))
        both = sorted({*terms, *tokenizer.terms(" ".join(names))})
        self._words = index.bm25.scores(both, visible=visible).astype(np.float32)
        self._most_words = max(float(self._words.max(initial=0.0)), 1e-6)
        self._has = np.zeros((len(terms), visible), bool)
        for n, term in enumerate(terms):
            self._has[n] = index.bm25.scores([term], visible=visible) > 0
        self._weights = np.log1p((visible - self._has.sum(1) + 0.5) / (self._has.sum(1) + 0.5))
        encoder = _encoder() if meaning else None
        self._vector = None if encoder is None else encoder(question)
        self.sentences: Floats = np.full(self._count, _UNKNOWN, np.float32)
        """How near each sentence is to the question."""
        if self._vector is not None:
            near = np.asarray(index.sentence_vectors[: self._count], np.float32) @ self._vector
            self.sentences = self._without_echoes(near)
        else:
            self._match_words(terms)
        self.nearest: Floats = np.full(visible, -1.0, np.float32)
        """How near the nearest sentence of each passage is."""
        np.maximum.at(self.nearest, self._lines[: self._count, 2], self.sentences)

    def _match_words(self, terms: Sequence[str]) -> None:
        every = max(float(self._weights.sum()), 1e-6)
        text = self._index.book.text
        for passage in np.argsort(-self._words, kind="stable")[:_LIKELIEST_PASSAGES].tolist():
            for row in range(self._firsts[passage], self._firsts[passage + 1]):
                said = set(tokenizer.terms(text[self._lines[row, 0] : self._lines[row, 1]]))
                has = np.array([term in said for term in terms], bool)
                self.sentences[row] = float(self._weights[has].sum()) / every

    def _without_echoes(self, near: Floats) -> Floats:
        """Take something from questions and snatches: they are like a question, and seldom answer it."""
        text = self._index.book.text
        for row in np.argsort(-near)[:_LIKELIEST].tolist():
            start, end, _ = self._lines[row].tolist()
            sentence = text[start:end]
            near[row] -= _ASKS * sentence.rstrip(_CLOSERS).endswith("?")
            near[row] -= _SNATCH * (len(sentence.split()) < _SNATCHED)
        return near

    @property
    def words(self) -> Floats:
        """Return how well the words of each passage fit, from 0 to 1."""
        found: Floats = self._words / self._most_words
        return found

    def of(self, first: int, last: int) -> list[float]:
        """Return the signs of the place from one passage to another."""
        a, b = self._firsts[first], self._firsts[last + 1]
        near = np.sort(self.sentences[a:b])[::-1]
        others = max(part.max(initial=-1.0) for part in (self.nearest[:first], self.nearest[last + 1 :]))
        words = float(self._words[first : last + 1].max())
        start, end = int(self._index.spans[first, 0]), int(self._index.spans[last, 1])
        around = slice(max(0, first - _NEARBY), last + 1 + _NEARBY)
        return [
            *(float(near[min(n, len(near) - 1)]) for n in range(3)),
            float(near.mean()),
            self._nearest_passage(first, last),
            float(near[0] - others),
            words / self._most_words,
            float(np.log1p(words)),
            self._share(slice(first, last + 1)),
            self._share(around),
            float(np.log1p(b - a)),
            float(np.log1p(end - start)),
        ]

    def _nearest_passage(self, first: int, last: int) -> float:
        if self._vector is None:
            return _UNKNOWN
        rows = self._index.dense.vectors(list(range(first, last + 1)))
        return float((rows @ self._vector).max())

    def _share(self, passages: slice) -> float:
        """Return the share of the question's words that some passages have; rare ones weigh more."""
        has = np.asarray(self._has[:, passages].any(1))
        return float(self._weights[has].sum() / max(float(self._weights.sum()), 1e-6))


def by_meaning(index: BookIndex, question: str) -> bool:
    """Whether the vectors are MiniLM's and tell how near a sentence is."""
    return index.embedder.startswith(EMBEDDER) and index.understands(question) and _encoder() is not None


def _encoder() -> QuestionEncoder | None:
    from retrieval.asking import question_vectors  # imports torch

    return question_vectors.shipped()
