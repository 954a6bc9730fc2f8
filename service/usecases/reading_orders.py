"""Queues the processing of a book. Its options and its job are stored in one transaction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from books.encodings import canonical
from db.database import Session
from db.errors import JobRunning
from db.repositories import BookRepository, EventRepository, JobRepository
from db.types import BookRecord, JobRecord, JobState, ReadingOptions
from service.observability import context
from service.services import Services
from service.usecases.given_texts import line

AUTOMATIC: Final = "auto"
"""Instead of an encoding: detect it, as if none had ever been given."""


@dataclass(frozen=True, slots=True)
class Given:
    """The options of an upload. None means that the earlier value still applies."""

    title: str | None = None
    author: str | None = None
    encoding: str | None = None
    force: bool | None = None

    def over(self, before: ReadingOptions) -> ReadingOptions:
        """Combines the options with earlier ones. A blank text is as if not given. Raises EncodingUnknown."""
        return ReadingOptions(
            title=line(self.title or "") or before.title,
            author=line(self.author or "") or before.author,
            encoding=before.encoding if self.encoding is None else _encoding(self.encoding),
            force=before.force if self.force is None else self.force,
        )


AS_BEFORE: Final = Given()


def _encoding(name: str) -> str | None:
    return None if name.strip().casefold() == AUTOMATIC else canonical(name)


def order(
    services: Services, *, book: BookRecord, change: Callable[[Session], bool], anew: bool = False
) -> JobRecord | None:
    """Applies `change` and returns the job that processes the book; None if it already has these options.

    A queued job takes the change into account. A running one has started with the earlier options, so the
    change is refused and not stored; one that is being cancelled processes nothing, so nothing can be ordered
    of it. `anew`: process the book in any case.
    """
    context.note(book=book.id)
    with services.database.session() as session:
        BookRepository(session).lock(book.id)
        changed = change(session)
        jobs = JobRepository(session)
        latest = jobs.latest(book.id)
        if latest is not None and not latest.state.ended:
            if latest.cancel_requested:
                raise JobRunning(
                    "The earlier job is being cancelled.",
                    job=latest.id,
                    remedy="Wait for it to end, which takes a moment. Then send the request again.",
                )
            if changed and latest.state is JobState.RUNNING:
                raise _too_late(latest)
            context.note(job=latest.id)
            return latest
        if not changed and not anew and latest is not None and latest.state is JobState.SUCCEEDED:
            return None
        BookRepository(session).retry(book.id)
        job = jobs.create(book.id, library=book.library)
        EventRepository(session).append(book.id, job_id=job.id, kind="job.queued", data={})
    services.jobs.enqueue(job)
    context.note(job=job.id)
    return job


def _too_late(job: JobRecord) -> JobRunning:
    return JobRunning(
        "The book is being processed with the earlier options.",
        job=job.id,
        remedy="Wait for the running job to finish, or cancel it. Then send the request again.",
    )
