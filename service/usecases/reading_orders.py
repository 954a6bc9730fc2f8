"""Having a book read: how it is to be read is written down together with the job that will do it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from books.encodings import canonical
from db.database import Session
from db.errors import JobRunning
from db.repositories import BookRepository, EventRepository, JobRepository
from db.types import BookRecord, JobRecord, JobState, ReadingOptions
from service.services import Services

AUTOMATIC: Final = "auto"
"""In place of an encoding: let the file tell, as if none had ever been given."""


@dataclass(frozen=True, slots=True)
class Given:
    """What an uploader says of a file this time. None says nothing: what was said before still holds."""

    title: str | None = None
    author: str | None = None
    encoding: str | None = None
    force: bool | None = None

    def over(self, before: ReadingOptions) -> ReadingOptions:
        """Raises EncodingUnknown."""
        return ReadingOptions(
            title=self.title or before.title,
            author=self.author or before.author,
            encoding=before.encoding if self.encoding is None else _encoding(self.encoding),
            force=before.force if self.force is None else self.force,
        )


AS_BEFORE: Final = Given()


def _encoding(name: str) -> str | None:
    return None if name.strip().casefold() == AUTOMATIC else canonical(name)


def order(
    services: Services, *, book: BookRecord, change: Callable[[Session], bool], anew: bool = False
) -> JobRecord | None:
    """The job that reads the book as it is to be read after `change`; None when it is read so already.

    A job that only waits takes the change along. One that runs has begun as the book was to be read before,
    so the change is refused, and nothing of it is kept. `anew`: read the book in any case.
    """
    with services.database.session() as session:
        BookRepository(session).lock(book.id)
        changed = change(session)
        jobs = JobRepository(session)
        latest = jobs.latest(book.id)
        if latest is not None and not latest.state.ended:
            if changed and latest.state is JobState.RUNNING:
                raise _too_late(latest)
            return latest
        if not changed and not anew and latest is not None and latest.state is JobState.SUCCEEDED:
            return None
        BookRepository(session).retry(book.id)
        job = jobs.create(book.id, library=book.library)
        EventRepository(session).append(book.id, job_id=job.id, kind="job.queued", data={})
    services.jobs.enqueue_ingest(book.id, job.id)
    return job


def _too_late(job: JobRecord) -> JobRunning:
    return JobRunning(
        "The book is being read just now, in the way that was asked for before.",
        job_id=job.id,
        remedy="Wait for the running job to end, or cancel it, then send this again.",
    )
