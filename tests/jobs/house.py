"""A library with jobs, as small as it gets: what the tests upload to, hold, kill and look into."""

from __future__ import annotations

import hashlib
import os
import signal
import sqlite3
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any, Self

from db.database import Database
from db.repositories import BookRepository, EventRepository, JobRepository
from db.store import ArtefactStore
from db.types import BookRecord, EventRecord, JobRecord
from service.jobs.engine import Jobs
from service.settings import Settings
from tests.jobs.worker import CHILD, Worker

ROOT = Path(__file__).parents[2]
PATIENCE = 120.0
"""Maximum number of seconds to wait for what should take one or two: the machine may be very busy."""
LIBRARY = "home"
STORY = """\
CHAPTER I

Mrs. Ada Marlowe came down the lane. "You are late," said Tom Reeve. She did not answer him.

Ada looked at the sea. It was grey, and Tom knew that she was thinking of her brother.

CHAPTER II

"Where is Ada?" asked Captain Hale. Tom Reeve shook his head. He had not seen her since noon.

The captain looked along the lane, and then he went down to the water, where Mrs. Marlowe stood.
"""

_copies = count(1)


class House:
    def __init__(self, folder: Path, url: str, *, artefacts: str | None = None, **settings: Any) -> None:
        self.control = folder / "control"
        self.control.mkdir(exist_ok=True)
        os.environ["BOOKWORM_TESTS_CONTROL"] = str(self.control)
        self.settings = Settings(
            data_dir=folder / "data",
            database_url=url,
            artefacts_url=artefacts,
            embedder="hashing",
            resolver="rules",
            heartbeat_seconds=0.25,
            takeover_seconds=1.5,
            **settings,
        )
        self.database = Database(url)
        self.store = ArtefactStore(self.settings.artefacts, workspace=self.settings.workspace)
        self.jobs = self.new_jobs()
        self.workers: list[Worker | subprocess.Popen[bytes]] = []
        self._shas: dict[str, str] = {}

    def configure(self, **settings: Any) -> None:
        """Other settings, before the start."""
        self.settings = self.settings.model_copy(update=settings)
        self.jobs = self.new_jobs()

    def new_jobs(self) -> Jobs:
        return Jobs(self.settings, database=self.database, store=self.store, child=CHILD)

    def start(self) -> None:
        self.jobs.start(working=True)

    def restart(self) -> None:
        self.jobs.stop()
        self.jobs = self.new_jobs()
        self.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        for worker in self.workers:
            worker.kill()
            worker.wait()
        for hold in self.control.glob("hold-*"):
            hold.unlink()
        self.jobs.stop()
        self.database.dispose()

    def upload(self, *, enqueue: bool = True) -> JobRecord:
        """A book that was never uploaded before."""
        data = f"{STORY}\n\nThis was copy number {next(_copies)} of the story.\n".encode()
        with self.database.session() as session:
            book, _ = BookRepository(session).ensure(
                library=LIBRARY,
                content_sha256=hashlib.sha256(data).hexdigest(),
                filename="story.txt",
                size=len(data),
            )
        self._shas[book.id] = book.content_sha256[:8]
        self.store.put_source(book.id, data)
        return self.ingest(book.id, enqueue=enqueue)

    def ingest(self, book_id: str, *, enqueue: bool = True) -> JobRecord:
        with self.database.session() as session:
            BookRepository(session).retry(book_id)
            job = JobRepository(session).create(book_id, library=LIBRARY)
        if enqueue:
            self.jobs.enqueue(job)
        return job

    def wait(self, job: JobRecord, timeout: float = PATIENCE) -> JobRecord:
        return self.jobs.wait(job.id, timeout)

    def job(self, job: JobRecord) -> JobRecord:
        return self.jobs.wait(job.id, 0)

    def book(self, book_id: str) -> BookRecord | None:
        with self.database.session(read_only=True) as session:
            return BookRepository(session).get(book_id)

    def version(self, job: JobRecord) -> str:
        book = self.book(job.book_id)
        assert book is not None
        assert book.version is not None
        return book.version

    def events(self, book_id: str) -> list[EventRecord]:
        with self.database.session(read_only=True) as session:
            return EventRepository(session).since(book_id, after=0, limit=1000)

    def kinds(self, book_id: str) -> list[str]:
        return [e.kind for e in self.events(book_id) if e.kind != "stage.progress"]

    # Control over the stage processes.

    def hold(self, stage: str) -> Path:
        path = self.control / f"hold-{stage}"
        path.touch()
        return path

    def release(self, stage: str) -> None:
        (self.control / f"hold-{stage}").unlink(missing_ok=True)

    def fail(self, stage: str, how: str, times: int = 1000) -> None:
        (self.control / f"fail-{stage}").write_text(f"{how}\n{times}")

    def log(self) -> list[str]:
        path = self.control / "log"
        return path.read_text().splitlines() if path.exists() else []

    def started(self, job: JobRecord) -> Counter[str]:
        """How often each stage was begun on the job's book."""
        return self._count("start", job)

    def ended(self, job: JobRecord) -> Counter[str]:
        return self._count("end", job)

    def until_started(self, job: JobRecord, stage: str, times: int = 1) -> None:
        until(lambda: self.started(job)[stage] >= times, f"{stage} did not start {times} times")

    def _count(self, what: str, job: JobRecord) -> Counter[str]:
        lines = (line.split() for line in self.log())
        return Counter(
            stage for word, stage, book in lines if (word, book) == (what, self._shas[job.book_id])
        )

    def tidy(self) -> None:
        """Between tests: nothing is held, nothing fails, nothing is at work."""
        for order in (*self.control.glob("hold-*"), *self.control.glob("fail-*")):
            order.unlink()
        with self.database.session(read_only=True) as session:
            unfinished = JobRepository(session).unfinished()
        for job in unfinished:
            self.jobs.cancel(job.id)
            self.jobs.wait(job.id, PATIENCE)

    # Workers of their own.

    def worker(self, name: str) -> Worker:
        """A worker process, as `bookworm worker` is one, but with the stage process of the tests."""
        settings = self.settings
        environment = {
            **os.environ,
            "BOOKWORM_DATA_DIR": str(settings.data_dir),
            "BOOKWORM_DATABASE_URL": str(settings.database_url),
            "BOOKWORM_ARTEFACTS_URL": settings.artefacts,
            "BOOKWORM_EMBEDDER": settings.embedder,
            "BOOKWORM_RESOLVER": settings.resolver,
            "BOOKWORM_HEARTBEAT_SECONDS": str(settings.heartbeat_seconds),
            "BOOKWORM_TAKEOVER_SECONDS": str(settings.takeover_seconds),
            "BOOKWORM_JOB_CONCURRENCY": str(settings.job_concurrency),
            "BOOKWORM_WORKER_ID": name,
        }
        worker = Worker(environment)
        self.workers.append(worker)
        return worker

    def stall(self, worker: Worker) -> None:
        """Stops a worker between two transactions: within one it keeps SQLite's lock, and everybody waits."""

        def stopped() -> bool:
            worker.send_signal(signal.SIGSTOP)
            until(worker.stands_still, "the worker did not stop when it was told to")
            if all(map(_may_be_written, self.settings.data_dir.parent.rglob("*.db"))):
                return True
            worker.send_signal(signal.SIGCONT)
            return False

        until(stopped, "the worker was in a transaction each time that it was stopped")

    def left_over(self, book_id: str) -> list[str]:
        """Files of a book other than its source and its published version."""
        book = self.book(book_id)
        home = Path(self.settings.artefacts) / book_id
        kept = {"source"} | ({book.version} if book and book.version else set())
        return sorted(p.name for p in home.glob("*") if p.name not in kept) if home.exists() else []


def _may_be_written(database: Path) -> bool:
    with closing(sqlite3.connect(database, timeout=0.2, isolation_level=None)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
    return True


def kill(worker: Worker) -> None:
    worker.send_signal(signal.SIGKILL)
    worker.wait()


def until(condition: Callable[[], bool], complaint: str, *, timeout: float = PATIENCE) -> None:
    deadline = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < deadline, complaint
        time.sleep(0.02)
