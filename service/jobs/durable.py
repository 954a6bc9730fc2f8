"""Durable workflows: the only module that imports DBOS.

DBOS keeps the queue and remembers which steps are done. These are its limitations, and how this module
handles them:

- Each process needs a unique name, or two of them do the same work. `worker_name.py` provides one.
- The version of the application defaults to a hash of the code, and work of another version is never resumed.
  The version is therefore pinned.
- The work of a dead worker is not resumed. Every worker sends heartbeats and takes over the work of those
  that do not (`engine.py`).
- On SQLite its tables would be in the database of the service. DBOS has a file of its own there, so that
  neither waits for the writes of the other. On PostgreSQL it has a schema of its own in the same database.
- It pickles what it stores. Here it gets a serialiser that writes JSON, and steps that return a plain string.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from dbos import DBOS, DBOSConfig, Serializer, SetWorkflowID
from sqlalchemy import URL

from db.database import IDLE_SECONDS
from db.types import JobKind, JobRecord
from service.jobs.answers import AnswerJobs
from service.jobs.ingest import Ingest
from service.jobs.patience import Executions
from service.jobs.stages import PLAN
from service.observability.logs import Seldom

APPLICATION = "bookworm"
APPLICATION_VERSION = "1"
"""Incremented only when the steps of the workflow change, which abandons running work."""
ANSWERS_AT_ONCE = 1
"""Answers that a process writes as jobs: a language model is asked for several parts of each at once."""
POLL_SECONDS: Final = {JobKind.INGEST: 0.5, JobKind.ANSWER: 1.0}
"""Seconds between two checks of a queue; one takes 5 ms of a processor, also when nothing is queued."""
LISTEN_SECONDS = 0.1
"""Seconds between two checks for messages between workflows, on SQLite: nobody sends any, but DBOS cannot
stop before the next one."""
ENDED = ("SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED")
FORGOTTEN_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Work:
    """What the workflows do."""

    ingest: Ingest
    answers: AnswerJobs
    executions: Executions


_current: Work | None = None
"""The dependency of the workflows. It is global because DBOS finds functions by name, once per process."""


@DBOS.workflow(name=JobKind.INGEST)
def _ingest(book_id: str, job_id: str) -> None:
    """Every step can be repeated: it first checks what is already done."""
    current = _current
    assert current is not None
    with current.executions.working(job_id):
        attempt = current.ingest.begin(book_id, job_id)
        if attempt is None:
            return
        for stage in PLAN:
            if not DBOS.run_step({"name": stage.name}, current.ingest.stage, attempt, stage.name):
                return


@DBOS.workflow(name=JobKind.ANSWER)
def _answer(book_id: str, job_id: str) -> None:
    """It has no steps: what is written of an answer is kept by the writer."""
    current = _current
    assert current is not None
    with current.executions.working(job_id):
        current.answers.run(book_id, job_id)


_WORKFLOWS: Final = {JobKind.INGEST: _ingest, JobKind.ANSWER: _answer}
"""Each has a queue of its name."""
_SELDOM: Final = Seldom()
"""The threads of DBOS log each failed access to the database, several times a second while it is away."""


class Durable:
    """Access of this process to the workflows that all workers share. One instance per process."""

    def __init__(self, url: URL, work: Work, *, worker: str, concurrency: int) -> None:
        global _current
        if _current is not None:
            raise RuntimeError("this process already runs jobs")
        _current = work
        try:
            DBOS(config=_config(url, worker))
            _log_with_ours()
            DBOS.launch()
            for kind, most in {JobKind.INGEST: concurrency, JobKind.ANSWER: ANSWERS_AT_ONCE}.items():
                DBOS.register_queue(
                    kind,
                    worker_concurrency=most,
                    polling_interval_sec=POLL_SECONDS[kind],
                    on_conflict="always_update",
                )
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        global _current
        DBOS.destroy()
        _current = None

    def enqueue(self, job: JobRecord) -> None:
        """Queues a job once, however often this is called."""
        with SetWorkflowID(job.id):
            DBOS.enqueue_workflow(job.kind, _WORKFLOWS[job.kind], job.book_id, job.id)

    def known(self, job_ids: Iterable[str]) -> dict[str, bool]:
        """Those of the jobs that were ever queued, and whether their workflow has ended."""
        found = _workflows(workflow_ids=list(job_ids))
        return {workflow.workflow_id: workflow.status in ENDED for workflow in found}

    def holders(self) -> set[str]:
        """The workers, dead or alive, that have running jobs."""
        return {workflow.executor_id for workflow in _workflows(status="PENDING") if workflow.executor_id}

    def held(self, worker: str) -> frozenset[str]:
        """The ids of the running jobs of this worker."""
        return frozenset(w.workflow_id for w in _workflows(status="PENDING", executor_id=worker))

    def release(self, worker: str, *, only: Collection[str] | None = None) -> list[str]:
        """Queues the running jobs of this worker again, or `only` some of them, and returns their ids."""
        held = _workflows(status="PENDING", executor_id=worker)
        released = [workflow for workflow in held if only is None or workflow.workflow_id in only]
        for workflow in released:
            DBOS.resume_workflow(workflow.workflow_id, queue_name=workflow.name)
        return [workflow.workflow_id for workflow in released]

    def forget(self, before: datetime) -> None:
        """Deletes workflows that ended before this time, in batches."""
        ended = _workflows(status=list(ENDED), completed_before=before.isoformat(), limit=FORGOTTEN_AT_ONCE)
        DBOS.delete_workflows([workflow.workflow_id for workflow in ended])


class _Json(Serializer):
    """Reading from the database must never execute code. An error is stored as the name of its class."""

    def name(self) -> str:
        return "bookworm_json"

    def serialize(self, data: Any) -> str:
        return json.dumps(data, default=lambda value: type(value).__name__)

    def deserialize(cls, serialized_data: str) -> Any:  # noqa: N805 - as in the base class
        return json.loads(serialized_data)


def _config(url: URL, worker: str) -> DBOSConfig:
    return {
        "name": APPLICATION,
        "application_version": APPLICATION_VERSION,
        "executor_id": worker,
        "system_database_url": _system_database(url),
        "serializer": _Json(),
        "log_level": "WARNING",
        "notification_listener_polling_interval_sec": LISTEN_SECONDS,
        "sys_db_pool_size": 4,
        "sys_db_idle_transaction_timeout_sec": IDLE_SECONDS,
    }


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
    dbos.addFilter(_SELDOM)


def _workflows(**which: Any) -> Any:
    return DBOS.list_workflows(name=list(_WORKFLOWS), load_input=False, load_output=False, **which)
