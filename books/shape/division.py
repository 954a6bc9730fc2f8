"""A chapter while it is still counted in blocks."""

from __future__ import annotations

from dataclasses import dataclass

from books.types import ChaptersBy


@dataclass(frozen=True, slots=True)
class Division:
    """One chapter, in blocks: heading blocks first."""

    title: str
    first: int
    body: int
    """The first block after the heading."""


@dataclass(frozen=True, slots=True)
class Divided:
    divisions: tuple[Division, ...]
    by: ChaptersBy
