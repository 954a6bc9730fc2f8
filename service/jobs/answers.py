"""Runs the jobs that write an answer.

What a language model wrote on a part of the book is kept at once, so an execution that is repeated asks only
for the rest.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from sqlalchemy.orm import Session

from db.database import Database
from db.repositories import JobRepository
from db.types import JobRecord
from generation.errors import WritingCancelled
from generation.protocols import Audience
from service.jobs.attempt import MOST_ATTEMPTS, Attempt, taken_up
from service.jobs.errors import (
    ASK_AGAIN,
    INTERNAL,
    HandedOver,
    JobCancelled,
    JobGone,
    JobOver,
    StageFailed,
    reason,
)
from service.jobs.patience import NOT_WRITTEN, Patience
from service.observability.logs import logger

STAGE = "write"
_SURE = 0.05
"""Share of the parts before which the time left is not estimated."""

log = logger("bookworm.jobs")


WriteAnswer = Callable[[JobRecord, Audience], None]
"""Writes and stores the answer that a job asks for."""


@dataclass(slots=True)
class AnswerAttempt(Attempt):
    """The audience of the writer: it writes how far it is, and tells it to stop."""

    stopping: threading.Event = field(kw_only=True)
    _share: float = 0.0
    _began: float = field(default_factory=time.monotonic)

    def hear(self, piece: str) -> None: ...

    def again(self, reason: str) -> None: ...

    def think(self) -> None: ...

    def advance(self, done: int, parts: int) -> None:
        self._share = done / max(parts, 1)

    def gone(self) -> bool:
        """Whether the job has ended. The errors that say so must not pass through the writer."""
        if self.stopping.is_set():
            return True
        try:
            self.listen()
        except (JobCancelled, JobGone, JobOver, HandedOver):
            self._told_at = 0.0  # so that the next call raises it again
            return True
        return False

    def tell(self, session: Session) -> None:
        spent = time.monotonic() - self._began
        left = None if self._share < _SURE else round(spent * (1 - self._share) / self._share, 1)
        share = round(self._share, 4)
        JobRepository(session).progress(self.job.id, stage=STAGE, progress=share, seconds_left=left)


class AnswerJobs:
    def __init__(
        self, database: Database, *, write: WriteAnswer, worker: str, tries: int, stopping: threading.Event
    ) -> None:
        self._database = database
        self._write = write
        self._worker = worker
        self._tries = tries
        self._stopping = stopping
        self._patiently = Patience(stopping)

    def run(self, book_id: str, job_id: str) -> None:
        attempt = self._patiently(lambda: self._take_up(book_id, job_id), waits_for=NOT_WRITTEN)
        if attempt is None:
            return
        try:
            self._patiently(lambda: self._do(attempt), tries=self._tries, idle=attempt.listen)
        except Exception as error:
            failure = error
            self._patiently(lambda: self._settle(attempt, failure), waits_for=NOT_WRITTEN)

    def _take_up(self, book_id: str, job_id: str) -> AnswerAttempt | None:
        taken = taken_up(self._database, book_id, job_id, worker=self._worker)
        return None if taken is None else AnswerAttempt(self._database, taken[0], stopping=self._stopping)

    def _do(self, attempt: AnswerAttempt) -> None:
        if attempt.job.attempts > MOST_ATTEMPTS:
            raise StageFailed("job_lost", f"The job was started {MOST_ATTEMPTS} times and never finished.")
        try:
            self._write(attempt.job, attempt)
        except WritingCancelled:
            if self._stopping.is_set():
                raise HandedOver from None
            attempt.listen()  # raises the reason
            raise
        with attempt.session() as session:
            attempt.event(session, attempt.job.kind.event("succeeded"))
            JobRepository(session).succeed(attempt.job.id)
        log.info("job succeeded", job=attempt.job.id, book=attempt.job.book_id)

    def _settle(self, attempt: AnswerAttempt, error: Exception) -> None:
        try:
            with attempt.session(ending=True) as session:
                failed = attempt.end(session, error, remedy=ASK_AGAIN)
        except (JobOver, JobGone):
            return
        job, logged = attempt.job, reason(error).logged()
        if failed and logged["code"] == INTERNAL:
            log.error("answer crashed", job=job.id, exc_info=error)
        log.info("job failed" if failed else "job cancelled", job=job.id, book=job.book_id, **logged)
