"""One execution of a job. It writes progress to the row of the job, and reads requests to cancel from it.

An execution may outlive its right to the job: its worker was silent for too long, and another one took the
job over. Each start of a job increments its number of attempts. An execution that finds a different number
there knows that it was replaced, changes nothing any more and stops.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from sqlalchemy.orm import Session

from db.database import Database
from db.errors import BookGone, DatabaseAway
from db.repositories import BookRepository, EventRepository, JobRepository
from db.types import BookRecord, JobRecord
from service.jobs.errors import HandedOver, JobCancelled, JobGone, JobOver, reason
from service.jobs.stage_estimates import Pace
from service.jobs.stages import PLAN
from service.observability.logs import logger

MOST_ATTEMPTS = 50
"""Maximum starts of a job, so that a job that kills its worker is not retried forever."""
TELL_SECONDS = 0.5
"""Minimum seconds between two accesses to the row of the job."""
NEWS = 0.01
"""Minimum progress for an event."""

log = logger("bookworm.jobs")


def taken_up(
    database: Database, book_id: str, job_id: str, *, worker: str
) -> tuple[JobRecord, BookRecord] | None:
    """Start a job. Returns None if there is nothing left to do, as after a second delivery."""
    with database.session() as session:
        jobs = JobRepository(session)
        book = BookRepository(session).get(book_id)
        if book is None or not jobs.start(job_id, worker=worker):
            return None
        job = jobs.get(job_id)
        assert job is not None
        data = {"worker": worker, "attempt": job.attempts}
        EventRepository(session).append(book_id, job_id=job_id, kind=job.kind.event("started"), data=data)
    log.info("job started", job=job_id, book=book_id, attempt=job.attempts)
    return job, book


@dataclass(slots=True)
class Attempt:
    database: Database
    job: JobRecord
    _told_at: float = 0.0

    @contextmanager
    def session(self, *, ending: bool = False) -> Iterator[Session]:
        """A transaction in which the job belongs to this execution and, unless `ending`, is not cancelled."""
        try:
            with self.database.session() as session:
                self._still_ours(JobRepository(session).get(self.job.id), ending=ending)
                yield session
        except BookGone as gone:
            raise JobGone from gone

    def listen(self) -> None:
        """Called often. The work goes on if the database is unavailable."""
        if time.monotonic() - self._told_at < TELL_SECONDS:
            return
        self._told_at = time.monotonic()
        with suppress(DatabaseAway), self.session() as session:
            self.tell(session)

    def tell(self, session: Session) -> None:
        """Write how far the work is."""

    def event(self, session: Session, kind: str, **data: str | float | bool) -> None:
        EventRepository(session).append(self.job.book_id, job_id=self.job.id, kind=kind, data=data)

    def end(self, session: Session, error: Exception, *, remedy: str) -> bool:
        """End the job as cancelled or failed. Returns whether it failed."""
        jobs = JobRepository(session)
        if isinstance(error, JobCancelled):
            jobs.cancel(self.job.id)
            self.event(session, self.job.kind.event("cancelled"))
            return False
        why = reason(error, remedy=remedy)
        jobs.fail(self.job.id, code=why.code, error=why.error, remedy=why.remedy, in_full=why.in_full)
        self.event(session, self.job.kind.event("failed"), **why.event())
        return True

    def _still_ours(self, now: JobRecord | None, *, ending: bool) -> None:
        if now is None:
            raise JobGone
        if now.attempts != self.job.attempts:
            raise HandedOver
        if now.state.ended:
            raise JobOver
        if now.cancel_requested and not ending:
            raise JobCancelled


@dataclass(slots=True)
class IngestAttempt(Attempt):
    pace: Pace = field(kw_only=True)
    size: int = field(kw_only=True)
    """Size of the upload in bytes."""
    stage: str = PLAN[0].name
    written: set[str] = field(default_factory=set)
    """Stages that this execution ran itself."""
    _began: float = field(default_factory=time.monotonic)
    _share: float = 0.0
    _told_share: float = 0.0

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self._began

    def begin_stage(self, stage: str) -> None:
        self.stage, self._began, self._share, self._told_share = stage, time.monotonic(), 0.0, 0.0
        with self.session() as session:
            self.event(session, "stage.started", stage=stage, **self._write_progress(session))

    def end_stage(self, session: Session, *, reused: bool = False) -> None:
        """`reused`: the result of an earlier attempt was used."""
        if not reused:
            JobRepository(session).timing(self.job.id, stage=self.stage, seconds=round(self.elapsed, 3))
        self.event(session, "stage.finished", stage=self.stage, seconds=round(self.elapsed, 3), reused=reused)

    def progress(self, share: float) -> None:
        self._share = max(self._share, min(share, 1.0))
        self.listen()

    def tell(self, session: Session) -> None:
        written = self._write_progress(session)
        if self._share - self._told_share >= NEWS:
            self._told_share = self._share
            share = round(self._share, 3)
            self.event(session, "stage.progress", stage=self.stage, progress=share, **written)

    def _write_progress(self, session: Session) -> dict[str, float]:
        """Returns what was written, so that events contain it and clients need not request the job."""
        done = round(self.pace.done(self.stage, self._share, size=self.size), 4)
        left = round(self.pace.left(self.stage, self._share, elapsed=self.elapsed, size=self.size), 1)
        JobRepository(session).progress(self.job.id, stage=self.stage, progress=done, seconds_left=left)
        return {"job_progress": done, "seconds_left": left}
