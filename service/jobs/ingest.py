"""Runs an ingest: each stage once, with its artefact in the store and its result in the database."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeVar

from sqlalchemy.orm import Session

from books.limits import Limits
from db.database import Database
from db.errors import DatabaseAway
from db.repositories import BookRepository, ChapterEditRepository, EventRepository, JobRepository
from db.store import ArtefactStore, Builder
from db.types import BookRecord
from retrieval.types import StageStamp
from service.jobs import stages
from service.jobs.attempt import TELL_SECONDS, Attempt
from service.jobs.errors import (
    INTERNAL,
    HandedOver,
    JobCancelled,
    JobGone,
    JobOver,
    StageFailed,
    may_pass,
    reason,
)
from service.jobs.process import Processes, StageProcess
from service.jobs.publishing import publish
from service.jobs.stage_estimates import Pace
from service.jobs.stages import WRITING, Stage, Upload
from service.observability import metrics
from service.observability.logs import logger

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0
MOST_ATTEMPTS = 50
"""Maximum starts of a job, so that a job that kills its worker is not retried forever."""

T = TypeVar("T")
log = logger("bookworm.jobs")


@dataclass(frozen=True, slots=True)
class Bench:
    """The input of a stage: the upload, the folder where the version is built, and the keys."""

    upload: Upload
    source: Path
    builder: Builder
    version: str
    keys: Mapping[str, str]
    engines: Mapping[str, str]

    def stamp(self, stage: Stage) -> StageStamp:
        return StageStamp(
            stage=stage.name,
            version=stage.version,
            engine=self.engines[stage.engine],
            key=self.keys[stage.name],
        )


class Ingest:
    def __init__(
        self,
        database: Database,
        store: ArtefactStore,
        *,
        processes: Processes,
        worker: str,
        tries: int,
        limits: Limits,
        stopping: threading.Event,
    ) -> None:
        self._database = database
        self._store = store
        self._processes = processes
        self._worker = worker
        self._tries = tries
        self._limits = limits
        self._stopping = stopping
        self._pace = Pace()
        self._working = 0
        self._idle = threading.Condition()

    @contextmanager
    def working(self) -> Iterator[None]:
        """Surrounds each execution of a job."""
        with self._idle:
            self._working += 1
        try:
            yield
        finally:
            with self._idle:
                self._working -= 1
                self._idle.notify_all()

    def wait_until_idle(self, timeout: float) -> bool:
        with self._idle:
            return self._idle.wait_for(lambda: self._working == 0, timeout)

    def begin(self, book_id: str, job_id: str) -> Attempt | None:
        """Starts the job. Returns None if there is nothing left to do, as after a second delivery."""
        return self._patiently(lambda: self._take_up(book_id, job_id))

    def stage(self, attempt: Attempt, name: str) -> bool:
        """Runs one stage. Returns False if the job failed, was cancelled, or its book was deleted."""
        try:
            self._patiently(lambda: self._do(attempt, name), tries=self._tries, idle=attempt.listen)
        except Exception as error:
            failure = error
            self._patiently(lambda: self._settle(attempt, failure))
            return False
        return True

    def _take_up(self, book_id: str, job_id: str) -> Attempt | None:
        with self._database.session() as session:
            jobs = JobRepository(session)
            book = BookRepository(session).get(book_id)
            if book is None or not jobs.start(job_id, worker=self._worker):
                return None
            job = jobs.get(job_id)
            assert job is not None
            data = {"worker": self._worker, "attempt": job.attempts}
            EventRepository(session).append(book_id, job_id=job_id, kind="job.started", data=data)
        log.info("job started", job=job_id, book=book_id, attempt=job.attempts)
        return Attempt(self._database, self._pace, job, book.size)

    def _do(self, attempt: Attempt, name: str) -> None:
        """Runs the stage, after repeating earlier stages whose results are lost."""
        if self._stopping.is_set():
            raise HandedOver
        if attempt.job.attempts > MOST_ATTEMPTS:
            raise StageFailed("job_lost", f"The job was started {MOST_ATTEMPTS} times and never finished.")
        with self._processes.one() as process:
            bench = self._bench(attempt, process)
            for stage in WRITING:
                if bench.builder.finished(stage.name, bench.keys[stage.name]) is None:
                    self._write(attempt, stage, bench, process)
                elif stage.name == name and name not in attempt.written:
                    self._note_reuse(attempt, stage)
                if stage.name == name:
                    return
        self._publish(attempt, bench)

    def _bench(self, attempt: Attempt, process: StageProcess) -> Bench:
        book, upload = self._book(attempt)
        engines = process.engines(idle=attempt.listen)
        keys = stages.keys(upload, engines)
        version = stages.version(keys)
        builder = self._store.builder(book.id, version)
        return Bench(upload, self._store.source(book.id), builder, version, keys, engines)

    def _write(self, attempt: Attempt, stage: Stage, bench: Bench, process: StageProcess) -> None:
        attempt.begin_stage(stage.name)
        with bench.builder.stage(bench.stamp(stage)) as out:
            process.run(
                stage.name,
                upload=bench.upload,
                limits=self._limits,
                source=bench.source,
                done=bench.builder.folder,
                out=out,
                progress=attempt.progress,
                idle=attempt.listen,
            )
        attempt.written.add(stage.name)
        with attempt.session() as session:
            attempt.end_stage(session)
        self._learn(attempt)

    def _note_reuse(self, attempt: Attempt, stage: Stage) -> None:
        attempt.stage = stage.name
        with attempt.session() as session:
            attempt.end_stage(session, reused=True)

    def _publish(self, attempt: Attempt, bench: Bench) -> None:
        attempt.begin_stage("publish")
        publish(attempt, bench.builder, version=bench.version, keys=bench.keys)
        self._learn(attempt)
        metrics.INGESTS.labels(state="succeeded").inc()
        log.info("job succeeded", job=attempt.job.id, book=attempt.job.book_id, version=bench.version)

    def _learn(self, attempt: Attempt) -> None:
        seconds = attempt.elapsed
        self._pace.learn(attempt.stage, size=attempt.size, seconds=seconds)
        metrics.STAGE_SECONDS.labels(stage=attempt.stage).observe(seconds)
        log.info("stage finished", job=attempt.job.id, stage=attempt.stage, seconds=round(seconds, 3))

    def _book(self, attempt: Attempt) -> tuple[BookRecord, Upload]:
        with attempt.session() as session:
            book = BookRepository(session).get(attempt.job.book_id)
            edit = ChapterEditRepository(session).get(attempt.job.book_id)
        if book is None:
            raise JobGone
        return book, Upload(book.content_sha256, book.filename, **asdict(book.options), edit=edit)

    def _settle(self, attempt: Attempt, error: Exception) -> None:
        """Ends the job as cancelled or failed, unless it is deleted or belongs to another execution."""
        job = attempt.job
        state, code = ("cancelled", "") if isinstance(error, JobCancelled) else ("failed", reason(error).code)
        try:
            with attempt.session(ending=True) as session:
                self._end(session, attempt, error)
                # Before the row is released, because the next job of this book may start at that moment.
                self._store.discard(job.book_id)
        except JobOver:
            return
        except JobGone:
            self._clean_up(job.book_id)
            return
        metrics.INGESTS.labels(state=state).inc()
        if code == INTERNAL:
            where = error.detail if isinstance(error, StageFailed) else None
            log.error("stage crashed", job=job.id, stage=attempt.stage, where=where, exc_info=error)
        log.info(f"job {state}", job=job.id, book=job.book_id, code=code)

    def _end(self, session: Session, attempt: Attempt, error: Exception) -> None:
        jobs, job = JobRepository(session), attempt.job
        if isinstance(error, JobCancelled):
            jobs.cancel(job.id)
            attempt.event(session, "job.cancelled")
            return
        why = reason(error)
        jobs.fail(job.id, code=why.code, error=why.error, remedy=why.remedy)
        BookRepository(session).fail(job.book_id)
        attempt.event(session, "job.failed", **why._asdict())

    def _clean_up(self, book_id: str) -> None:
        """Deletes what a stage may have written after its book was deleted."""
        with self._database.session(read_only=True) as session:
            gone = BookRepository(session).get(book_id) is None
        if gone:
            self._store.delete(book_id)

    def _patiently(
        self, action: Callable[[], T], *, tries: int = 1, idle: Callable[[], None] | None = None
    ) -> T:
        """Retries temporary failures with growing pauses, and waits for the database without a limit."""
        failures, pause = 0, FIRST_PAUSE
        while True:
            try:
                return action()
            except Exception as error:
                failures += 1
                if self._stopping.is_set():
                    raise HandedOver from error
                if not isinstance(error, DatabaseAway) and (failures >= tries or not may_pass(error)):
                    raise
                log.warning("trying again", code=reason(error).code, failures=failures, pause=pause)
            self._wait(pause, idle)
            pause = min(pause * 2, LONGEST_PAUSE)

    def _wait(self, seconds: float, idle: Callable[[], None] | None) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if self._stopping.wait(min(left, TELL_SECONDS)):
                raise HandedOver
            if idle is not None:
                idle()
