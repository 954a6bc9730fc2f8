"""The figures of the paper's Table 1 and Figure 2 for pairs of a level: means, with intervals over books."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluation.booksum.pairs import SummaryPair
from evaluation.booksum.types import SummaryLevel
from evaluation.metrics.ngrams import Article, compression, coverage, density, novel_ngrams
from evaluation.metrics.statistics import Interval, interval
from evaluation.metrics.tokens import words_of

NGRAM_LENGTHS = (1, 2, 3, 4)
FIGURES = (
    "coverage",
    "density",
    "compression",
    *(f"novel{n}" for n in NGRAM_LENGTHS),
    "source_words",
    "summary_words",
)


@dataclass(frozen=True, slots=True)
class LevelFigures:
    level: SummaryLevel
    pairs: int
    books: int
    figures: Mapping[str, Interval | None]
    tenths: tuple[int, ...]
    """Aligned sentences by the tenth of the text they are about; empty at the paragraph level."""
    unaligned: int
    """Sentences that were aligned with no paragraph."""
    cosine: Interval | None
    """Of aligned sentences with their paragraphs."""


def figures_of(pairs: Sequence[SummaryPair]) -> dict[str, Interval | None]:
    """Return the mean of each figure; the intervals draw whole books. Long texts are sorted once each."""
    rows = [_figures(pair) for pair in pairs]
    books = [pair.bid for pair in pairs]
    return {name: interval([row[name] for row in rows], books=books) for name in FIGURES}


def _figures(pair: SummaryPair) -> dict[str, float | None]:
    article, summary = Article(pair.text), words_of(pair.reference)
    return {
        "coverage": coverage(article, summary),
        "density": density(article, summary),
        "compression": compression(article, summary),
        **{f"novel{n}": novel_ngrams(summary, article, n) for n in NGRAM_LENGTHS},
        "source_words": float(len(article.words)),
        "summary_words": float(len(summary)),
    }
