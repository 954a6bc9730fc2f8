"""Many threads and processes at once: nothing is lost or duplicated, and nobody sees a locked file."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, date, datetime
from functools import partial
from multiprocessing.synchronize import Barrier
from typing import TypeVar

import pytest
from sqlalchemy.exc import DBAPIError

from coref.decisions.types import Decision, DecisionKind
from db.database import Database
from db.errors import BookGone, DatabaseAway, JobRunning
from db.faults import translate
from db.repositories import (
    BookRepository,
    DecisionRepository,
    EventRepository,
    JobRepository,
    KeyRepository,
    WorkerRepository,
)
from db.types import BookRecord, JobRecord, Scope
from tests.db.conftest import AddBook
from tests.processes import FORKING

THREADS = 8
PROCESSES = pytest.mark.parametrize("processes", [2, pytest.param(3, marks=pytest.mark.soak)])
ROUNDS = 12
TODAY = date(2026, 11, 20)
T = TypeVar("T")


def in_threads(work: Callable[[int], T]) -> list[T]:
    start = threading.Barrier(THREADS)

    def run(number: int) -> T:
        start.wait()
        return work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(run, range(THREADS)))


def in_processes(number: int, work: Callable[[str, int], None], url: str) -> None:
    """Run in processes of their own, as workers do; all begin at once."""
    start = FORKING.Barrier(number)
    processes = [
        FORKING.Process(target=begin_together, args=(start, work, url, each)) for each in range(number)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join(90)
    assert [process.exitcode for process in processes] == [0] * number


def begin_together(start: Barrier, work: Callable[[str, int], None], url: str, number: int) -> None:
    start.wait(60)
    work(url, number)


def add_same(database: Database, _number: int) -> str:
    with database.session() as session:
        books = BookRepository(session)
        return books.ensure(library="home", content_sha256="same", filename=None, size=1)[0].id


def decide(database: Database, book_id: str, number: int) -> int:
    with database.session() as session:
        repository = DecisionRepository(session)
        return repository.append(
            book_id, Decision(0, DecisionKind.RENAME, character="c", name=str(number))
        ).number


def test_the_same_content_from_many_threads_is_one_book(database: Database) -> None:
    assert len(set(in_threads(partial(add_same, database)))) == 1


def test_decisions_from_many_threads_have_no_gap(database: Database, book: BookRecord) -> None:
    numbers = in_threads(partial(decide, database, book.id))
    assert sorted(numbers) == list(range(1, THREADS + 1))
    with database.session(read_only=True) as session:
        log = DecisionRepository(session).log(book.id)
    assert {decision.name for decision in log} == {str(number) for number in range(THREADS)}


def test_one_job_is_created(database: Database, book: BookRecord) -> None:
    def create(_: int) -> tuple[bool, str]:
        try:
            with database.session() as session:
                return True, JobRepository(session).create(book.id, library="home").id
        except JobRunning as running:
            return False, running.job

    results = in_threads(create)
    assert sum(created for created, _ in results) == 1
    assert len({job_id for _, job_id in results}) == 1


def test_a_job_ends_once(database: Database, book: BookRecord) -> None:
    with database.session() as session:
        job = JobRepository(session).create(book.id, library="home")

    def end(number: int) -> bool:
        with database.session() as session:
            jobs = JobRepository(session)
            return jobs.succeed(job.id) if number % 2 else jobs.cancel(job.id)

    assert sum(in_threads(end)) == 1


def test_timings_of_many_threads_are_all_kept(database: Database, book: BookRecord) -> None:
    with database.session() as session:
        job = JobRepository(session).create(book.id, library="home")

    def time(number: int) -> bool:
        with database.session() as session:
            return JobRepository(session).timing(job.id, stage=f"stage {number}", seconds=number)

    assert all(in_threads(time))
    with database.session(read_only=True) as session:
        kept = JobRepository(session).get(job.id)
    assert kept is not None
    assert kept.timings == {f"stage {number}": number for number in range(THREADS)}


def test_every_use_of_a_key_counts(database: Database) -> None:
    with database.session() as session:
        key = KeyRepository(session).create(
            name="k", library="l", scopes=[Scope.READ], rate_per_minute=1, quota_per_day=1, key_sha256="h"
        )

    def use(_: int) -> list[int]:
        totals = []
        for _ in range(ROUNDS):
            with database.session() as session:
                totals.append(KeyRepository(session).use(key.id, day=TODAY))
        return totals

    totals = [total for some in in_threads(use) for total in some]
    assert sorted(totals) == list(range(1, THREADS * ROUNDS + 1))


def test_a_reader_of_events_misses_none(database: Database, book: BookRecord) -> None:
    """Numbers become visible in order, so reading on from the last one seen is enough."""
    finished = threading.Event()
    seen: list[int] = []

    def read_on() -> int:
        with database.session(read_only=True) as session:
            after = seen[-1] if seen else 0
            new = EventRepository(session).since(book.id, after=after, limit=5)
        seen.extend(event.id for event in new)
        return len(new)

    def follow() -> None:
        while not finished.is_set():
            read_on()
        while read_on():
            pass

    def write(number: int) -> list[int]:
        numbers = []
        for _ in range(ROUNDS):
            with database.session() as session:
                numbers.append(EventRepository(session).append(book.id, job_id=None, kind="k", data={}))
        return numbers

    follower = threading.Thread(target=follow)
    follower.start()
    written = [number for some in in_threads(write) for number in some]
    finished.set()
    follower.join(30)
    assert seen == sorted(written)


def test_deleting_while_others_write(database: Database, book: BookRecord) -> None:
    def work(number: int) -> bool:
        try:
            with database.session() as session:
                if number == THREADS // 2:
                    return BookRepository(session).delete(book.id)
                EventRepository(session).append(book.id, job_id=None, kind="k", data={})
                DecisionRepository(session).append(book.id, Decision(0, DecisionKind.HIDE, character="c"))
        except BookGone:
            return False
        return True

    in_threads(work)
    with database.session(read_only=True) as session:
        assert BookRepository(session).get(book.id) is None
        assert EventRepository(session).since(book.id, after=0, limit=1) == []
        assert DecisionRepository(session).log(book.id) == ()


def test_deleting_while_a_job_tells_its_progress(database: Database, add_book: AddBook) -> None:
    """Both lock the book and the job: in two orders they would be a deadlock."""
    for number in range(ROUNDS):
        book = add_book(content=f"content {number}")
        with database.session() as session:
            job = JobRepository(session).create(book.id, library="home")

        def work(number: int, book: BookRecord = book, job: JobRecord = job) -> bool:
            if number == THREADS // 2:
                with database.session() as session:
                    return BookRepository(session).delete(book.id)
            with suppress(BookGone), database.session() as session:
                JobRepository(session).progress(job.id, stage="read", progress=0.5, seconds_left=None)
                EventRepository(session).append(book.id, job_id=job.id, kind="k", data={})
            return False

        assert sum(in_threads(work)) == 1


@pytest.mark.postgres
def test_nobody_waits_for_a_transaction_that_fell_silent(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when a worker is stopped inside a transaction: it finds out when it wakes up."""
    monkeypatch.setattr("db.database.IDLE_SECONDS", 1)
    silent, other = Database(postgres_url), Database(postgres_url)
    same = add_same(silent, 0)
    with suppress(DatabaseAway), silent.session() as session:
        BookRepository(session).fail(same)
        with other.session() as waiting:
            assert BookRepository(waiting).delete(same)
        with pytest.raises(DBAPIError) as told:
            BookRepository(session).fail(same)
        raise told.value
    assert isinstance(translate(told.value), DatabaseAway)
    add_same(silent, 0)
    for database in (silent, other):
        database.dispose()


