"""Whether two books are editions of one work, so that what happens in one may happen in the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from books.types import UNTITLED, Book, ParagraphKind, Span
from retrieval.tokenizer import has_han, terms

_SAMPLES: Final = 40
"""Paragraphs of which a piece is looked for in the other book."""
_PIECE: Final = 40
"""Letters of a piece, about eight words; a quarter in Chinese."""
_SHARED: Final = 0.1
"""Share of the pieces from which the text is the same: editions differ in spelling, works share no piece."""
_SUBTITLE: Final = re.compile(r"[:;,(]")
_NO_LETTERS: Final = re.compile(r"[\W_]+")


def same_work(one: Book, other: Book) -> bool:
    """Whether the titles are alike, unless the authors differ, or long pieces of `other` are in `one`."""
    return _titles_alike(one, other) or _text_shared(one, other)


def _titles_alike(one: Book, other: Book) -> bool:
    authors = [set(terms(book.author or "")) for book in (one, other)]
    if UNTITLED in (one.title, other.title) or (all(authors) and authors[0].isdisjoint(authors[1])):
        return False
    short = [set(terms(_SUBTITLE.split(book.title)[0])) for book in (one, other)]
    return any(
        main and main <= set(terms(book.title)) for main, book in zip(short, (other, one), strict=True)
    )


def _text_shared(one: Book, other: Book) -> bool:
    pieces = list(_pieces(other))
    letters = _letters(one.text)
    return sum(piece in letters for piece in pieces) > _SHARED * len(pieces)


def _pieces(book: Book) -> Iterator[str]:
    length = _PIECE // 4 if has_han(book.text) else _PIECE
    prose = (_letters(book.slice(p.span)) for p in book.paragraphs if p.kind is ParagraphKind.PROSE)
    long = [text for text in prose if len(text) >= length]
    for text in long[:: max(1, len(long) // _SAMPLES)]:
        start = (len(text) - length) // 2
        yield Span(start, start + length).of(text)


def _letters(text: str) -> str:
    return _NO_LETTERS.sub("", text.casefold())
