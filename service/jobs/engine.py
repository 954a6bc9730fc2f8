"""Durable jobs. The only module that knows DBOS, which keeps the queue and remembers which steps were done.

What it must not be trusted with, and what is done about it here:

- A process must have a name of its own, or two do the same work; `slot.py` gives it one.
- The version of the application defaults to a hash of the code, and work of another version is stranded: it
  is pinned.
- A dead worker's work stays where it is: every worker beats, and looks for those that do not (`_take_over`).
- Its tables would mix with ours on SQLite: there it has a file of its own, so neither waits for the other's
  writes. On PostgreSQL it has a schema of its own in the same database.
- It pickles what it stores: here it gets a serialiser that writes JSON, and steps that return a plain word.

The jobs table is the outbox: a job whose row is written is done sooner or later, also when the process died
before the workflow was queued, and also when no worker was running. So a process that does no jobs itself
needs nothing of DBOS at all.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from dbos import DBOS, DBOSConfig, Serializer, SetWorkflowID
from sqlalchemy import URL

from db.database import Database
from db.errors import DatabaseAway
from db.repositories import BookRepository, EventRepository, JobRepository, WorkerRepository
from db.store import ArtefactStore
from db.types import JobRecord, JobState
from service.errors import JobUnknown
from service.jobs.ingest import Ingest
from service.jobs.process import CHILD, Processes
from service.jobs.slot import Slot, claim
from service.jobs.stages import PLAN, check
from service.jobs.upkeep import Chore, Upkeep
from service.observability.logs import logger
from service.settings import Settings

APPLICATION = "bookworm"
APPLICATION_VERSION = "1"
"""Raised only when the workflow's steps change, which strands the work in hand: the stages have their own."""
QUEUE = "ingest"
POLL_SECONDS = 0.25
OUTBOX_SECONDS = 1.0
LOOK_SECONDS = 2.0
"""How often a worker looks for dead ones: with the silence that is waited for, well within half a minute."""
SWEEP_SECONDS = 600.0
MEMORY = timedelta(days=30)
"""How long events, and workflows that ended, are kept."""
FORGOTTEN_AT_ONCE = 500
DRAIN_SECONDS = 8.0
"""How long a stage in hand may go on when the process is told to stop."""

log = logger("bookworm.jobs")
_current: Ingest | None = None


@DBOS.workflow(name="ingest")
def _ingest(book_id: str, job_id: str) -> None:
    """Everything it does may be done again: each step looks first at what is done already."""
    current = _current
    assert current is not None
    with current.working():
        attempt = current.begin(book_id, job_id)
        if attempt is None:
            return
        for stage in PLAN:
            if not DBOS.run_step({"name": stage.name}, current.stage, attempt, stage.name):
                return


