"""What a search in a book finds."""

from __future__ import annotations

from dataclasses import dataclass

from books.types import Span
from retrieval.types import Passage


@dataclass(frozen=True, slots=True)
class Find:
    passage: Passage
    marks: tuple[Span, ...]
    """The words searched for, or without words the people of `with:`, as offsets in the book.

    None if it was found by its meaning.
    """


@dataclass(frozen=True, slots=True)
class WordCount:
    """A word of the search alone."""

    word: str
    passages: int
    """Number of passages that have it."""
    similar: tuple[str, ...] = ()
    """Words of the book that are spelt like it, if none has it."""


@dataclass(frozen=True, slots=True)
class BookSearch:
    by_words: tuple[Find, ...]
    """Those asked for, in the order asked for."""
    by_meaning: tuple[Find, ...]
    """Passages near in meaning without all of the words, nearest first."""
    total: int
    """Number of passages found by words."""
    by_chapter: tuple[int, ...]
    """The same for each chapter that can be seen."""
    words: tuple[WordCount, ...]
    """Each word alone, if nothing is found by words."""
