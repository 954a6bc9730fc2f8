"""The interface to jobs for the rest of the service: queue, cancel and wait; and the lifecycle of a worker.

The jobs table is the outbox: a job whose row is written will be run, even if the process died before the
workflow was queued, and even if no worker was running. A process that runs no jobs itself therefore needs
only that table, and does not load the dependencies of `durable.py`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from books.errors import BookwormError
from coref.resolver_names import NAMES
from db.database import Database, Session
from db.errors import DatabaseAway
from db.repositories import (
    BookRepository,
    ChapterEditRepository,
    EventRepository,
    JobRepository,
    WorkerRepository,
)
from db.store import ArtefactStore
from db.types import BookRecord, BookState, JobKind, JobRecord, JobState
from retrieval.registry import make_embedder
from service.errors import JobUnknown
from service.jobs.answers import AnswerJobs, WriteAnswer
from service.jobs.errors import ASK_AGAIN, UPLOAD_AGAIN, Reason, reason
from service.jobs.ingest import Ingest
from service.jobs.patience import Executions
from service.jobs.process import CHILD, Processes
from service.jobs.stage_estimates import FILE, Pace
from service.jobs.stages import Upload, engine_names, keys, version
from service.jobs.upkeep import Chore, Upkeep
from service.jobs.worker_name import Slot, claim
from service.observability.logs import logger
from service.settings import Settings

if TYPE_CHECKING:
    from service.jobs.durable import Durable

OUTBOX_SECONDS = 1.0
LOOK_SECONDS = 2.0
"""How often a worker checks for dead ones. Together with the takeover time this is well below 30 seconds."""
SWEEP_SECONDS = 600.0
MEMORY = timedelta(days=30)
"""How long events and finished workflows are kept."""
DRAIN_SECONDS = 8.0
"""How long a running stage may continue after the process is asked to stop."""

_AGAIN = {JobKind.INGEST: UPLOAD_AGAIN, JobKind.ANSWER: ASK_AGAIN}

log = logger("bookworm.jobs")


class Jobs:
    def __init__(
        self,
        settings: Settings,
        *,
        database: Database,
        store: ArtefactStore,
        child: Sequence[str] = CHILD,
    ) -> None:
        self._settings = settings
        self._database = database
        self._store = store
        self._child = child
        self.write: WriteAnswer = _not_here
        """Set when the services exist that it needs."""
        self._queued: set[str] = set()
        """Jobs whose workflow this process has queued."""
        self._idle: frozenset[str] = frozenset()
        """Jobs of this process on which nothing worked at the last look."""
        self._unknown_told = False
        self._worker: _Worker | None = None

    def start(self, *, working: bool) -> None:
        """`working`: whether this process runs jobs, or only records them in the outbox.

        A process that only recorded them may start to work later.
        """
        if not working or self._worker is not None:
            return
        self._worker = _Worker(
            self._settings, self._database, self._store, child=self._child, write=self.write
        )
        self._worker.start(self._chores())

    def stop(self) -> None:
        """Lets running stages finish if they do so soon. Another worker, or a restart, continues the rest."""
        if self._worker is not None:
            self._worker.stop()
            self._worker = None

    def enqueue(self, job: JobRecord) -> None:
        """Queues a job whose row is written. Without this call it is found in the outbox a little later."""
        if self._worker is not None:
            self._worker.durable.enqueue(job)
            self._queued.add(job.id)

    def cancel(self, job_id: str) -> None:
        """A queued job ends at once, a running one when its worker notices, within a second."""
        with self._database.session() as session:
            jobs = JobRepository(session)
            if not jobs.request_cancel(job_id):
                return
            job = jobs.get(job_id)
            if job is not None and job.state is JobState.QUEUED:
                jobs.cancel(job_id)
                kind = job.kind.event("cancelled")
                EventRepository(session).append(job.book_id, job_id=job_id, kind=kind, data={})
                if job.kind is JobKind.INGEST:
                    BookRepository(session).fail(job.book_id)

    def give_up(self, session: Session, book: BookRecord, error: Exception) -> None:
        """Ends the wait of a book for which no job could be queued, with a failed job that says why."""
        current = BookRepository(session).get(book.id)
        if current is not None and current.state is BookState.PENDING:
            job = JobRepository(session).create(book.id, library=book.library)
            _fail(session, job, reason(error)._replace(remedy=UPLOAD_AGAIN))

    def wait(self, job_id: str, timeout: float) -> JobRecord:
        """Returns the job when it has ended, or its state after `timeout` seconds."""
        until, pause = time.monotonic() + timeout, 0.05
        while True:
            with self._database.session(read_only=True) as session:
                job = JobRepository(session).get(job_id)
            if job is None:
                raise JobUnknown(f"There is no job {job_id}.")
            if job.state.ended or time.monotonic() >= until:
                return job
            time.sleep(min(pause, max(until - time.monotonic(), 0.0)))
            pause = min(pause * 1.5, 0.25)

    def outdated(self, books: Sequence[BookRecord]) -> frozenset[str]:
        """Return the ids of the books that processing again may change, as after an upgrade.

        Of none if the engines that would do so are not known: the resolver may be no part of Bookworm.
        """
        published = [book for book in books if book.version]
        resolver = NAMES.get(self._settings.resolver)
        if not published or resolver is None:
            return frozenset()
        try:
            engines = engine_names(resolver=resolver, embedder=make_embedder(self._settings.embedder).name)
        except (BookwormError, OSError):
            return frozenset()
        with self._database.session(read_only=True) as session:
            edits = ChapterEditRepository(session).several([book.id for book in published])
        return frozenset(
            book.id
            for book in published
            if book.version != version(keys(Upload.of(book, edits.get(book.id)), engines))
        )

    def _chores(self) -> tuple[Chore, ...]:
        look = min(self._settings.heartbeat_seconds, LOOK_SECONDS)
        return (
            Chore("outbox", OUTBOX_SECONDS, self._empty_outbox),
            Chore("take-over", look, self._take_over),
            Chore("resume", self._settings.takeover_seconds, self._resume),
            Chore("sweep", SWEEP_SECONDS, self._sweep),
            Chore("forget", SWEEP_SECONDS, self._forget),
        )

    def _empty_outbox(self) -> None:
        """Queues the jobs that were only recorded, and ends those whose workflow has ended."""
        with self._database.session(read_only=True) as session:
            fresh = [j for j in JobRepository(session).unfinished() if j.id not in self._queued]
        if not fresh or self._worker is None:
            return
        known = self._worker.durable.known(job.id for job in fresh)
        for job in fresh:
            if job.id not in known:
                self.enqueue(job)
            elif known[job.id]:
                self._fail_lost(job)
            self._queued.add(job.id)

    def _fail_lost(self, job: JobRecord) -> None:
        why = Reason("job_lost", "The job stopped without a reason.", _AGAIN[job.kind])
        with self._database.session() as session:
            _fail(session, job, why)

    def _take_over(self) -> None:
        """Queues again the running jobs of workers that are silent or have signed off."""
        if self._worker is None:
            return
        holders = self._worker.durable.holders()  # first, because each of them has sent a heartbeat by now
        since = datetime.now(UTC) - timedelta(seconds=self._settings.takeover_seconds)
        with self._database.session(read_only=True) as session:
            alive = {w.id for w in WorkerRepository(session).alive(since=since)}
            silent = {w.id for w in WorkerRepository(session).silent(since=since)}
        for worker in sorted((silent | holders) - alive - {self._worker.name}):
            self._rescue(worker, self._worker.durable)

    def _rescue(self, worker: str, durable: Durable) -> None:
        """The row of the heartbeat is the lock: a second worker that attempts this finds nothing to do."""
        with self._database.session() as session:
            workers = WorkerRepository(session)
            workers.beat(worker)
            for job_id in durable.release(worker):
                log.warning("job taken over", job=job_id, worker=worker)
            workers.forget(worker)

    def _resume(self) -> None:
        """Queues again the jobs of this process on which nothing works: a full disk stopped their workflows.

        A job that is about to begin or has just ended looks the same, so it must look so twice. The outbox
        checks all jobs again, since the workflow of one that is not done may have ended.
        """
        if self._worker is None:
            return
        idle = self._worker.idle()
        if stopped := idle & self._idle:
            for job_id in self._worker.durable.release(self._worker.name, only=stopped):
                log.warning("job resumed", job=job_id)
        self._idle = idle
        self._queued.clear()

    def _sweep(self) -> None:
        with self._database.session(read_only=True) as session:
            books = BookRepository(session)
            in_use, known = books.versions_in_use(), books.all_ids()
            busy = {job.book_id for job in JobRepository(session).unfinished()}
        swept = self._store.sweep(in_use, known=known, busy=busy)
        if swept.removed:
            log.info("store swept", removed=len(swept.removed))
        if swept.unknown and not self._unknown_told:
            log.warning("books kept that this database does not know", folders=swept.unknown)
            self._unknown_told = True

    def _forget(self) -> None:
        before = datetime.now(UTC) - MEMORY
        with self._database.session() as session:
            EventRepository(session).prune(before)
        if self._worker is not None:
            self._worker.durable.forget(before)


def _fail(session: Session, job: JobRecord, why: Reason) -> None:
    if JobRepository(session).fail(job.id, code=why.code, error=why.error, remedy=why.remedy):
        if job.kind is JobKind.INGEST:
            BookRepository(session).fail(job.book_id)
        data = {"code": why.code}
        EventRepository(session).append(job.book_id, job_id=job.id, kind=job.kind.event("failed"), data=data)


class _Worker:
    """The resources of a process that runs jobs, from when it has a name until it signs off."""

    def __init__(
        self,
        settings: Settings,
        database: Database,
        store: ArtefactStore,
        *,
        child: Sequence[str],
        write: WriteAnswer,
    ) -> None:
        from service.jobs.durable import Durable, Work

        self._database = database
        self._heartbeat = settings.heartbeat_seconds
        self._stopping = threading.Event()
        self._upkeep: Upkeep | None = None
        self._processes = Processes(
            resolver=settings.resolver,
            embedder=settings.embedder,
            booknlp=settings.resolvers.booknlp,
            bits=settings.bits_rule,
            command=child,
        )
        self._slot: Slot = claim(settings.data_dir / "workers", name=settings.worker_id)
        self._executions = Executions()
        ingest = Ingest(
            database,
            store,
            processes=self._processes,
            worker=self.name,
            tries=settings.job_attempts,
            limits=settings.limits,
            stopping=self._stopping,
            pace=Pace(settings.data_dir / FILE),
        )
        answers = AnswerJobs(
            database,
            write=write,
            worker=self.name,
            tries=settings.job_attempts,
            stopping=self._stopping,
        )
        try:
            self._beat()  # before it has work: a worker with work and without a heartbeat counts as dead
            self.durable = Durable(
                database.url,
                Work(ingest, answers, self._executions),
                worker=self.name,
                concurrency=settings.job_concurrency,
            )
        except BaseException:
            self._slot.release()
            raise

    @property
    def name(self) -> str:
        return self._slot.name

    def idle(self) -> frozenset[str]:
        """The jobs that this worker holds and does not work on."""
        return self.durable.held(self.name) - self._executions.at_work()

    def start(self, chores: tuple[Chore, ...]) -> None:
        self._upkeep = Upkeep((Chore("heartbeat", self._heartbeat, self._beat), *chores))
        self._upkeep.start()

    def stop(self) -> None:
        self._stopping.set()
        if self._upkeep:
            self._upkeep.stop()
        self._executions.wait_until_idle(DRAIN_SECONDS)
        self._processes.kill()
        self._executions.wait_until_idle(DRAIN_SECONDS)
        self.durable.close()
        self._sign_off()
        self._slot.release()

    def _beat(self) -> None:
        with self._database.session() as session:
            WorkerRepository(session).beat(self.name)

    def _sign_off(self) -> None:
        """Removes the worker from the list, so that the work it leaves is taken over at once."""
        try:
            with self._database.session() as session:
                WorkerRepository(session).forget(self.name)
        except DatabaseAway:
            log.warning("worker not signed off", worker=self.name)


def _not_here(job: JobRecord, _audience: object) -> None:
    raise RuntimeError(f"these jobs have no services to write {job.id} with")
