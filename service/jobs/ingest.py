"""Runs an ingest: each stage once, with its artefact in the store and its result in the database."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from books.errors import BookwormError
from books.limits import Limits
from db.database import Database
from db.repositories import BookRepository, ChapterEditRepository
from db.store import ArtefactStore, Builder
from db.types import BookRecord
from retrieval.types import StageStamp
from service.jobs import stages
from service.jobs.attempt import MOST_ATTEMPTS, IngestAttempt, taken_up
from service.jobs.errors import (
    INTERNAL,
    UPLOAD_AGAIN,
    HandedOver,
    JobCancelled,
    JobGone,
    JobOver,
    StageFailed,
    reason,
)
from service.jobs.patience import NOT_WRITTEN, Patience
from service.jobs.process import Processes, StageProcess
from service.jobs.publishing import publish
from service.jobs.stage_estimates import Pace
from service.jobs.stages import WRITING, Stage, Upload
from service.observability import metrics
from service.observability.logs import logger

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
        pace: Pace,
    ) -> None:
        self._database = database
        self._store = store
        self._processes = processes
        self._worker = worker
        self._tries = tries
        self._limits = limits
        self._stopping = stopping
        self._patiently = Patience(stopping)
        self._pace = pace

    def begin(self, book_id: str, job_id: str) -> IngestAttempt | None:
        """Starts the job. Returns None if there is nothing left to do, as after a second delivery."""
        return self._patiently(lambda: self._take_up(book_id, job_id), waits_for=NOT_WRITTEN)

    def stage(self, attempt: IngestAttempt, name: str) -> bool:
        """Runs one stage. Returns False if the job failed, was cancelled, or its book was deleted."""
        try:
            self._patiently(lambda: self._do(attempt, name), tries=self._tries, idle=attempt.listen)
        except Exception as error:
            failure = error
            self._patiently(lambda: self._settle(attempt, failure), waits_for=NOT_WRITTEN)
            return False
        return True

    def _take_up(self, book_id: str, job_id: str) -> IngestAttempt | None:
        taken = taken_up(self._database, book_id, job_id, worker=self._worker)
        if taken is None:
            return None
        job, book = taken
        return IngestAttempt(self._database, job, pace=self._pace, size=book.size)

    def _do(self, attempt: IngestAttempt, name: str) -> None:
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

    def _bench(self, attempt: IngestAttempt, process: StageProcess) -> Bench:
        book, upload = self._book(attempt)
        engines = process.engines(idle=attempt.listen)
        keys = stages.keys(upload, engines)
        version = stages.version(keys)
        builder = self._store.builder(book.id, version)
        return Bench(upload, self._store.source(book.id), builder, version, keys, engines)

    def _write(self, attempt: IngestAttempt, stage: Stage, bench: Bench, process: StageProcess) -> None:
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

    def _note_reuse(self, attempt: IngestAttempt, stage: Stage) -> None:
        attempt.stage = stage.name
        with attempt.session() as session:
            attempt.end_stage(session, reused=True)

    def _publish(self, attempt: IngestAttempt, bench: Bench) -> None:
        attempt.begin_stage("publish")
        publish(attempt, bench.builder, version=bench.version, keys=bench.keys)
        self._learn(attempt)
        metrics.INGESTS.labels(state="succeeded").inc()
        log.info("job succeeded", job=attempt.job.id, book=attempt.job.book_id, version=bench.version)

    def _learn(self, attempt: IngestAttempt) -> None:
        seconds = attempt.elapsed
        self._pace.learn(attempt.stage, size=attempt.size, seconds=seconds)
        metrics.STAGE_SECONDS.labels(stage=attempt.stage).observe(seconds)
        log.info("stage finished", job=attempt.job.id, stage=attempt.stage, seconds=round(seconds, 3))

    def _book(self, attempt: IngestAttempt) -> tuple[BookRecord, Upload]:
        with attempt.session() as session:
            book = BookRepository(session).get(attempt.job.book_id)
            edit = ChapterEditRepository(session).get(attempt.job.book_id)
        if book is None:
            raise JobGone
        return book, Upload.of(book, edit)

    def _settle(self, attempt: IngestAttempt, error: Exception) -> None:
        """Ends the job as cancelled or failed, unless it is deleted or belongs to another execution."""
        job = attempt.job
        state = "cancelled" if isinstance(error, JobCancelled) else "failed"
        logged = {"code": ""} if state == "cancelled" else reason(error).logged()
        try:
            with attempt.session(ending=True) as session:
                attempt.end(session, error, remedy=UPLOAD_AGAIN)
                BookRepository(session).fail(job.book_id)
                # Before the row is released, because the next job of this book may start at that moment.
                self._discard(job.book_id)
        except JobOver:
            return
        except JobGone:
            self._clean_up(job.book_id)
            return
        metrics.INGESTS.labels(state=state).inc()
        if logged["code"] == INTERNAL:
            where = error.detail if isinstance(error, StageFailed) else None
            log.error("stage crashed", job=job.id, stage=attempt.stage, where=where, exc_info=error)
        log.info(f"job {state}", job=job.id, book=job.book_id, **logged)

    def _discard(self, book_id: str) -> None:
        """Deletes unfinished work. Where the store refuses, the job ends nevertheless; the sweep does it."""
        try:
            self._store.discard(book_id)
        except BookwormError as error:
            log.warning("unfinished work remains", book=book_id, code=error.code)

    def _clean_up(self, book_id: str) -> None:
        """Deletes what a stage may have written after its book was deleted."""
        with self._database.session(read_only=True) as session:
            gone = BookRepository(session).get(book_id) is None
        if gone:
            self._store.delete(book_id)
