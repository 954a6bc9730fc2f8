"""Kill workers at random moments while books are being ingested, and measure the cost.

    python -m benchmarks.crash [--database sqlite|postgres|URL] [--books 20] [--kills 10] [--seed 1]

On SQLite one worker is killed and restarted each time. On PostgreSQL there are two, and the one that gets the
last kill never comes back: the other takes over its work. A kill comes at a random moment after its victim
has taken a job. Prints JSON, and stores it in `results/`; exits with 1 when a book is not ready, when
finished work was repeated, or when a file is left that belongs to nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from benchmarks import timing
from db.database import Database
from db.repositories import BookRepository, EventRepository, JobRepository
from db.store import ArtefactStore
from db.types import BookRecord, BookState, EventRecord, JobState
from service.assembly import assembled
from service.jobs.stages import PLAN
from service.library import Library
from service.services import Services
from service.settings import Settings
from service.usecases import books

ROOT = Path(__file__).parents[1]
WORKER = """
from service.jobs.worker import run
from service.observability.logs import configure
from service.settings import Settings
configure(level="ERROR")
run(Settings())
"""
LIBRARY = "crash"
LATEST = 6.0
"""Maximum seconds at a job after which its worker is killed."""
WITHIN = 30.0
"""Seconds within which a dead worker's job must be resumed elsewhere."""


@dataclass(frozen=True, slots=True)
class Options:
    database: str = "sqlite"
    books: int = 20
    kills: int = 10
    seed: int = 1
    paragraphs: int = 4000
    timeout: float = 900.0


@dataclass(slots=True)
class Fleet:
    """The worker processes by name."""

    environment: dict[str, str]
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def start(self, name: str) -> None:
        self.running[name] = subprocess.Popen(
            [sys.executable, "-P", "-c", WORKER],
            env=self.environment | {"BOOKWORM_WORKER_ID": name},
            cwd=ROOT,
        )

    def kill(self, name: str) -> None:
        worker = self.running.pop(name)
        worker.send_signal(signal.SIGKILL)
        worker.wait()

    def stop(self) -> None:
        for worker in self.running.values():
            worker.terminate()
        for worker in self.running.values():
            worker.wait(timeout=60)


@dataclass(frozen=True, slots=True)
class Result:
    options: Options
    seconds: float
    kills: int
    ready: int
    started: dict[str, int]
    """How often each stage was begun, over all books."""
    finished: dict[str, int]
    cut_short: int
    """Stages that a kill interrupted: the only work that was repeated."""
    repeated: int
    """Finished stages that were repeated. Must be 0."""
    takeover_seconds: float | None
    """From the death of the worker that never came back to its job's next start. None if it had none."""
    orphans: tuple[str, ...]
    problems: tuple[str, ...]


def run(options: Options) -> Result:
    with tempfile.TemporaryDirectory(prefix="bookworm-crash-") as folder, ExitStack() as stack:
        url = stack.enter_context(_database(options.database, Path(folder)))
        settings = Settings(
            data_dir=Path(folder), database_url=url, embedder="hashing", resolver="rules", log_level="error"
        )
        services = stack.enter_context(assembled(settings, jobs_here=False))
        fleet = Fleet(_environment(settings))
        stack.callback(fleet.stop)
        began = time.monotonic()
        _upload(services, options)
        died = _rage(fleet, services, options)
        _await(services, options.timeout)
        fleet.stop()
        fleet.running.clear()
        return _judge(services, options, died=died, seconds=time.monotonic() - began)


def _upload(services: Services, options: Options) -> None:
    chance = random.Random(options.seed)
    for number in range(options.books):
        data = _story(chance, number, options.paragraphs).encode()
        books.upload(Library(services, LIBRARY), data=data, filename=f"{number}.txt")


def _story(chance: random.Random, number: int, paragraphs: int) -> str:
    people = [f"{first} {last}" for first in ("Ada", "Tom", "Ruth", "Karl") for last in ("Reeve", "Hale")]
    places = ["the lane", "the harbour", "the old house", "the mill", "the church"]
    lines = [f"BOOK {number}"]
    said = '{0} came to {1} with {2}. "You are late," said {3}. She did not answer him, and {4} looked at {1}'
    for at in range(paragraphs):
        if at % 50 == 0:
            lines.append(f"CHAPTER {at // 50 + 1}")
        one, two = chance.sample(people, 2)
        place = chance.choice(places)
        lines.append(said.format(one, place, two.split()[0], two, one.split()[0]))
        lines[-1] += f" for a long time. It was his, he knew; it was number {number}-{at}."
    return "\n\n".join(lines)


def _rage(fleet: Fleet, services: Services, options: Options) -> tuple[str, float] | None:
    """Start the workers and kill them. Return which died for good, and when (as a Unix time)."""
    chance = random.Random(options.seed)
    names = ["one"] if _is_sqlite(services) else ["one", "two"]
    for name in names:
        fleet.start(name)
    for kill in range(options.kills):
        name = chance.choice(names)
        _until_at_work(services, fleet, name)
        time.sleep(chance.uniform(0, LATEST))
        fleet.kill(name)
        if kill == options.kills - 1 and len(names) > 1:
            return name, time.time()
        fleet.start(name)
    return None


