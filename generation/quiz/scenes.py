"""The scenes of a book: stretches of about 3,000 characters that overlap a little, as in NarrativeXL."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from books.types import Book, Paragraph, ParagraphKind, Span
from generation.quiz.types import StoryScene

LENGTH: Final = 3_000
OVERLAP: Final = 300
"""Characters of whole paragraphs, at most, that a scene shares with the one before."""
_BREAK: Final = "scene break"
"""What the book's reader calls a break between scenes."""


def scenes(book: Book) -> tuple[StoryScene, ...]:
    """Return the scenes in story order. They end with a chapter, at the story's own breaks, or when long."""
    breaks = sorted(e.span.start for e in book.excluded if e.reason == _BREAK)
    prose = (p for p in book.paragraphs if p.kind is not ParagraphKind.HEADING)
    parts = groupby(prose, key=lambda p: (p.chapter, bisect_left(breaks, p.span.start)))
    return tuple(
        StoryScene(span, chapter)
        for (chapter, _), paragraphs in parts
        for span in _stretches(list(paragraphs))
    )


def _stretches(paragraphs: Sequence[Paragraph]) -> Iterator[Span]:
    first = 0
    for at, paragraph in enumerate(paragraphs):
        last = at + 1 == len(paragraphs)
        if last or paragraphs[at + 1].span.end - paragraphs[first].span.start > LENGTH:
            yield Span(paragraphs[first].span.start, paragraph.span.end)
            first = _shared(paragraphs, first, at)


def _shared(paragraphs: Sequence[Paragraph], first: int, last: int) -> int:
    """Return the first paragraph of the next scene."""
    end = paragraphs[last].span.end
    return next(
        (n for n in range(first + 1, last + 1) if end - paragraphs[n].span.start <= OVERLAP), last + 1
    )
