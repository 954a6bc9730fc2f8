"""Summarise many readings in a few figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median

from evaluation.reading.types import (
    FailedReading,
    NumberingVerdict,
    ReadingMeasure,
    ReadingSplit,
    ReadingSpread,
    ReadingSummary,
    ReadingTally,
)

_UNIT = 100_000
_TELLING_WORDS = 10_000
"""In a shorter book, time and memory are mostly the fixed cost of any book, magnified by scaling."""


def summed_up(books: Sequence[ReadingMeasure], failed: Sequence[FailedReading]) -> ReadingSummary:
    telling = [book for book in books if book.words >= _TELLING_WORDS]
    verdicts = Counter(book.numbering.verdict for book in books)
    return ReadingSummary(
        books=len(books),
        failed=len(failed),
        checked={split.value: _tally(books, split) for split in ReadingSplit},
        sequences={verdict.value: verdicts[verdict] for verdict in NumberingVerdict},
        lawful=sum(not book.troubles for book in books),
        seconds=_spread([(seconds_per_unit(book), book.file) for book in telling]),
        memory=_spread([(book.memory, book.file) for book in telling if book.memory is not None]),
    )


def seconds_per_unit(book: ReadingMeasure) -> float:
    return book.seconds * _UNIT / max(1, book.words)


def _tally(books: Sequence[ReadingMeasure], split: ReadingSplit) -> ReadingTally:
    ours = [book for book in books if book.checked and book.checked.split is split]
    right = [book for book in ours if book.agrees]
    return ReadingTally(len(ours), len(right), sum(book.ends_agree is True for book in right))


def _spread(values: Sequence[tuple[float, str]]) -> ReadingSpread | None:
    if not values:
        return None
    most, worst = max(values)
    return ReadingSpread(median(value for value, _ in values), most, worst)
