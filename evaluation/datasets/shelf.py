"""The books of a folder: one file each, or one folder each as BookWorm's scripts create (`98/book.txt`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from books.errors import BookwormError
from books.reading import read
from books.types import Book
from evaluation.datasets.types import ShelvedBook

ENDINGS = (".txt", ".text", ".gz", ".epub", ".html", ".htm", ".xhtml", ".md", ".markdown", ".docx")
_NUMBER = re.compile(r"(\d+)(?=[_ .-]|$)[_ -]*")
_SCRAPED = ("book_cleaned.txt", "book.txt")
"""Names of the book in a folder of BookWorm's script, best first."""


def files(folder: Path) -> list[Path]:
    """Return the files in the order of their names."""
    return [path for each in sorted(folder.iterdir()) for path in _files(each)]


def open_book(path: Path) -> Book:
    """Open a book with Bookworm's reader.

    A title that comes from the file's name is given without its number.
    """
    return read(path.read_bytes(), name=_named(path)[1])


def shelved(paths: Sequence[Path]) -> tuple[list[ShelvedBook], dict[Path, str]]:
    """Return the books, and the reason for each file that cannot be read."""
    books: list[ShelvedBook] = []
    unread: dict[Path, str] = {}
    for path in paths:
        try:
            book = open_book(path)
        except BookwormError as error:
            unread[path] = error.detail
            continue
        books.append(ShelvedBook(path, book.title, book.author, _named(path)[0], book.sha256))
    return books, unread


def _files(path: Path) -> Iterator[Path]:
    if path.is_file() and path.name.lower().endswith(ENDINGS):
        yield path
    elif path.is_dir() and path.name.isdigit():
        yield from [path / name for name in _SCRAPED if (path / name).is_file()][:1]


def _named(path: Path) -> tuple[str | None, str]:
    """Return the number in a file's or its folder's name, and the name without it."""
    name = path.parent.name if path.name in _SCRAPED else path.name.removesuffix(".gz")
    match = _NUMBER.match(name)
    if match is None:
        return None, name
    rest = name[match.end() :]
    return match[1], rest if rest and not rest.startswith(".") else name
