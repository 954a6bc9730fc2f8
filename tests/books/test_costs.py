"""The cost of reading: 100,000 words take less than half a second and five times the size of their file."""

from __future__ import annotations

import gzip
import random
import time
import tracemalloc
from collections.abc import Callable

import pytest

from books.reading import read

WORDS = (
    "don’t",
    "harbour",
    "tide",
    "Anna",
    "boat",
    "quay",
    "and",
    "of",
    "to",
    "she",
    "was",
    "said",
    "never",
    "water",
)
CHAPTERS = 40
CHAPTER_WORDS = 2_500
SECONDS = 0.5
MULTIPLE = 5.0
LINES_HELD = 6.0
"""Without blank lines, all lines of the text are processed together."""


def _paragraph(random_: random.Random) -> str:
    words = random_.choices(WORDS, k=random_.randint(8, 160))
    return f"“{' '.join(words).capitalize()}.”"


def _wrapped(paragraph: str) -> str:
    words = paragraph.split()
    return "\n".join(" ".join(words[at : at + 12]) for at in range(0, len(words), 12))


def _novel(layout: Callable[[str], str], between: str) -> bytes:
    """Curly quotes cost most: Python keeps such a text at two bytes per character."""
    random_ = random.Random(7)
    parts = []
    for number in range(1, CHAPTERS + 1):
        parts.append(f"CHAPTER {number}")
        words = 0
        while words < CHAPTER_WORDS:
            paragraph = _paragraph(random_)
            words += len(paragraph.split())
            parts.append(layout(paragraph))
    return between.join(parts).encode()


NOVELS = {
    "wrapped lines": _novel(_wrapped, "\n\n"),
    "a line a paragraph": _novel(str, "\n\n"),
    "no blank lines": _novel(str, "\n"),
    "line ends of Windows": _novel(_wrapped, "\n\n").replace(b"\n", b"\r\n"),
}


@pytest.mark.parametrize("data", NOVELS.values(), ids=NOVELS)
def test_a_novel_takes_less_than_half_a_second(data: bytes) -> None:
    book = read(data)
    assert book.word_count > CHAPTERS * CHAPTER_WORDS
    assert len(book.chapters) == CHAPTERS
    assert min(_seconds(data) for _ in range(3)) < SECONDS


@pytest.mark.parametrize("layout", NOVELS)
def test_a_novel_takes_less_than_five_times_its_size(layout: str) -> None:
    data = NOVELS[layout]
    read(data)  # one-time imports belong to no book
    assert _peak(data) < (LINES_HELD if layout == "no blank lines" else MULTIPLE) * len(data)


def test_a_packed_novel_takes_no_more_than_an_unpacked_one() -> None:
    data = NOVELS["wrapped lines"]
    packed = gzip.compress(data)
    read(packed)
    assert _peak(packed) < MULTIPLE * len(data)


def _seconds(data: bytes) -> float:
    start = time.process_time()
    read(data)
    return time.process_time() - start


def _peak(data: bytes) -> int:
    tracemalloc.start()
    try:
        read(data)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
