"""Selects the resolver for a book in a language that the others do not support."""

from __future__ import annotations

from books.types import Book
from coref.protocols import Resolver

CHINESE = "zh"


def reader_of(book: Book) -> Resolver | None:
    """Return the resolver made for the book's language, or None if any resolver will do."""
    if book.language != CHINESE:
        return None
    from coref.chinese.resolver import ChineseResolver

    return ChineseResolver()
