"""Check that the splits share no book: by its number, and by titles that may be of one work.

A work may be there under two numbers, in two editions, so numbers alone do not tell. Titles count as those of
one work where one contains the other, from two words on: that is a suspicion, to be judged by a reader.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from evaluation.booksum.types import AlignedRow, SummaryLevel
from evaluation.datasets.splits import normalised
from generation.training.types import DataSplit

_LEAST_WORDS = 2


@dataclass(frozen=True, slots=True)
class SharedBook:
    """A number of a book that is in several splits."""

    bid: str
    titles: tuple[str, ...]
    examples: Mapping[str, int]
    """By split and level."""


@dataclass(frozen=True, slots=True)
class SuspectedWork:
    """Two numbers, in different splits, whose titles may be those of one work."""

    bids: tuple[str, str]
    titles: tuple[str, str]
    splits: tuple[str, str]


@dataclass(frozen=True, slots=True)
class SplitCheck:
    within: Mapping[SummaryLevel, int]
    """By level: how many numbers of books are in several splits of that level."""
    shared: tuple[SharedBook, ...]
    """Those in several splits, both levels taken together."""
    suspected: tuple[SuspectedWork, ...]


def check_splits(rows: Sequence[AlignedRow]) -> SplitCheck:
    by_level = {
        level: sum(len(each) > 1 for each in _splits(row for row in rows if row.level is level).values())
        for level in (SummaryLevel.CHAPTER, SummaryLevel.BOOK)
    }
    shared = [bid for bid, splits in _splits(iter(rows)).items() if len(splits) > 1]
    return SplitCheck(by_level, tuple(_shared(rows, bid) for bid in shared), tuple(_suspected(rows)))


def _splits(rows: Iterator[AlignedRow]) -> dict[str, set[DataSplit]]:
    found: dict[str, set[DataSplit]] = defaultdict(set)
    for row in rows:
        found[row.bid].add(row.split)
    return found


def _shared(rows: Sequence[AlignedRow], bid: str) -> SharedBook:
    mine = [row for row in rows if row.bid == bid]
    examples = Counter(f"{row.split}, {row.level} level" for row in mine)
    return SharedBook(bid, tuple(dict.fromkeys(row.title for row in mine)), examples)


def _suspected(rows: Sequence[AlignedRow]) -> Iterator[SuspectedWork]:
    """Yield pairs of numbers once each, with the first titles that agree."""
    books: dict[tuple[str, str], str] = {}
    for row in rows:
        books.setdefault((row.bid, row.split.value), row.title)
    titles: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        titles[row.bid].add(normalised(row.title))
    for (one, first), (other, second) in combinations(sorted(books), 2):
        if one != other and first != second and _one_work(titles[one], titles[other]):
            yield SuspectedWork((one, other), (books[one, first], books[other, second]), (first, second))


def _one_work(one: set[str], other: set[str]) -> bool:
    return any(_contains(a, b) or _contains(b, a) for a in one for b in other)


def _contains(long: str, short: str) -> bool:
    return long == short or (len(short.split()) >= _LEAST_WORDS and f" {short} " in f" {long} ")
