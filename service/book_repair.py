"""Repairs damaged or outdated books: the book is reprocessed once, however many requests find the problem.

Stages whose results are intact keep their keys and are reused (`service/jobs`). A damaged index or a new
embedder therefore costs only a new index.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from books.errors import BookwormError
from db.database import Session
from db.errors import JobRunning
from db.repositories import JobRepository
from db.types import BookRecord, JobRecord, JobState
from retrieval.errors import IndexStale
from service.job_failures import failure_of
from service.observability.logs import logger
from service.services import Services
from service.usecases.reading_orders import order

PAUSE: Final = timedelta(minutes=5)
"""How long a failed repair is not retried automatically."""
WAIT: Final = "The book is being reprocessed automatically. Wait for the job to finish, then try again."
ASK_AGAIN: Final = "The book has been reprocessed in the meantime. Try again."
ALIKE: Final = "Set `BOOKWORM_EMBEDDER` to the same value for the service and all its workers."

log = logger("bookworm.mending")


class Mending:
    """Repairs the books that the services of one process find unsound."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._for_model: dict[str, datetime] = {}
        """When each book was last reprocessed for the embedder of this process."""

    def __call__(
        self, book: BookRecord, found: BookwormError, *, since: datetime, other_model: bool
    ) -> BookwormError:
        """The error for requests for `book`. A repair job is queued, running or has just ended."""
        if found.job is not None:
            return found
        self._services.shelf.drop(book.id)

        def still_needed(session: Session) -> bool:
            latest = JobRepository(session).latest(book.id)
            if latest is not None and latest.ended is not None:
                in_vain = other_model and self._lately(self._for_model.get(book.id))
                self._check(found, latest, latest.ended, since=since, in_vain=in_vain)
            return False

        try:
            job = order(self._services, book=book, change=still_needed, anew=True)
        except IndexStale as settled:
            return settled
        except JobRunning as ending:
            return IndexStale(found.detail, remedy=ending.advice, job=ending.job)
        assert job is not None
        if other_model:
            self._for_model[book.id] = datetime.now(UTC)
        log.warning("book unsound", book=book.id, code=found.code, job=job.id)
        return IndexStale(found.detail, remedy=WAIT, job=job.id)

    def _check(
        self, found: BookwormError, job: JobRecord, ended: datetime, *, since: datetime, in_vain: bool
    ) -> None:
        """Raises an error if the job that ended last solved the problem, or if another one would not."""
        succeeded = job.state is JobState.SUCCEEDED
        if succeeded and ended >= since:
            raise IndexStale(found.detail, remedy=ASK_AGAIN, job=job.id)
        if succeeded and in_vain:
            detail = f"{found.detail} Reprocessing the book did not solve the problem."
            raise IndexStale(detail, remedy=ALIKE, job=job.id)
        if not succeeded and self._lately(ended):
            raise failure_of(job).led_to(IndexStale, f"{found.detail} Reprocessing the book failed:")

    def _lately(self, moment: datetime | None) -> bool:
        return moment is not None and datetime.now(UTC) - moment <= PAUSE
