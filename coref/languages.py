"""Languages with a resolver of their own.

The registry routes their books to it, and the others refuse them.
"""

from __future__ import annotations

from typing import Final

from books.types import Book
from coref.errors import ResolverUnavailable

OWN_RESOLVER: Final = {"zh": "chinese"}
"""The registered resolver of each language."""


def refuse_foreign(book: Book) -> None:
    """Raise ResolverUnavailable for a book whose language has a resolver of its own."""
    if (own := OWN_RESOLVER.get(book.language or "")) is not None:
        raise ResolverUnavailable(
            f"Books in this language are annotated by `{own}`, which takes neither a cast nor mentions.",
            remedy="Ask the registry for the resolver of the book, and annotate it without a cast.",
        )
