"""A text that somebody wrote about a character, and the book it is about."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from generation.types import Task


class DataInvalid(ValueError):
    """What was given to be read is not what it should be; the message says where."""


@dataclass(frozen=True, slots=True)
class DatasetEntry:
    line: int
    """Counted from 1."""
    book_id: str
    """The book's number in the Gutenberg Project, where the data is BookWorm's."""
    title: str
    author: str | None
    """None where the data does not know."""
    character: str
    task: Task
    """A description or an analysis."""
    text: str
    source: str

    @property
    def work(self) -> tuple[str, str, str]:
        """What the data calls the book."""
        return self.book_id, self.title, self.author or ""


@dataclass(frozen=True, slots=True)
class ShelvedBook:
    """A book of the folder, as far as its file says what it is."""

    path: Path
    title: str
    author: str | None
    number: str | None
    """That its name, or its folder's, begins with."""


class Verified(StrEnum):
    AUTHOR = "author"
    """The file and the data name the same author."""
    NUMBER = "number"
    """The file says no author, and has the number that the data gives the book."""
    NOTHING = "nothing"
    """The titles are the same; the author is not known from the file."""


@dataclass(frozen=True, slots=True)
class Pair:
    book: ShelvedBook
    verified: Verified


@dataclass(frozen=True, slots=True)
class Unpaired:
    title: str
    author: str | None
    why: str
