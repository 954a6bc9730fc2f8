"""ROUGE-1, -2 and -L: the words, the bigrams and the longest common subsequence of two texts.

Words, stems and counts are those of `rouge-score`, like those of most published figures; Chinese is split by
jieba. Only the longest common subsequence is our own: the package fills a table of one text's words by the
other's, which does not fit in memory when both are long.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib.metadata import version
from typing import TYPE_CHECKING

from evaluation.metrics.errors import MetricUnavailable
from evaluation.metrics.tokens import words_of
from evaluation.metrics.types import MetricSample, Scores
from retrieval.tokenizer import has_han

if TYPE_CHECKING:
    from rouge_score.scoring import Score

_COUNTED = ("rouge1", "rouge2")
_PARTS = {"": "fmeasure", "_precision": "precision", "_recall": "recall"}
_KEPT = 100_000
"""Stems that are cached: the stemmer is the slowest part."""
_OFTEN = 16
"""The bits of rarer words are computed each time: those of all words of a long text would fill the memory."""


class Rouge:
    """`rouge1` and so on are F1. An empty answer has 0; without a reference there is nothing to measure."""

    columns = tuple(f"{kind}{part}" for kind in (*_COUNTED, "rougeL") for part in _PARTS)

    def __init__(self) -> None:
        try:
            from nltk.stem.porter import PorterStemmer
            from rouge_score.rouge_scorer import RougeScorer
        except ImportError as error:
            raise MetricUnavailable(
                "ROUGE needs the package rouge-score, which is not installed.",
                remedy="Run `pip install 'bookworm[evaluate]'`, or leave `rouge` out.",
            ) from error
        self._words = _Words(PorterStemmer())
        self._scorer = RougeScorer(list(_COUNTED), tokenizer=self._words)

    @property
    def name(self) -> str:
        return f"rouge/rouge-score-{version('rouge-score')}-stemmed"

    def score(self, samples: Sequence[MetricSample]) -> list[Scores]:
        return [self.compare(sample.answer, sample.reference) for sample in samples]

    def compare(self, answer: str, reference: str) -> Scores:
        if not self._words.tokenize(reference):
            return dict.fromkeys(self.columns)
        found: dict[str, Score] = self._scorer.score(target=reference, prediction=answer)
        found["rougeL"] = self._longest(answer, reference)
        return {
            f"{kind}{part}": float(getattr(score, attribute))
            for kind, score in found.items()
            for part, attribute in _PARTS.items()
        }

    def _longest(self, answer: str, reference: str) -> Score:
        from rouge_score.scoring import Score, fmeasure

        mine, theirs = self._words.tokenize(answer), self._words.tokenize(reference)
        shared = longest_common(mine, theirs)
        precision, recall = shared / max(len(mine), 1), shared / len(theirs)
        return Score(precision, recall, fmeasure(precision, recall))


class _Words:
    """A tokenizer in the sense of `rouge-score`."""

    def __init__(self, stemmer: object) -> None:
        self._stemmer = _Remembering(stemmer)

    def tokenize(self, text: str) -> list[str]:
        from rouge_score.tokenize import tokenize

        if has_han(text):
            return [word for each in words_of(text) for word in (tokenize(each, self._stemmer) or [each])]
        found: list[str] = tokenize(text, self._stemmer)
        return found


class _Remembering:
    """A stemmer that caches its results."""

    def __init__(self, stemmer: object) -> None:
        self.stem = lru_cache(maxsize=_KEPT)(getattr(stemmer, "stem"))  # noqa: B009


def longest_common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the length of the longest common subsequence.

    A row of the table is kept in the bits of a number, after Hyyrö (2004): a zero bit means that the
    subsequence grows at this word of `one`.
    """
    places: dict[str, list[int]] = {}
    for at, word in enumerate(one):
        places.setdefault(word, []).append(at)
    often = {word: _bits(found) for word, found in places.items() if len(found) > _OFTEN}
    every = (1 << len(one)) - 1
    row = every
    for word in other:
        hits = row & (often[word] if word in often else _bits(places.get(word, ())))
        row = (row + hits | row - hits) & every
    return len(one) - row.bit_count()


def _bits(places: Iterable[int]) -> int:
    bits = 0
    for place in places:
        bits |= 1 << place
    return bits
