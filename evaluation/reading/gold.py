"""What a person found in the novels: the table `checked.csv`, or another of its form."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path

from books.types import Book, Chapter
from evaluation.reading.types import CheckedBook, ReadingSplit

_ENDINGS = re.compile(r"(\.(txt|text|gz|epub|html?|xhtml|md|markdown|docx))+$", re.I)

_BEGINNING = 600
"""Characters at the start of a chapter that must contain its heading."""


def checked_books(path: Path | None = None) -> Mapping[str, CheckedBook]:
    """Return books by file name without endings, from the project's own table unless a path is given.

    Raises ValueError for a table of another form.
    """
    source = path or files("evaluation.reading").joinpath("checked.csv")
    rows = table_rows(source.read_text(encoding="utf-8-sig"), ("file", "split", "chapters", "parts"))
    found = [_checked(row, number) for number, row in enumerate(rows, start=1)]
    return {book.file: book for book in found}


def table_rows(text: str, columns: Sequence[str]) -> list[dict[str, str | None]]:
    """Return the rows of a table in CSV. Raises ValueError if a column is missing, or if there are none."""
    rows = csv.DictReader(text.splitlines())
    if missing := [column for column in columns if column not in (rows.fieldnames or ())]:
        raise ValueError(f"the column {missing[0]} is missing")
    found = [dict(row) for row in rows]
    if not found:
        raise ValueError("there are no rows")
    return found


def _checked(row: Mapping[str, str | None], number: int) -> CheckedBook:
    try:
        return CheckedBook(
            file=bare_name(row["file"] or ""),
            split=ReadingSplit(row["split"] or ""),
            chapters=int(row["chapters"] or ""),
            parts=int(row["parts"] or 0),
            first=row.get("first") or "",
            last=row.get("last") or "",
        )
    except (KeyError, ValueError) as error:
        raise ValueError(f"row {number}: {error!r}") from error


def bare_name(name: str) -> str:
    """`11_alice.txt.gz` → `11_alice`."""
    return _ENDINGS.sub("", name)


def ends_agree(book: Book, checked: CheckedBook) -> bool:
    """Return whether the first and the last chapter begin with the printed headings that the person saw."""
    first, last = book.chapters[0], book.chapters[-1]
    return _begins(book, first, checked.first) and _begins(book, last, checked.last)


def _begins(book: Book, chapter: Chapter, heading: str) -> bool:
    """Return whether a chapter begins with a heading; a part's heading and motto may precede it."""
    start = book.slice(chapter.span)[:_BEGINNING]
    return _letters(heading) in _letters(start)


def _letters(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())
