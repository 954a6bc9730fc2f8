"""A place of a book as it is shown: the words, and a little of what stands around them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from books.types import Book, Span

_AROUND: Final = 70
"""Characters of the paragraph on either side."""
_WORDS: Final = 160
"""Characters of the words themselves, of which a quote may have thousands."""
_MORE: Final = "…"


@dataclass(frozen=True, slots=True)
class Place:
    """On one line; what was left out at an end stands as an ellipsis."""

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
    """With one space for each stretch of white space, also at its ends: more text joins there."""
    words = " ".join(text.split())
    if not words:
        return " " if text else ""
    return f"{' ' * text[:1].isspace()}{words}{' ' * text[-1:].isspace()}"
