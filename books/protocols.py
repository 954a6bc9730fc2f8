"""What a reader of one format promises."""

from __future__ import annotations

from typing import Protocol

from books.types import Book


class Reader(Protocol):
    def read(self, data: bytes, *, name: str | None = None) -> Book:
        """Read a whole source; raises a `BookwormError` that names the remedy."""
        ...
