"""Measure what an answer copies from the book and from the reference, what it adds, and its repetitions."""

from __future__ import annotations

from collections.abc import Sequence

from books.types import Book
from evaluation.metrics.ngrams import Article, compression, coverage, density, novel_ngrams, repeated_ngrams
from evaluation.metrics.tokens import words_of
from evaluation.metrics.types import MetricSample, Scores

_LENGTHS = range(1, 5)


class Novelty:
    name = "ngrams/1"
    columns = (
        *(f"novel{n}_book" for n in _LENGTHS),
        *(f"novel{n}_reference" for n in _LENGTHS),
        *(f"repeated{n}" for n in _LENGTHS),
        "coverage",
        "density",
        "compression",
    )

    def score(self, samples: Sequence[MetricSample]) -> list[Scores]:
        """Score the samples; each book is sorted once, and freed when the next one comes."""
        order = sorted(range(len(samples)), key=lambda at: samples[at].book.sha256)
        found: list[Scores] = [{} for _ in samples]
        last, article = "", Article("")
        for at in order:
            if samples[at].book.sha256 != last:
                last, article = samples[at].book.sha256, Article(_story(samples[at].book))
            found[at] = _scored(samples[at], article)
        return found


def _scored(sample: MetricSample, article: Article) -> Scores:
    answer, reference = words_of(sample.answer), words_of(sample.reference)
    scores: dict[str, float | None] = {}
    for n in _LENGTHS:
        scores[f"novel{n}_book"] = novel_ngrams(answer, article, n)
        scores[f"novel{n}_reference"] = novel_ngrams(answer, reference, n) if reference else None
        scores[f"repeated{n}"] = repeated_ngrams(answer, n)
    return scores | {
        "coverage": coverage(article, answer),
        "density": density(article, answer),
        "compression": compression(article, answer),
    }


def _story(book: Book) -> str:
    """Return the story without licences and notes."""
    return "\n".join(book.slice(paragraph.span) for paragraph in book.paragraphs)
