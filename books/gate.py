"""The spoiler gate on the text itself: nothing past the gate is in the result."""

from __future__ import annotations

from dataclasses import replace

from books.types import Book, Play, Span


def cut(book: Book, upto: int | None) -> Book:
    """Return the book up to `upto`: text, chapters, titles and paragraphs end there.

    Offsets do not change, so that spans mean the same on both sides of the gate.
    """
    if upto is None or upto >= len(book.text):
        return book
    chapters = tuple(
        replace(c, span=Span(c.span.start, min(c.span.end, upto)))
        for c in book.chapters
        if c.span.start < upto
    )
    return replace(
        book,
        text=book.text[:upto],
        chapters=chapters,
        paragraphs=tuple(p for p in book.paragraphs if p.span.end <= upto),
        excluded=tuple(e for e in book.excluded if e.span.end <= upto),
        play=_cut_play(book.play, upto),
    )


def _cut_play(play: Play | None, upto: int) -> Play | None:
    if play is None:
        return None
    return Play(
        speeches=tuple(s for s in play.speeches if s.span.end <= upto),
        directions=tuple(d for d in play.directions if d.end <= upto),
    )
