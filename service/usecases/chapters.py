"""The chapters of a book, and their correction."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from books.edits import ChapterEdit, ChapterMark, make_edit
from books.types import Book, Chapter, ChaptersBy, Span, count_words
from db.database import Session
from db.repositories import BookRepository, ChapterEditRepository
from db.types import BookRecord, JobRecord
from service.library import Library
from service.shelf import OpenBook
from service.usecases.reading_orders import order


@dataclass(frozen=True, slots=True)
class Corrected:
    book: BookRecord
    job: JobRecord | None
    """The job that applies these chapters; None if the book already has them."""


def correct(library: Library, *, book_id: str, marks: Sequence[ChapterMark]) -> Corrected:
    """Replaces the chapters. The correction is kept when the book is reprocessed.

    Raises ChaptersInvalid, BookNotReady, BookFailed, JobRunning.
    """
    while True:
        published = library.open(book_id)
        edit = make_edit(published.book, marks)
        try:
            job = order(library.services, book=published.record, change=partial(_keep, published, edit))
        except _Outdated:
            continue
        return _ordered(library, published.record, job)


class Change(StrEnum):
    SAME = "same"
    RETITLED = "retitled"
    MOVED = "moved"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class Planned:
    """A chapter in the preview of a correction."""

    number: int
    title: str
    span: Span
    words: int
    change: Change
    was: Chapter | None
    """The current chapter that it replaces; None for a new one."""


@dataclass(frozen=True, slots=True)
class ChapterPlan:
    chapters: tuple[Planned, ...]
    gone: tuple[Chapter, ...]


def preview(library: Library, *, book_id: str, marks: Sequence[ChapterMark]) -> ChapterPlan:
    """The chapters that `correct` would create. Nothing is stored. Raises ChaptersInvalid."""
    book = library.open(book_id).book
    kept = make_edit(book, marks).marks
    starts = [mark.start for mark in kept]
    ending = book.chapters[-1].span.end
    ends = [*starts[1:], ending if starts[-1] < ending else len(book.text)]
    before = _before(book, kept)
    planned = []
    for number, (mark, end) in enumerate(zip(kept, ends, strict=True), 1):
        span, was = Span(mark.start, end), before[mark]
        planned.append(Planned(number, mark.title, span, _words(book, span), _change(mark, was), was))
    stay = {was.index for was in before.values() if was is not None}
    return ChapterPlan(tuple(planned), tuple(c for c in book.chapters if c.index not in stay))


def _before(book: Book, marks: Sequence[ChapterMark]) -> dict[ChapterMark, Chapter | None]:
    """The current chapter for each mark: the one that starts there, or else the next with that title."""
    starts = {chapter.span.start: chapter for chapter in book.chapters}
    taken = {mark.start for mark in marks}
    moved: dict[str, list[Chapter]] = {}
    for chapter in book.chapters:
        if chapter.span.start not in taken:
            moved.setdefault(chapter.title, []).append(chapter)
    found: dict[ChapterMark, Chapter | None] = {}
    for mark in marks:
        same = moved.get(mark.title)
        found[mark] = starts.get(mark.start) or (same.pop(0) if same else None)
    return found


def _change(mark: ChapterMark, was: Chapter | None) -> Change:
    if was is None:
        return Change.NEW
    if was.span.start != mark.start:
        return Change.MOVED
    return Change.SAME if was.title == mark.title else Change.RETITLED


def _words(book: Book, span: Span) -> int:
    """Counts words like those of a chapter, including text that would become part of the story."""
    story = Span(book.chapters[0].span.start, book.chapters[-1].span.end)
    first = bisect_right(book.paragraphs, span.start, key=lambda p: p.span.end)
    last = bisect_left(book.paragraphs, span.end, key=lambda p: p.span.start)
    parts = [p.span for p in book.paragraphs[first:last]]
    parts += [Span(span.start, min(span.end, story.start))] if span.start < story.start else []
    parts += [Span(max(span.start, story.end), span.end)] if span.end > story.end else []
    return sum(count_words(book.text[max(p.start, span.start) : min(p.end, span.end)]) for p in parts)


class _Outdated(Exception):
    """Another version, possibly with another text, was published in the meantime."""


def _keep(published: OpenBook, edit: ChapterEdit, session: Session) -> bool:
    book, edits = published.record, ChapterEditRepository(session)
    if BookRepository(session).lock(book.id).version != book.version:
        raise _Outdated
    if edits.get(book.id) is None and _found_so(published.book, edit.marks):
        return False
    return edits.put(book.id, edit)


def forget(library: Library, *, book_id: str) -> Corrected:
    """Restores the detected chapters. Raises JobRunning."""
    book = library.book(book_id)

    def change(session: Session) -> bool:
        return ChapterEditRepository(session).clear(book.id)

    return _ordered(library, book, order(library.services, book=book, change=change))


def _found_so(book: Book, marks: Sequence[ChapterMark]) -> bool:
    found = [(chapter.span.start, chapter.title) for chapter in book.chapters]
    by_a_reader = book.report.chapters_by == ChaptersBy.READER
    return not by_a_reader and [(mark.start, mark.title) for mark in marks] == found


def _ordered(library: Library, book: BookRecord, job: JobRecord | None) -> Corrected:
    return Corrected(library.book(book.id), job)
