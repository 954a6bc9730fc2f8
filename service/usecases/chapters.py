"""The chapters of a book, and their correction by a reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from books.edits import ChapterEdit, ChapterMark, make_edit
from books.types import Book, ChaptersBy
from db.database import Session
from db.repositories import BookRepository, ChapterEditRepository
from db.types import BookRecord, JobRecord
from service.services import Services
from service.shelf import OpenBook
from service.usecases import gating
from service.usecases.library import get
from service.usecases.ordering import order


@dataclass(frozen=True, slots=True)
class Corrected:
    book: BookRecord
    job: JobRecord | None
    """The job that reads the book with these chapters; None when it has them already."""


def of_book(services: Services, *, library: str, book_id: str, upto: str | None = None) -> Book:
    """The book as far as the reader has read: later titles are spoilers too."""
    return gating.view(services.shelf.open(book_id, library=library), upto).book


def correct(services: Services, *, library: str, book_id: str, marks: Sequence[ChapterMark]) -> Corrected:
    """From now on the chapters are these, also when the book is read anew.

    Raises ChaptersInvalid, BookNotReady, BookFailed, JobRunning.
    """
    while True:
        published = services.shelf.open(book_id, library=library)
        edit = make_edit(published.book, marks)
        try:
            job = order(services, book=published.record, change=partial(_keep, published, edit))
        except _Outdated:
            continue
        return _ordered(services, published.record, job)


class _Outdated(Exception):
    """Another version was published meanwhile, and perhaps another text."""


def _keep(published: OpenBook, edit: ChapterEdit, session: Session) -> bool:
    book, edits = published.record, ChapterEditRepository(session)
    if BookRepository(session).lock(book.id).version != book.version:
        raise _Outdated
    if edits.get(book.id) is None and _found_so(published.book, edit.marks):
        return False
    return edits.put(book.id, edit)


def forget(services: Services, *, library: str, book_id: str) -> Corrected:
    """Back to the chapters that are found in the book. Raises JobRunning."""
    book = get(services, library=library, book_id=book_id)

    def change(session: Session) -> bool:
        return ChapterEditRepository(session).clear(book.id)

    return _ordered(services, book, order(services, book=book, change=change))


def _found_so(book: Book, marks: Sequence[ChapterMark]) -> bool:
    found = [(chapter.span.start, chapter.title) for chapter in book.chapters]
    by_a_reader = book.report.chapters_by == ChaptersBy.READER
    return not by_a_reader and [(mark.start, mark.title) for mark in marks] == found


def _ordered(services: Services, book: BookRecord, job: JobRecord | None) -> Corrected:
    return Corrected(get(services, library=book.library, book_id=book.id), job)
