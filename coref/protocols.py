"""What a resolver promises."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from books.types import Book
from coref.types import Annotations

Progress = Callable[[float], None]
"""Told the share of the work that is done, 0 to 1; may raise to stop the work."""


class Resolver(Protocol):
    @property
    def name(self) -> str:
        """Engine and version, such as `rules/1`: part of the key under which results are kept."""
        ...

    def annotate(self, book: Book, *, progress: Progress | None = None) -> Annotations: ...