def write_from_a_process(url: str, number: int) -> None:
    """Read, then write, in one session: a lazily opened transaction would fail at that."""
    database = Database(url)
    book_id = add_same(database, number)
    for at in range(ROUNDS):
        with database.session() as session:
            assert BookRepository(session).get(book_id) is not None
            EventRepository(session).append(book_id, job_id=None, kind="k", data={"at": at})
            WorkerRepository(session).beat(f"worker {number}")
        decide(database, book_id, number)
    database.dispose()


@PROCESSES
def test_processes_write_at_once(database: Database, database_url: str, processes: int) -> None:
    in_processes(processes, write_from_a_process, database_url)
    with database.session(read_only=True) as session:
        (book,) = BookRepository(session).page(library="home", after=None, limit=9)
        log = DecisionRepository(session).log(book.id)
        assert [decision.number for decision in log] == list(range(1, processes * ROUNDS + 1))
        assert len(EventRepository(session).since(book.id, after=0, limit=999)) == processes * ROUNDS


def migrate_and_write(url: str, number: int) -> None:
    database = Database(url)
    database.migrate()
    with database.session() as session:
        WorkerRepository(session).beat(f"worker {number}")
    database.dispose()


@PROCESSES
def test_processes_migrate_the_same_new_database(empty_database_url: str, processes: int) -> None:
    in_processes(processes, migrate_and_write, empty_database_url)
    database = Database(empty_database_url)
    with database.session() as session:
        workers = WorkerRepository(session).alive(since=datetime(2026, 1, 1, tzinfo=UTC))
    database.dispose()
    assert len(workers) == processes
