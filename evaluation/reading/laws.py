"""Invariants of every book, checked outside the tests: a violation is reported, not raised."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from books.types import Book

_SHOWN = 60


def troubles_of(book: Book) -> tuple[str, ...]:
    """Return the violations; empty for a valid book."""
    return (*_untiled(book), *_astray(book), *_lost(book))


def _untiled(book: Book) -> Iterator[str]:
    for one, two in pairwise(book.chapters):
        if one.span.end != two.span.start:
            yield f"chapter {two.number} does not begin where chapter {one.number} ends"


def _astray(book: Book) -> Iterator[str]:
    """Yield paragraphs that lie outside their chapter or overlap."""
    reached = 0
    for paragraph in book.paragraphs:
        if paragraph.span.start < reached or not book.chapters[paragraph.chapter].span.covers(paragraph.span):
            yield f"paragraph {paragraph.index} lies astray"
        reached = paragraph.span.end


def _lost(book: Book) -> Iterator[str]:
    """Yield text that is neither blank, nor in a paragraph, nor excluded."""
    reached = 0
    spans = sorted([p.span for p in book.paragraphs] + [e.span for e in book.excluded])
    for start, end in [*((s.start, s.end) for s in spans), (len(book.text), len(book.text))]:
        gap = book.text[reached:start].strip() if start > reached else ""
        if gap:
            yield f"lost: {gap[:_SHOWN]!r}"
        reached = max(reached, end)
