"""The books of a library: add, read and delete them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

import books.storage
import coref.storage
from books.errors import BookwormError, NotText
from books.formats.detect import glance
from db.errors import BookGone, StorageFull
from db.repositories import BookRepository, JobRepository
from db.types import BookRecord, BookState, JobRecord, ReadingOptions
from retrieval.errors import IndexMissing, IndexStale
from service import spoiler_gate
from service.library import Library
from service.observability.logs import logger
from service.services import Services
from service.shelf import View
from service.usecases.jobs import active
from service.usecases.reading_orders import AS_BEFORE, Given, order

log = logger("bookworm.books")

_CHUNK = 64 * 1024


@dataclass(frozen=True, slots=True)
class Upload:
    book: BookRecord
    job: JobRecord | None
    """The job that processes the book; None if the same book was ready already."""
    created: bool


def upload(
    library: Library,
    *,
    data: bytes,
    filename: str | None = None,
    given: Given = AS_BEFORE,
) -> Upload:
    """Adds a book. The same bytes give the same book. It is processed again if it failed, is damaged, or has
    other options than before.

    The source is stored before the job exists, so that a crash between the two leaves a book that the next
    upload of the same bytes continues. An error leaves no book that waits for a job. Raises JobRunning.
    """
    wanted = given.over(ReadingOptions())
    glance(data)  # rejects unreadable files while the uploader is still connected
    services = library.services
    book, created = _shelve(library, data, filename, wanted)
    wanted = given.over(_kept_options(services, book))
    sound = book.state is BookState.READY and _sound(services, book)
    try:
        if not sound and active(services, book_id=book.id) is None:
            services.store.put_source(book.id, data)
        job = order(
            services,
            book=book,
            change=lambda session: BookRepository(session).instruct(book.id, wanted),
            anew=not sound,
        )
    except Exception as error:
        try:
            if _withdrawn(services, book, error, created=created):
                _remove_files(services, book.id)
        except BookGone as gone:  # deleted meanwhile, perhaps while its file was written
            _remove_files(services, book.id)
            raise gone from error
        except BookwormError:
            pass
        raise
    return Upload(book, job, created=created)


def _withdrawn(services: Services, book: BookRecord, error: Exception, *, created: bool) -> bool:
    """Deletes a new book that could not be uploaded, and ends the wait of an earlier one. Returns whether it
    deleted it. Another upload of the same bytes may have been quicker: a book with a job stays as it is.

    Raises BookGone.
    """
    with services.database.session() as session:
        shelf, jobs = BookRepository(session), JobRepository(session)
        shelf.lock(book.id)
        if jobs.active(book.id) is not None:
            return False
        if created and jobs.latest(book.id) is None:
            with suppress(BookwormError):
                services.store.mark_deleted(book.id)
            return shelf.delete(book.id)
        services.jobs.give_up(session, book, error)
        return False


def _kept_options(services: Services, book: BookRecord) -> ReadingOptions:
    """The options of the book, without an encoding in which its file could not be read."""
    with services.database.session(read_only=True) as session:
        job = JobRepository(session).latest(book.id)
    refused = job is not None and job.error_code == NotText.code
    return replace(book.options, encoding=None) if refused else book.options


def _sound(services: Services, book: BookRecord) -> bool:
    """Whether the published version is undamaged and was not made by an older version of Bookworm."""
    try:
        folder = services.store.open(book.id, book.version or "")
        books.storage.load(folder)
    except (IndexMissing, IndexStale, books.storage.BookDamaged):
        return False
    return coref.storage.is_current(folder / coref.storage.FILE)


def _shelve(
    library: Library, data: bytes, filename: str | None, options: ReadingOptions
) -> tuple[BookRecord, bool]:
    digest = hashlib.sha256(data).hexdigest()
    with library.services.database.session() as session:
        return BookRepository(session).ensure(
            library=library.name, content_sha256=digest, filename=filename, size=len(data), options=options
        )


def text(view: View, *, chapter: int | None = None) -> Iterator[str]:
    """The text in pieces, whole or one chapter (counted from 1)."""
    book = view.book
    start, end = 0, len(book.text)
    if chapter is not None:
        span = spoiler_gate.chapter(view, chapter).span
        start, end = span.start, span.end
    return (book.text[at : min(at + _CHUNK, end)] for at in range(start, end, _CHUNK))


def reprocess(library: Library, *, book_id: str) -> JobRecord:
    """Processes a book again with the engines of today. What the same engines made already is not repeated.

    Raises JobRunning while the job of the book is being cancelled.
    """
    book = library.book(book_id)
    job = order(library.services, book=book, change=lambda _: False, anew=True)
    assert job is not None
    return job


def delete(library: Library, *, book_id: str) -> None:
    """Deletes a book and everything made from it. A running stage notices and stops.

    The mark comes before the row goes, so that files that stay behind are known to be of a deleted book.
    """
    book, services = library.book(book_id), library.services
    running = active(services, book_id=book.id)
    try:
        with suppress(StorageFull):  # deleting is what helps then
            services.store.mark_deleted(book.id)
        if running is not None:
            services.jobs.cancel(running.id)
        with services.database.session() as session:
            BookRepository(session).delete(book.id)
    except Exception:
        with suppress(BookwormError):
            library.book(book.id)  # raises if it is gone after all
            services.store.unmark(book.id)
        raise
    _remove_files(services, book.id)


def _remove_files(services: Services, book_id: str) -> None:
    """The book has no row any more. What cannot be removed now is left to the sweep."""
    try:
        services.store.delete(book_id)
    except BookwormError as error:
        log.warning("files of a deleted book remain", book=book_id, code=error.code)
