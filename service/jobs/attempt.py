"""One execution of one job, and its conversation with the job's row: progress goes there, orders come back.

An execution may outlive its right to the job: its worker was silent for too long, and another took the job
over. Each start of a job raises the number of its attempts, so an execution that finds another number than
its own there knows that it was replaced, changes nothing any more and stops.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from sqlalchemy.orm import Session

from db.database import Database
from db.errors import BookGone, DatabaseAway
from db.repositories import EventRepository, JobRepository
from db.types import JobRecord
from service.jobs.errors import HandedOver, JobCancelled, JobGone, JobOver
from service.jobs.stage_estimates import Pace
from service.jobs.stages import PLAN

TELL_SECONDS = 0.5
"""Progress is written and orders are read at most so often."""
NEWS = 0.01
"""Less progress than this is not worth an event."""


@dataclass(slots=True)
class Attempt:
    database: Database
    pace: Pace
    job: JobRecord
    size: int
    """Bytes of the upload."""
    stage: str = PLAN[0].name
    written: set[str] = field(default_factory=set)
    """Stages that this execution did itself."""
    _began: float = 0.0
    _share: float = 0.0
    _told_share: float = 0.0
    _told_at: float = 0.0

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self._began

    @contextmanager
    def session(self, *, ending: bool = False) -> Iterator[Session]:
        """A transaction in which the job is surely still ours, alive and (unless it is ending) wanted."""
        try:
            with self.database.session() as session:
                self._still_ours(JobRepository(session).get(self.job.id), ending=ending)
                yield session
        except BookGone as gone:
            raise JobGone from gone

    def begin_stage(self, stage: str) -> None:
        self.stage, self._began, self._share, self._told_share = stage, time.monotonic(), 0.0, 0.0
        with self.session() as session:
            self.event(session, "stage.started", stage=stage, **self._write_progress(session))

    def end_stage(self, session: Session, *, reused: bool = False) -> None:
        """`reused`: an earlier attempt had done it."""
        if not reused:
            JobRepository(session).timing(self.job.id, stage=self.stage, seconds=round(self.elapsed, 3))
        self.event(session, "stage.finished", stage=self.stage, seconds=round(self.elapsed, 3), reused=reused)

    def progress(self, share: float) -> None:
        self._share = max(self._share, min(share, 1.0))
        self.listen()

    def listen(self) -> None:
        """Called often; a database that is away does not stop the work."""
        if time.monotonic() - self._told_at < TELL_SECONDS:
            return
        self._told_at = time.monotonic()
        with suppress(DatabaseAway), self.session() as session:
            written = self._write_progress(session)
            if self._share - self._told_share >= NEWS:
                self._told_share = self._share
                share = round(self._share, 3)
                self.event(session, "stage.progress", stage=self.stage, progress=share, **written)

    def event(self, session: Session, kind: str, **data: str | float | bool) -> None:
        EventRepository(session).append(self.job.book_id, job_id=self.job.id, kind=kind, data=data)

    def _write_progress(self, session: Session) -> dict[str, float]:
        """What was written is also what events tell, so that who hears them need not ask for the job."""
        done = round(self.pace.done(self.stage, self._share, size=self.size), 4)
        left = round(self.pace.left(self.stage, self._share, elapsed=self.elapsed, size=self.size), 1)
        JobRepository(session).progress(self.job.id, stage=self.stage, progress=done, seconds_left=left)
        return {"job_progress": done, "seconds_left": left}

    def _still_ours(self, now: JobRecord | None, *, ending: bool) -> None:
        if now is None:
            raise JobGone
        if now.attempts != self.job.attempts:
            raise HandedOver
        if now.state.ended:
            raise JobOver
        if now.cancel_requested and not ending:
            raise JobCancelled