def _until_at_work(services: Services, fleet: Fleet, worker: str) -> None:
    """Wait until the worker has a job, or until no work is left."""
    while True:
        if fleet.running[worker].poll() is not None:
            raise RuntimeError(f"worker {worker} ended by itself")
        with services.database.session(read_only=True) as session:
            unfinished = JobRepository(session).unfinished()
        if not unfinished or any((j.worker, j.state) == (worker, JobState.RUNNING) for j in unfinished):
            return
        time.sleep(0.02)


def _await(services: Services, timeout: float) -> None:
    until = time.monotonic() + timeout
    while time.monotonic() < until:
        with services.database.session(read_only=True) as session:
            if not JobRepository(session).unfinished():
                return
        time.sleep(0.25)


def _judge(services: Services, options: Options, *, died: tuple[str, float] | None, seconds: float) -> Result:
    books = _books(services.database)
    events = {book.id: _events(services.database, book.id) for book in books}
    started, finished = _count(events, "stage.started"), _count(events, "stage.finished")
    result = Result(
        options=options,
        seconds=round(seconds, 1),
        kills=options.kills,
        ready=sum(_is_whole(services.store, book) for book in books),
        started=_by_stage(started),
        finished=_by_stage(finished),
        cut_short=sum((started - finished).values()),
        repeated=sum(times - 1 for times in finished.values()),
        takeover_seconds=_takeover(events, died),
        orphans=tuple(_orphans(Path(services.settings.artefacts), books)),
        problems=(),
    )
    return _with_problems(result)


def _with_problems(result: Result) -> Result:
    options, problems = result.options, []
    if result.ready != options.books:
        problems.append(f"{options.books - result.ready} books are not ready")
    if result.repeated:
        problems.append(f"{result.repeated} finished stages were done again")
    if result.cut_short > options.kills:
        problems.append(f"{result.cut_short} stages were cut short by {options.kills} kills")
    if result.orphans:
        problems.append("files are left that belong to nothing")
    if (result.takeover_seconds or 0) > WITHIN:
        problems.append(f"taking over took {result.takeover_seconds} seconds")
    fields = {name: getattr(result, name) for name in Result.__dataclass_fields__}
    return Result(**(fields | {"problems": tuple(problems)}))


def _books(database: Database) -> list[BookRecord]:
    with database.session(read_only=True) as session:
        return BookRepository(session).page(library=LIBRARY, after=None, limit=10_000)


def _events(database: Database, book_id: str) -> list[EventRecord]:
    with database.session(read_only=True) as session:
        return EventRepository(session).since(book_id, after=0, limit=100_000)


def _count(events: dict[str, list[EventRecord]], kind: str) -> Counter[tuple[str, str]]:
    """Count the events per stage and book; stages that were found finished do not count."""
    return Counter(
        (book_id, event.data["stage"])
        for book_id, happened in events.items()
        for event in happened
        if event.kind == kind and not event.data.get("reused")
    )


def _by_stage(counts: Counter[tuple[str, str]]) -> dict[str, int]:
    totals: Counter[str] = Counter()
    for (_, stage), times in counts.items():
        totals[stage] += times
    return {stage.name: totals[stage.name] for stage in PLAN}


def _is_whole(store: ArtefactStore, book: BookRecord) -> bool:
    return book.state is BookState.READY and store.open(book.id, book.version or "").is_dir()


def _takeover(events: dict[str, list[EventRecord]], died: tuple[str, float] | None) -> float | None:
    """Find the job that the dead worker started last before its death, and its next start elsewhere."""
    if died is None:
        return None
    worker, moment = died
    for happened in events.values():
        starts = [e for e in happened if e.kind == "job.started"]
        before = [e for e in starts if e.created.timestamp() <= moment]
        after = [e for e in starts if e.created.timestamp() > moment]
        if before and after and before[-1].data["worker"] == worker:
            return round(after[0].created.timestamp() - moment, 1)
    return None


def _orphans(root: Path, books: Sequence[BookRecord]) -> Iterator[str]:
    """Yield what is neither the source nor the published version of a book, before any sweeping."""
    kept = {Path(book.id, name) for book in books for name in ("source", book.version or "")}
    for path in sorted(root.glob("*/*")):
        if path.relative_to(root) not in kept:
            yield path.relative_to(root).as_posix()


@contextmanager
def _database(which: str, folder: Path) -> Iterator[str]:
    if which == "sqlite":
        yield f"sqlite:///{folder}/bookworm.sqlite3"
    elif which == "postgres":
        from tests.postgres import running_postgres

        with running_postgres() as server, server.database() as url:
            yield url
    else:
        yield which


def _is_sqlite(services: Services) -> bool:
    return services.database.url.get_backend_name() == "sqlite"


def _environment(settings: Settings) -> dict[str, str]:
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")])),
        "BOOKWORM_DATA_DIR": str(settings.data_dir),
        "BOOKWORM_DATABASE_URL": settings.database,
        "BOOKWORM_EMBEDDER": settings.embedder,
        "BOOKWORM_RESOLVER": settings.resolver,
        "BOOKWORM_LOG_LEVEL": settings.log_level,
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name, value in asdict(Options()).items():
        parser.add_argument(f"--{name}", type=type(value), default=value)
    options = Options(**vars(parser.parse_args()))
    result = run(options)
    print(json.dumps(asdict(result), indent=1))
    if options.database in ("sqlite", "postgres"):
        timing.save(f"crash-{options.database}", result)
    sys.exit(bool(result.problems))


if __name__ == "__main__":
    main()
