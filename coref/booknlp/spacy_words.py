"""Splits a text into words approximately as spaCy does, whose tokens BookNLP counts.

The counts need not agree exactly: the alignment counts from the nearest known words.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator

from books.types import Book

_CHUNK = re.compile(r"\S+")
_EDGE = frozenset("\"'“”‘’()[]{}<>«»*_,;:!?…—–-&%$£#=+")
_DASHES = re.compile(r"(?<=[^\W_])(?:--+|[-–—]|\.\.+|…)(?=[^\W_])")
_ENDING = re.compile(r"(?:['’](?:s|m|d|ll|ve|re)|n['’]t)$", re.IGNORECASE)
_CLOSING = frozenset(",;:!?\"'”’)]}»…*_—–-")
_CANNOT = 3
"""Number of letters of `can` in `cannot`, which spaCy splits into two words."""


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield the words of a text in order, none of them with white space inside."""
    for chunk in _CHUNK.finditer(text):
        yield from _cut(text, chunk.start(), chunk.end())


def story_text(book: Book) -> str:
    """Return the text with spaces for everything outside the story, so that offsets remain valid."""
    return "".join(_pieces(book))


def _pieces(book: Book) -> Iterator[str]:
    at = 0
    for cut in book.excluded:
        yield book.text[at : cut.span.start]
        yield "".join("\n" if c == "\n" else " " for c in book.slice(cut.span))
        at = cut.span.end
    yield book.text[at:]


def cut_at(words: Iterable[tuple[int, int]], places: Iterable[int]) -> list[tuple[int, int]]:
    """Return the words, split again wherever one of the places lies inside them."""
    cuts = sorted(set(places))
    found: list[tuple[int, int]] = []
    for start, end in words:
        at = bisect_left(cuts, start + 1)
        while at < len(cuts) and cuts[at] < end:
            found.append((start, cuts[at]))
            start = cuts[at]
            at += 1
        found.append((start, end))
    return found


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the marks off both ends first, then what is inside."""
    while start < end - 1 and text[start] in _EDGE:
        width = _repeat(text, start, end)
        yield start, start + width
        start += width
    marks: list[tuple[int, int]] = []
    while start < end - 1 and _is_mark(text, start, end):
        width = 1
        while text[end - 1] in ".-" and end - width - 1 > start and text[end - width - 1] == text[end - 1]:
            width += 1
        marks.append((end - width, end))
        end -= width
    if start < end:
        yield from _inside(text, start, end)
    yield from reversed(marks)


def _repeat(text: str, start: int, end: int) -> int:
    """Return the number of consecutive dashes: `--` is one word."""
    width = 1
    while text[start] == "-" and start + width < end and text[start + width] == "-":
        width += 1
    return width


def _is_mark(text: str, start: int, end: int) -> bool:
    """Return whether the last character is a word of its own.

    The full stop of `Mr.` and of initials is not.
    """
    last = text[end - 1]
    if last != ".":
        return last in _CLOSING
    stem = text[start : end - 1]
    return not (len(stem) == 1 and stem.isupper()) and stem not in ("Mr", "Mrs", "Dr", "St", "Ms", "Messrs")


def _inside(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    ending = _ENDING.search(text, start, end)
    stop = ending.start() if ending and ending.start() > start else end
    at = start
    for dash in _DASHES.finditer(text, start, stop):
        yield at, dash.start()
        yield dash.start(), dash.end()
        at = dash.end()
    if text[at:stop].lower() == "cannot":
        yield at, at + _CANNOT
        at += _CANNOT
    yield at, stop
    if stop < end:
        yield stop, end
