"""Jobs only move forward, one at a time for a book."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import insert, update
from sqlalchemy.exc import IntegrityError

from db.database import Database
from db.errors import JobRunning
from db.repositories import BookRepository, JobRepository
from db.tables import JobRow
from db.types import BookRecord, JobRecord, JobState
from tests.db.conftest import AddBook

End = Callable[[JobRepository, str], bool]
ENDS: dict[JobState, End] = {
    JobState.SUCCEEDED: lambda jobs, job_id: jobs.succeed(job_id),
    JobState.FAILED: lambda jobs, job_id: jobs.fail(job_id, code="not_text", error="It is a picture."),
    JobState.CANCELLED: lambda jobs, job_id: jobs.cancel(job_id),
}


@pytest.fixture
def job(database: Database, book: BookRecord) -> JobRecord:
    with database.session() as session:
        return JobRepository(session).create(book.id, library=book.library)


def read(database: Database, job: JobRecord) -> JobRecord:
    with database.session(read_only=True) as session:
        found = JobRepository(session).get(job.id)
    assert found is not None
    return found


def test_a_new_job_is_queued(database: Database, book: BookRecord, job: JobRecord) -> None:
    assert job.id.startswith("job_")
    assert (job.book_id, job.library, job.state) == (book.id, "home", JobState.QUEUED)
    assert (job.progress, job.attempts, job.timings, job.cancel_requested) == (0.0, 0, {}, False)
    assert (job.stage, job.worker, job.error, job.error_code, job.started, job.ended) == (None,) * 6
    with database.session(read_only=True) as session:
        jobs = JobRepository(session)
        assert jobs.get(job.id, library="home") == jobs.active(book.id) == job
        assert jobs.get(job.id, library="another") is None


def test_the_journey_of_a_job(database: Database, job: JobRecord) -> None:
    with database.session() as session:
        jobs = JobRepository(session)
        assert jobs.start(job.id, worker="one")
        assert jobs.progress(job.id, stage="read", progress=0.25, seconds_left=9.5)
        assert jobs.timing(job.id, stage="read", seconds=1.5)
        assert jobs.timing(job.id, stage="resolve", seconds=2.5)
        assert jobs.spend(job.id, 300)
        assert jobs.spend(job.id, -100)
    running = read(database, job)
    assert (running.state, running.worker, running.attempts) == (JobState.RUNNING, "one", 1)
    assert (running.stage, running.progress, running.seconds_left) == ("read", 0.25, 9.5)
    assert running.timings == {"read": 1.5, "resolve": 2.5}
    assert running.tokens == 200
    with database.session() as session:
        assert JobRepository(session).start(job.id, worker="two")
        assert JobRepository(session).succeed(job.id)
    done = read(database, job)
    assert (done.state, done.worker, done.attempts) == (JobState.SUCCEEDED, "two", 2)
    assert (done.progress, done.seconds_left) == (1.0, None)
    assert done.started == running.started
    assert done.ended is not None
    assert done.ended >= (done.started or done.ended) >= done.created


@pytest.mark.parametrize("state", ENDS)
def test_an_ended_job_never_changes(database: Database, job: JobRecord, state: JobState) -> None:
    with database.session() as session:
        assert ENDS[state](JobRepository(session), job.id)
    ended = read(database, job)
    assert ended.state is state
    assert ended.state.ended
    with database.session() as session:
        jobs = JobRepository(session)
        assert not any(end(jobs, job.id) for end in ENDS.values())
        assert not jobs.start(job.id, worker="late")
        assert not jobs.progress(job.id, stage="index", progress=0.5, seconds_left=None)
        assert not jobs.timing(job.id, stage="index", seconds=3.0)
        assert not jobs.request_cancel(job.id)
    assert read(database, job) == ended


def test_a_failed_job_says_why_and_where(database: Database, job: JobRecord) -> None:
    with database.session() as session:
        jobs = JobRepository(session)
        jobs.start(job.id, worker="one")
        jobs.progress(job.id, stage="read", progress=0.1, seconds_left=3.0)
        jobs.fail(job.id, code="not_text", error="It is a picture.", remedy="Draw less.")
    failed = read(database, job)
    assert (failed.stage, failed.error_code, failed.error) == ("read", "not_text", "It is a picture.")
    assert failed.remedy == "Draw less."
    assert failed.progress == 0.1


def test_the_latest_job_of_a_book(database: Database, job: JobRecord) -> None:
    with database.session() as session:
        jobs = JobRepository(session)
        assert jobs.latest(job.book_id) == job
        jobs.cancel(job.id)
        second = jobs.create(job.book_id, library=job.library)
        assert jobs.latest(job.book_id) == second
        assert jobs.latest("bk_none") is None
        session.execute(update(JobRow).where(JobRow.id == second.id).values(id="job_0"))  # by a slow clock
        latest = jobs.latest(job.book_id)
        assert latest is not None
        assert latest.id == "job_0"


def test_cancel_is_asked_for_once_or_twice(database: Database, job: JobRecord) -> None:
    with database.session() as session:
        jobs = JobRepository(session)
        assert jobs.request_cancel(job.id)
        assert jobs.request_cancel(job.id)
        assert jobs.cancel(job.id)
    assert read(database, job).cancel_requested


def test_a_job_goes_with_its_book(database: Database, book: BookRecord, job: JobRecord) -> None:
    with database.session() as session:
        BookRepository(session).delete(book.id)
        jobs = JobRepository(session)
        assert jobs.get(job.id) is None
        assert not jobs.request_cancel(job.id)
        assert not jobs.succeed(job.id)


def test_one_job_at_a_time_for_a_book(database: Database, book: BookRecord, job: JobRecord) -> None:
    with database.session() as session:
        with pytest.raises(JobRunning) as caught:
            JobRepository(session).create(book.id, library="home")
        assert caught.value.job == job.id
    with database.session() as session:
        JobRepository(session).cancel(job.id)
        again = JobRepository(session).create(book.id, library="home")
    assert again.id > job.id


def test_the_database_itself_refuses_a_second_active_job(
    database: Database, book: BookRecord, job: JobRecord
) -> None:
    second = insert(JobRow).values(book_id=book.id, library="home", state=JobState.RUNNING)
    with pytest.raises(IntegrityError), database.session() as session:
        session.execute(second)
    with database.session() as session:
        JobRepository(session).succeed(job.id)
        session.execute(second)


def test_the_database_knows_its_states(database: Database, book: BookRecord) -> None:
    with pytest.raises(IntegrityError), database.session() as session:
        session.execute(insert(JobRow).values(book_id=book.id, library="home", state="asleep"))


def test_pages_and_counts(database: Database, add_book: AddBook) -> None:
    books = [add_book() for _ in range(4)]
    with database.session() as session:
        jobs = JobRepository(session)
        ids = [jobs.create(book.id, library="home").id for book in books][::-1]
        jobs.start(ids[0], worker="one")
        jobs.succeed(ids[1])
        assert [job.id for job in jobs.page(library="home", after=None, limit=3)] == ids[:3]
        assert [job.id for job in jobs.page(library="home", after=ids[2], limit=3)] == ids[3:]
        queued = jobs.page(library="home", after=None, limit=9, state=JobState.QUEUED)
        assert [job.id for job in queued] == ids[2:]
        assert jobs.page(library="another", after=None, limit=3) == []
        assert [job.id for job in jobs.unfinished()] == [ids[3], ids[2], ids[0]]
        assert jobs.counts_by_state() == {
            JobState.QUEUED: 2,
            JobState.RUNNING: 1,
            JobState.SUCCEEDED: 1,
            JobState.FAILED: 0,
            JobState.CANCELLED: 0,
        }
