"""A reader's correction of the chapters: where each begins and what it is called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from books.errors import ChaptersInvalid
from books.types import Book

_QUOTE = 80
_MOST_CHAPTERS = 5_000
_MOST_TITLE = 300


@dataclass(frozen=True, slots=True)
class ChapterMark:
    start: int
    """Offset of a line's first character that is not blank."""
    title: str
    quote: str = ""
    """How the text goes on from there, by which the place is found again when the text was read anew."""


@dataclass(frozen=True, slots=True)
class ChapterEdit:
    marks: tuple[ChapterMark, ...]
    text_sha256: str
    """Of the text that the offsets point into."""


def make_edit(book: Book, marks: Sequence[ChapterMark]) -> ChapterEdit:
    """Checked against the book as it is read now. Raises ChaptersInvalid."""
    if not 0 < len(marks) <= _MOST_CHAPTERS:
        raise ChaptersInvalid(f"A book has 1 to {_MOST_CHAPTERS} chapters, not {len(marks)}.")
    before = -1
    kept = []
    for mark in marks:
        title = " ".join(mark.title.split())
        if not title or len(title) > _MOST_TITLE:
            raise ChaptersInvalid(f"The title of the chapter at {mark.start} is empty or too long.")
        if mark.start <= before:
            raise ChaptersInvalid(f"The chapter at {mark.start} does not begin after the one before it.")
        if not begins_line(book.text, mark.start):
            raise ChaptersInvalid(f"No line of the text begins at {mark.start}.")
        before = mark.start
        kept.append(ChapterMark(mark.start, title, book.text[mark.start : mark.start + _QUOTE]))
    return ChapterEdit(tuple(kept), book.sha256)


def begins_line(text: str, at: int) -> bool:
    """Whether the first character of a line that is not blank stands at `at`."""
    if not 0 <= at < len(text) or text[at].isspace():
        return False
    return not text[text.rfind("\n", 0, at) + 1 : at].strip()


def placed(edit: ChapterEdit, *, text: str, sha256: str) -> list[ChapterMark] | None:
    """The marks in this text, found again by their quotes when it is another text; None when one is lost."""
    if sha256 == edit.text_sha256:
        return list(edit.marks)
    found: list[ChapterMark] = []
    for mark in edit.marks:
        after = found[-1].start + 1 if found else 0
        at = _nearest(text, mark, after)
        if at is None:
            return None
        found.append(ChapterMark(at, mark.title, mark.quote))
    return found


def _nearest(text: str, mark: ChapterMark, after: int) -> int | None:
    places = []
    at = text.find(mark.quote, after)
    while at >= 0:
        if begins_line(text, at):
            places.append(at)
        at = text.find(mark.quote, at + 1)
    return min(places, key=lambda place: abs(place - mark.start), default=None)
