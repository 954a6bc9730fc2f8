"""A text that somebody wrote about a character, and the book it is about."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Self

from generation.types import Task


class DataInvalid(ValueError):
    """Invalid input data; the message says where."""


@dataclass(frozen=True, slots=True)
class DatasetEntry:
    line: int
    """Counted from 1."""
    book_id: str
    """The book's Project Gutenberg number, if the data is BookWorm's."""
    title: str
    author: str | None
    """None where the data does not give one."""
    character: str
    task: Task
    """A description or an analysis."""
    text: str
    source: str

    @property
    def work(self) -> tuple[str, str, str]:
        """Return the data's reference to the book."""
        return self.book_id, self.title, self.author or ""

    def at(self, line: int) -> Self:
        return replace(self, line=line)


@dataclass(frozen=True, slots=True)
class ShelvedBook:
    """A book of the folder, as far as its file identifies it."""

    path: Path
    title: str
    author: str | None
    number: str | None
    """The number at the start of its name, or its folder's."""
    text_sha256: str


class Verified(StrEnum):
    AUTHOR = "author"
    """The file and the data name the same author."""
    NUMBER = "number"
    """The file names no author, and has the number that the data gives the book."""
    NOTHING = "nothing"
    """The titles are the same; the file does not name the author."""


@dataclass(frozen=True, slots=True)
class Pair:
    book: ShelvedBook
    verified: Verified


@dataclass(frozen=True, slots=True)
class Unpaired:
    title: str
    author: str | None
    why: str
