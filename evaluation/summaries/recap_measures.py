"""Every measure of one summary: beside its reference, and beside the text that it is of."""

from __future__ import annotations

from functools import cached_property

from evaluation.booookscore.trigrams import Trigrams, novel_share, repeated_share, trigrams
from evaluation.metrics.bertscore import BertScore
from evaluation.metrics.cloze import ClozeScorer
from evaluation.metrics.ngrams import Article, compression, coverage, density
from evaluation.metrics.rouge import Rouge
from evaluation.metrics.tokens import words_of

Figures = dict[str, float | None]
_ROUGES = ("rouge1", "rouge2", "rougeL")


class SummarySource:
    """The text that a summary is of. What is counted of it is counted once for all systems."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def article(self) -> Article:
        return Article(self.text)

    @cached_property
    def trigrams(self) -> Trigrams:
        return trigrams(self.text)


class SummaryMeasures:
    def __init__(self, *, rouge: Rouge | None = None, every: bool = False) -> None:
        """`every`: also those that need a neural network."""
        self._rouge = rouge or Rouge()
        self._bertscore = BertScore() if every else None
        self._cloze = ClozeScorer() if every else None

    def figures(self, text: str, reference: str, source: SummarySource) -> Figures:
        """Return shares from 0 to 1, and counts; None where there is nothing to measure."""
        compared = self._rouge.compare(text, reference)
        words, told = words_of(text), trigrams(text)
        found: Figures = {
            "words_told": compared["rouge1_recall"],
            **{name: compared[name] for name in _ROUGES},
            "words": float(len(text.split())),
            "coverage": coverage(source.article, words),
            "density": density(source.article, words),
            "compression": compression(source.article, words),
            "novel_trigrams": novel_share(told, source.trigrams),
            "repeated_trigrams": repeated_share(told),
        }
        if self._bertscore is not None:
            found["bertscore"] = self._bertscore.compare([(text, reference)])[0]["bertscore"]
        if self._cloze is not None:
            found["questions"] = self._cloze.score([(source.text, text)])[0]
        return found
