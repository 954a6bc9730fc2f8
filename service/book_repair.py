"""A book that turns out to be unsound is read anew: once, whoever asks, and as little of it as need be.

Whatever stages are still sound keep their keys and are taken over (`service/jobs`), so a damaged index costs
an index, and a new embedder too.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from books.errors import BookwormError
from db.database import Session
from db.repositories import JobRepository
from db.types import BookRecord, JobRecord, JobState
from retrieval.errors import IndexStale
from service.job_failures import failure_of
from service.observability.logs import logger
from service.services import Services
from service.usecases.reading_orders import order

PAUSE: Final = timedelta(minutes=5)
"""For so long what failed is not tried again by itself."""
WAIT: Final = "It is being read anew by itself: wait for the job to end, then ask again."
ASK_AGAIN: Final = "It has been read anew meanwhile: ask again."
ALIKE: Final = "Set `BOOKWORM_EMBEDDER` alike for the service and all its workers."

log = logger("bookworm.mending")


class _Settled(Exception):
    """A job has ended since, or lately, and another would not help."""

    def __init__(self, job: JobRecord, remedy: str, why: str = "") -> None:
        super().__init__(why)
        self.job = job
        self.remedy = remedy
        self.why = why


class Mending:
    """Mends the books of one process's services."""

    def __init__(self, services: Services, *, pause: timedelta = PAUSE) -> None:
        self._services = services
        self._pause = pause
        self._for_model: dict[str, datetime] = {}
        """When a book was last read anew for this process's embedder."""

    def __call__(
        self, book: BookRecord, found: BookwormError, *, since: datetime, other_model: bool
    ) -> BookwormError:
        """What to tell those who asked for `book`, where this was found; a job is at it, or has been."""
        if getattr(found, "job", None) is not None:
            return found
        self._services.shelf.drop(book.id)

        def still_needed(session: Session) -> bool:
            latest = JobRepository(session).latest(book.id)
            if latest is not None and latest.ended is not None:
                in_vain = other_model and self._lately(self._for_model.get(book.id))
                self._check(latest, latest.ended, since=since, in_vain=in_vain)
            return False

        try:
            job = order(self._services, book=book, change=still_needed, anew=True)
        except _Settled as settled:
            detail = f"{found.detail} {settled.why}".strip()
            return IndexStale(detail, remedy=settled.remedy, job=settled.job.id)
        assert job is not None
        if other_model:
            self._for_model[book.id] = datetime.now(UTC)
        log.warning("book unsound", book=book.id, code=found.code, job=job.id)
        return IndexStale(found.detail, remedy=WAIT, job=job.id)

    def _check(self, job: JobRecord, ended: datetime, *, since: datetime, in_vain: bool) -> None:
        """Raises `_Settled` where the book need not or cannot be read anew now."""
        succeeded = job.state is JobState.SUCCEEDED
        if succeeded and ended >= since:
            raise _Settled(job, ASK_AGAIN)
        if succeeded and in_vain:
            raise _Settled(job, ALIKE, "Reading it anew did not change that.")
        if not succeeded and self._lately(ended):
            why = failure_of(job)
            raise _Settled(job, why.advice, f"Reading it anew failed: {why.detail}")

    def _lately(self, moment: datetime | None) -> bool:
        return moment is not None and datetime.now(UTC) - moment <= self._pause
