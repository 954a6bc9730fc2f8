"""The jobs that process the books of a library: watch, cancel and retry them."""

from __future__ import annotations

from db.database import Session
from db.repositories import EventRepository, JobRepository
from db.types import EventRecord, JobKind, JobRecord, JobState
from service.errors import JobNotFailed
from service.library import Library
from service.services import Services
from service.usecases.answer_jobs import SINCE, order_again
from service.usecases.reading_orders import order


def active(services: Services, *, book_id: str) -> JobRecord | None:
    with services.database.session(read_only=True) as session:
        return JobRepository(session).active(book_id)


def cancel(library: Library, *, job_id: str) -> JobRecord:
    """Cancels a job. A second request, or one for a finished job, changes nothing."""
    if not library.job(job_id).state.ended:
        library.services.jobs.cancel(job_id)
    return library.job(job_id)


def retry(library: Library, *, job_id: str) -> JobRecord:
    """Retries a failed or cancelled job without repeating completed stages. Returns a new job, or the running
    one. Raises JobNotFailed if the book has been processed, or the answer written, and JobRunning while the
    job of the book is being cancelled.
    """
    job = library.job(job_id)
    if job.kind is JobKind.ANSWER:
        return _retry_answer(library, job)
    book = library.book(job.book_id)

    def nothing_changes(session: Session) -> bool:
        latest = JobRepository(session).latest(book.id)
        if latest is not None and latest.state is JobState.SUCCEEDED:
            raise JobNotFailed("The last job for this book succeeded.")
        return False

    again = order(library.services, book=book, change=nothing_changes, anew=True)
    assert again is not None
    return again


def _retry_answer(library: Library, job: JobRecord) -> JobRecord:
    if job.state is JobState.SUCCEEDED:
        raise JobNotFailed("The job has written its answer.", remedy="Read the answer at the job's `answer`.")
    if not job.state.ended and not job.cancel_requested:
        return job
    assert job.request is not None
    since = job.request.get(SINCE, job.created.isoformat())
    return order_again(library, job.book_id, {**job.request, SINCE: since})


def events(library: Library, *, book_id: str, after: int = 0, limit: int = 100) -> list[EventRecord]:
    library.book(book_id)
    with library.services.database.session(read_only=True) as session:
        return EventRepository(session).since(book_id, after=after, limit=limit)
