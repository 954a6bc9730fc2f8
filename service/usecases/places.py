"""A place in a book for display: some words with their context."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from books.types import Book, Span

_AROUND: Final = 70
"""Characters of context on either side."""
_WORDS: Final = 160
"""Maximum characters of the words themselves, because a quote may have thousands."""
_MORE: Final = "…"


@dataclass(frozen=True, slots=True)
class Place:
    """A place on one line. An ellipsis marks omitted text at an end."""

    span: Span
    chapter: int | None
    """Counted from 1."""
    before: str
    words: str
    after: str


def place(book: Book, span: Span) -> Place:
    paragraph = book.paragraph_at(span.start)
    whole = paragraph.span if paragraph is not None and paragraph.span.end > span.start else span
    chapter = book.chapter_at(span.start)
    return Place(
        span=span,
        chapter=chapter.number if chapter else None,
        before=_ending(book.text[whole.start : span.start]),
        words=_beginning(book.slice(span), _WORDS),
        after=_beginning(book.text[span.end : max(span.end, whole.end)], _AROUND),
    )


def _beginning(text: str, most: int) -> str:
    plain = _plain(text)
    if len(plain) <= most:
        return plain
    cut = plain[:most]
    return f"{cut[: cut.rfind(' ') + 1] or cut}{_MORE}"


def _ending(text: str) -> str:
    plain = _plain(text)
    if len(plain) <= _AROUND:
        return plain
    cut = plain[-_AROUND:]
    return f"{_MORE}{cut[cut.find(' ') :] if ' ' in cut else cut}"


def _plain(text: str) -> str:
    """Collapses white space to single spaces, also at the ends, where more text follows."""
    words = " ".join(text.split())
    if not words:
        return " " if text else ""
    return f"{' ' * text[:1].isspace()}{words}{' ' * text[-1:].isspace()}"
