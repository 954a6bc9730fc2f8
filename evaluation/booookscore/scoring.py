"""The score of a summary, and of a system that summarised many books."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluation.booookscore.summary_sentences import sentences
from evaluation.booookscore.trigrams import novel_share, repeated_share, trigrams
from evaluation.booookscore.types import AnnotatedSummary, ConfusionKind
from evaluation.metrics.statistics import Interval, interval


@dataclass(frozen=True, slots=True)
class SummaryScore:
    book: str
    score: float | None
    """None for a summary that nobody annotated."""
    sentences: int
    confusions: int
    words: int
    repeated: float | None
    """Share of the trigrams that occur more than once."""
    novel: float | None
    """Share of the trigrams that the book lacks; None without the book."""


@dataclass(frozen=True, slots=True)
class SystemScore:
    name: str
    score: Interval
    """Mean over the summaries; whole books are drawn for the interval."""
    sentences: int
    """Of the annotated summaries."""
    confusions: int
    kinds: Mapping[ConfusionKind, float]
    """Confusions of each kind per sentence. A confusion may be of several kinds."""
    words: float
    """Mean length of a summary, annotated or not."""
    repeated: float | None
    novel: float | None
    summaries: tuple[SummaryScore, ...]


def summary_score(summary: AnnotatedSummary, source: str | None = None) -> SummaryScore:
    """Return the share of sentences that no confusion is about; `source` is the text of the book."""
    count = len(sentences(summary.text)) - summary.unread
    grams = trigrams(summary.text)
    confusions = len(summary.confusions or ())
    return SummaryScore(
        summary.book,
        None if summary.confusions is None else 1 - confusions / count,
        count,
        confusions,
        len(summary.text.split()),
        repeated_share(grams),
        None if source is None else novel_share(grams, trigrams(source)),
    )


def system_score(
    name: str, summaries: Sequence[AnnotatedSummary], sources: Mapping[str, str] | None = None
) -> SystemScore:
    """Score a system. Raises ValueError where no summary is annotated."""
    scores = [summary_score(each, (sources or {}).get(each.book)) for each in summaries]
    found = interval([each.score for each in scores], books=[each.book for each in scores])
    if found is None:
        raise ValueError("no summary is annotated")
    count = sum(each.sentences for each in scores if each.score is not None)
    return SystemScore(
        name,
        found,
        count,
        sum(each.confusions for each in scores),
        kinds_per_sentence(summaries, count),
        sum(each.words for each in scores) / len(scores),
        _mean([each.repeated for each in scores]),
        _mean([each.novel for each in scores]),
        tuple(scores),
    )


def kinds_per_sentence(
    summaries: Sequence[AnnotatedSummary], sentence_count: int
) -> dict[ConfusionKind, float]:
    """Return how often each kind occurs per sentence of all summaries."""
    counts = Counter(kind for each in summaries for found in each.confusions or () for kind in found.kinds)
    return {kind: counts[kind] / sentence_count for kind in ConfusionKind}


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
