"""The library: uploads, lists, reads and deletes books, and manages their jobs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

import books.storage
import coref.storage
from books.formats.detect import glance
from db.database import Session
from db.repositories import BookRepository, EventRepository, JobRepository
from db.types import BookRecord, BookState, EventRecord, JobRecord, JobState, ReadingOptions
from retrieval.errors import IndexMissing, IndexStale
from service.errors import BookUnknown, JobNotFailed, JobUnknown
from service.services import Services
from service.usecases import spoiler_gate
from service.usecases.reading_orders import AS_BEFORE, Given, order

_CHUNK = 64 * 1024
_PAGE = 200


@dataclass(frozen=True, slots=True)
class Upload:
    book: BookRecord
    job: JobRecord | None
    """The job that processes the book; None if the same book was ready already."""
    created: bool


def upload(
    services: Services,
    *,
    library: str,
    data: bytes,
    filename: str | None = None,
    given: Given = AS_BEFORE,
) -> Upload:
    """Adds a book. The same bytes give the same book. It is processed again if it failed, is damaged, or has
    other options than before.

    The source is stored before the job exists, so that a crash between the two leaves a book that the next
    upload of the same bytes continues. Raises JobRunning.
    """
    wanted = given.over(ReadingOptions())
    glance(data)  # rejects unreadable files while the uploader is still connected
    book, created = _shelve(services, library, data, filename, wanted)
    wanted = given.over(book.options)
    sound = book.state is BookState.READY and _sound(services, book)
    if not sound and active_job(services, book_id=book.id) is None:
        services.store.put_source(book.id, data)
    job = order(
        services,
        book=book,
        change=lambda session: BookRepository(session).instruct(book.id, wanted),
        anew=not sound,
    )
    return Upload(book, job, created=created)


def _sound(services: Services, book: BookRecord) -> bool:
    """Whether the published version is undamaged and was not made by an older version of Bookworm."""
    try:
        folder = services.store.open(book.id, book.version or "")
        books.storage.load(folder)
    except (IndexMissing, IndexStale, books.storage.BookDamaged):
        return False
    return coref.storage.is_current(folder / coref.storage.FILE)


def _shelve(
    services: Services, library: str, data: bytes, filename: str | None, options: ReadingOptions
) -> tuple[BookRecord, bool]:
    digest = hashlib.sha256(data).hexdigest()
    with services.database.session() as session:
        return BookRepository(session).ensure(
            library=library, content_sha256=digest, filename=filename, size=len(data), options=options
        )


def list_books(
    services: Services, *, library: str, after: str | None = None, limit: int = 50, query: str | None = None
) -> list[BookRecord]:
    with services.database.session(read_only=True) as session:
        return BookRepository(session).page(library=library, after=after, limit=limit, query=query)


def every_book(services: Services, *, library: str) -> Iterator[BookRecord]:
    """All books in the library, newest first."""
    after: str | None = None
    while page := list_books(services, library=library, after=after, limit=_PAGE):
        yield from page
        after = page[-1].id


def get(services: Services, *, library: str, book_id: str) -> BookRecord:
    with services.database.session(read_only=True) as session:
        book = BookRepository(session).get(book_id, library=library)
    if book is None:
        raise BookUnknown(f"There is no book {book_id}.")
    return book


def text(
    services: Services, *, library: str, book_id: str, chapter: int | None = None, upto: str | None = None
) -> Iterator[str]:
    """The text in pieces, whole or of one chapter (counted from 1), up to `upto`."""
    book = spoiler_gate.view(services.shelf.open(book_id, library=library), upto).book
    start, end = 0, len(book.text)
    if chapter is not None:
        span = spoiler_gate.chapter(book, chapter).span
        start, end = span.start, span.end
    return (book.text[at : min(at + _CHUNK, end)] for at in range(start, end, _CHUNK))


def delete(services: Services, *, library: str, book_id: str) -> None:
    """Deletes a book and everything made from it. A running stage notices and stops."""
    book = get(services, library=library, book_id=book_id)
    running = active_job(services, book_id=book.id)
    if running is not None:
        services.jobs.cancel(running.id)
    with services.database.session() as session:
        BookRepository(session).delete(book.id)
    services.store.delete(book.id)


def active_job(services: Services, *, book_id: str) -> JobRecord | None:
    with services.database.session(read_only=True) as session:
        return JobRepository(session).active(book_id)


def list_jobs(
    services: Services,
    *,
    library: str,
    after: str | None = None,
    limit: int = 50,
    state: JobState | None = None,
    book_id: str | None = None,
) -> list[JobRecord]:
    with services.database.session(read_only=True) as session:
        return JobRepository(session).page(
            library=library, after=after, limit=limit, state=state, book_id=book_id
        )


def get_job(services: Services, *, library: str, job_id: str) -> JobRecord:
    with services.database.session(read_only=True) as session:
        job = JobRepository(session).get(job_id, library=library)
    if job is None:
        raise JobUnknown(f"There is no job {job_id}.")
    return job


def cancel_job(services: Services, *, library: str, job_id: str) -> JobRecord:
    """Cancels a job. A second request, or one for a finished job, changes nothing."""
    if not get_job(services, library=library, job_id=job_id).state.ended:
        services.jobs.cancel(job_id)
    return get_job(services, library=library, job_id=job_id)


def retry_job(services: Services, *, library: str, job_id: str) -> JobRecord:
    """Retries a failed or cancelled job without repeating completed stages. Returns a new job, or the running
    one. Raises JobNotFailed if the book has been processed."""
    job = get_job(services, library=library, job_id=job_id)
    book = get(services, library=library, book_id=job.book_id)

    def nothing_changes(session: Session) -> bool:
        latest = JobRepository(session).latest(book.id)
        if latest is not None and latest.state is JobState.SUCCEEDED:
            raise JobNotFailed("The last job for this book succeeded.")
        return False

    again = order(services, book=book, change=nothing_changes, anew=True)
    assert again is not None
    return again


def wait_for(services: Services, *, job: JobRecord, timeout: float) -> JobRecord:
    return services.jobs.wait(job.id, timeout)


def events(
    services: Services, *, library: str, book_id: str, after: int = 0, limit: int = 100
) -> list[EventRecord]:
    get(services, library=library, book_id=book_id)
    with services.database.session(read_only=True) as session:
        return EventRepository(session).since(book_id, after=after, limit=limit)
