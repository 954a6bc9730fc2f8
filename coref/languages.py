"""Languages that only one resolver reads. The registry routes their books to it; the others refuse them."""

from __future__ import annotations

from typing import Final

from books.types import Book
from coref.errors import ResolverUnavailable

OWN_RESOLVER: Final = {"zh": "chinese"}
"""The registered resolver of a language."""


def refuse_foreign(book: Book) -> None:
    """Raise ResolverUnavailable for a book whose language has a resolver of its own."""
    if (own := OWN_RESOLVER.get(book.language or "")) is not None:
        raise ResolverUnavailable(
            f"A book in this language is read by `{own}`, which takes no cast and no mentions.",
            remedy="Ask the registry for the resolver of the book, and annotate it without a cast.",
        )