class Jobs:
    def __init__(
        self,
        settings: Settings,
        *,
        database: Database,
        store: ArtefactStore,
        child: Sequence[str] = CHILD,
    ) -> None:
        check(PLAN)
        self._settings = settings
        self._database = database
        self._store = store
        self._processes = Processes(resolver=settings.resolver, embedder=settings.embedder, command=child)
        self._stopping = threading.Event()
        self._queued: set[str] = set()
        self._slot: Slot | None = None
        self._upkeep: Upkeep | None = None

    def start(self, *, working: bool) -> None:
        """`working`: whether this process does jobs, or only writes down that they are wanted."""
        global _current
        if not working:
            return
        if _current is not None:
            raise RuntimeError("this process does jobs already")
        self._slot = claim(self._settings.data_dir / "workers", name=self._settings.worker_id)
        self._beat()  # before there is any work under this name: who has work and no heartbeat is dead
        _current = Ingest(
            self._database,
            self._store,
            processes=self._processes,
            worker=self._slot.name,
            tries=self._settings.job_attempts,
            stopping=self._stopping,
        )
        _launch(self._database.url, self._slot.name, concurrency=self._settings.job_concurrency)
        self._upkeep = Upkeep(self._chores())
        self._upkeep.start()

    def stop(self) -> None:
        """Let the stages in hand end if they do so soon; another worker, or a restart, goes on from there."""
        global _current
        if self._slot is None:
            return
        self._stopping.set()
        if self._upkeep:
            self._upkeep.stop()
        if _current:
            _current.wait_until_idle(DRAIN_SECONDS)
            self._processes.kill()
            _current.wait_until_idle(DRAIN_SECONDS)
        DBOS.destroy()
        self._sign_off(self._slot.name)
        self._slot.release()
        self._slot = _current = None

    def enqueue_ingest(self, book_id: str, job_id: str) -> None:
        """Do a job whose row is written. Without this it would be found in the outbox a little later."""
        if self._slot is not None:
            with SetWorkflowID(job_id):
                DBOS.enqueue_workflow(QUEUE, _ingest, book_id, job_id)
            self._queued.add(job_id)

    def cancel(self, job_id: str) -> None:
        """A queued job ends at once; a running one as soon as its worker hears of it, within a second."""
        with self._database.session() as session:
            jobs = JobRepository(session)
            if not jobs.request_cancel(job_id):
                return
            job = jobs.get(job_id)
            if job is not None and job.state is JobState.QUEUED:
                jobs.cancel(job_id)
                EventRepository(session).append(job.book_id, job_id=job_id, kind="job.cancelled", data={})

    def wait(self, job_id: str, timeout: float) -> JobRecord:
        """The job when it has ended, or as it is after `timeout` seconds."""
        until, pause = time.monotonic() + timeout, 0.05
        while True:
            with self._database.session(read_only=True) as session:
                job = JobRepository(session).get(job_id)
            if job is None:
                raise JobUnknown(f"There is no job {job_id}.")
            if job.state.ended or time.monotonic() >= until:
                return job
            time.sleep(min(pause, max(until - time.monotonic(), 0.0)))
            pause = min(pause * 1.5, 0.5)

    def _sign_off(self, worker: str) -> None:
        """Who is not in the list of workers is gone, and what it left behind is taken up at once."""
        try:
            with self._database.session() as session:
                WorkerRepository(session).forget(worker)
        except DatabaseAway:
            log.warning("worker not signed off", worker=worker)

    def _chores(self) -> tuple[Chore, ...]:
        often = self._settings.heartbeat_seconds
        return (
            Chore("heartbeat", often, self._beat),
            Chore("outbox", OUTBOX_SECONDS, self._empty_outbox),
            Chore("take-over", min(often, LOOK_SECONDS), self._take_over),
            Chore("sweep", SWEEP_SECONDS, self._sweep),
            Chore("forget", SWEEP_SECONDS, self._forget),
        )

    def _beat(self) -> None:
        assert self._slot is not None
        with self._database.session() as session:
            WorkerRepository(session).beat(self._slot.name)

    def _empty_outbox(self) -> None:
        """Queue the jobs that were only written down; end those whose workflow ended without them."""
        with self._database.session(read_only=True) as session:
            fresh = [j for j in JobRepository(session).unfinished() if j.id not in self._queued]
        if not fresh:
            return
        known = {w.workflow_id: w.status for w in _workflows(workflow_ids=[j.id for j in fresh])}
        for job in fresh:
            if job.id not in known:
                self.enqueue_ingest(job.book_id, job.id)
            elif known[job.id] in ("SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"):
                self._fail_lost(job)
            self._queued.add(job.id)

    def _fail_lost(self, job: JobRecord) -> None:
        with self._database.session() as session:
            if JobRepository(session).fail(
                job.id, code="job_lost", error="The job stopped without a reason."
            ):
                BookRepository(session).fail(job.book_id)
                data = {"code": "job_lost"}
                EventRepository(session).append(job.book_id, job_id=job.id, kind="job.failed", data=data)

    def _take_over(self) -> None:
        """Queue again what dead workers had in hand: those that fell silent, and those that left it so."""
        assert self._slot is not None
        holders = {
            w.executor_id for w in _workflows(status="PENDING")
        }  # first: each of them has beaten by now
        since = datetime.now(UTC) - timedelta(seconds=self._settings.takeover_seconds)
        with self._database.session(read_only=True) as session:
            alive = {w.id for w in WorkerRepository(session).alive(since=since)}
            silent = {w.id for w in WorkerRepository(session).silent(since=since)}
        for worker in sorted((silent | holders) - alive - {self._slot.name, None}):
            self._rescue(worker)

    def _rescue(self, worker: str) -> None:
        """The heartbeat's row is the lock: of two rescuers the second finds nothing left to do."""
        with self._database.session() as session:
            workers = WorkerRepository(session)
            workers.beat(worker)
            for workflow in _workflows(status="PENDING", executor_id=worker):
                DBOS.resume_workflow(workflow.workflow_id, queue_name=QUEUE)
                log.warning("job taken over", job=workflow.workflow_id, worker=worker)
            workers.forget(worker)

    def _sweep(self) -> None:
        with self._database.session(read_only=True) as session:
            books = BookRepository(session)
            in_use, known = books.versions_in_use(), books.all_ids()
            busy = {job.book_id for job in JobRepository(session).unfinished()}
        swept = self._store.sweep(in_use, known=known, busy=busy)
        if swept.removed:
            log.info("store swept", removed=len(swept.removed))

    def _forget(self) -> None:
        before = datetime.now(UTC) - MEMORY
        with self._database.session() as session:
            EventRepository(session).prune(before)
        ended = _workflows(
            status=["SUCCESS", "ERROR", "CANCELLED"],
            completed_before=before.isoformat(),
            limit=FORGOTTEN_AT_ONCE,
        )
        DBOS.delete_workflows([workflow.workflow_id for workflow in ended])


class _Json(Serializer):
    """Nothing that is read back from the database may execute; an error is kept as its class's name."""

    def name(self) -> str:
        return "bookworm_json"

    def serialize(self, data: Any) -> str:
        return json.dumps(data, default=lambda value: type(value).__name__)

    def deserialize(cls, serialized_data: str) -> Any:  # noqa: N805 - as in the base class
        return json.loads(serialized_data)


def _launch(url: URL, worker: str, *, concurrency: int) -> None:
    config: DBOSConfig = {
        "name": APPLICATION,
        "application_version": APPLICATION_VERSION,
        "executor_id": worker,
        "system_database_url": _system_database(url),
        "serializer": _Json(),
        "log_level": "WARNING",
        "sys_db_pool_size": 4,
    }
    DBOS(config=config)
    _log_with_ours()
    DBOS.launch()
    DBOS.register_queue(
        QUEUE, worker_concurrency=concurrency, polling_interval_sec=POLL_SECONDS, on_conflict="always_update"
    )


def _system_database(url: URL) -> str:
    if url.get_backend_name() == "sqlite":
        assert url.database is not None
        stem, dot, suffix = url.database.rpartition(".")
        beside = f"{stem}-jobs{dot}{suffix}" if dot else f"{url.database}-jobs"
        return URL.create("sqlite", database=beside).render_as_string()
    return url.set(drivername="postgresql").render_as_string(hide_password=False)


def _log_with_ours() -> None:
    dbos = logging.getLogger("dbos")
    dbos.handlers.clear()
    dbos.propagate = True


def _workflows(**which: Any) -> Any:
    return DBOS.list_workflows(name="ingest", load_input=False, load_output=False, **which)
