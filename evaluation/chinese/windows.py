"""Samples of Chinese novels by length: whole chapters gathered up to a number of tokens, as CNNSum does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, quantiles

from books.types import Book, Span
from evaluation.chinese.types import WindowSize


@dataclass(frozen=True, slots=True)
class WindowRange:
    least: int
    target: int
    most: int


RANGES = {
    WindowSize.L: WindowRange(13_000, 16_384, 18_432),
    WindowSize.XL: WindowRange(27_000, 32_768, 34_816),
    WindowSize.XL2: WindowRange(56_000, 65_536, 67_584),
    WindowSize.XL3: WindowRange(115_000, 131_072, 133_120),
}
"""The lower limits are about the paper's shortest samples, the upper ones 2,048 tokens over the target."""
MEASURES = ("tokens", "words", "characters")


@dataclass(frozen=True, slots=True)
class ChineseWindow:
    novel: str
    size: WindowSize
    first: int
    last: int
    """First and last chapter, counted from 0."""
    span: Span
    tokens: int
    words: int
    """As jieba splits the text."""
    characters: int


Count = Callable[[str], int]


def windows(
    novel: str, book: Book, size: WindowSize, *, tokens: Count, words: Count
) -> Iterator[ChineseWindow]:
    """Yield the samples of a book, which share no chapter.

    A chapter that would take a sample over its upper limit ends it: what is long enough is kept, and what is
    not starts again one chapter later.
    """
    lengths = [tokens(chapter.span.of(book.text)) for chapter in book.chapters]
    limits = RANGES[size]
    first = 0
    while first < len(lengths):
        last, total = first, 0
        while last < len(lengths) and total + lengths[last] <= limits.most and total < limits.target:
            total += lengths[last]
            last += 1
        if total < limits.least:
            first += 1
            continue
        span = Span(book.chapters[first].span.start, book.chapters[last - 1].span.end)
        text = span.of(book.text)
        yield ChineseWindow(
            novel, size, first, last - 1, span, total, words(text), sum(not sign.isspace() for sign in text)
        )
        first = last


@dataclass(frozen=True, slots=True)
class WindowLengths:
    """The figures of the paper's Table 1 for one measure."""

    least: float
    quarter: float
    mean: float
    most: float


def lengths(found: Sequence[ChineseWindow], measure: str) -> WindowLengths:
    counts = sorted(getattr(window, measure) for window in found)
    quarter = quantiles(counts, n=4, method="inclusive")[0] if len(counts) > 1 else counts[0]
    return WindowLengths(counts[0], quarter, fmean(counts), counts[-1])
