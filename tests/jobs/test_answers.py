"""Jobs that write an answer: beside those that read the book, and taken up again like them."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from db.repositories import EventRepository, JobRepository
from db.types import JobKind, JobRecord, JobState
from generation.errors import DraftRejected, ModelServerFailed, WritingCancelled
from generation.protocols import Audience
from tests.jobs.house import LIBRARY, House, until

REQUEST = {"task": "summary", "wanted": {"words": 50}, "path": "/v1/books/bk/summary?words=50"}


@dataclass
class Pen:
    """Writes a book of four parts and keeps each, as a model with a notebook does."""

    kept: list[int] = field(default_factory=list)
    asked: list[JobRecord] = field(default_factory=list)
    faults: list[Exception] = field(default_factory=list)
    go: threading.Event = field(default_factory=threading.Event)

    def __call__(self, job: JobRecord, audience: Audience) -> None:
        self.asked.append(job)
        if self.faults:
            raise self.faults.pop(0)
        for part in range(len(self.kept), 4):
            while part == 2 and not self.go.is_set():
                if audience.gone():
                    raise WritingCancelled("Nobody waits.")
                time.sleep(0.02)
            self.kept.append(part)
            audience.advance(part + 1, 4)
        audience.hear("It is written.")


@pytest.fixture
def pen() -> Pen:
    return Pen()


@pytest.fixture
def writing_house(sqlite_house: House, pen: Pen, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    monkeypatch.setattr("service.jobs.patience.FIRST_PAUSE", 0.05)
    sqlite_house.jobs.write = pen
    sqlite_house.start()
    yield sqlite_house
    pen.go.set()


def order(house: House, book: JobRecord, request: dict[str, object] = REQUEST) -> JobRecord:
    with house.database.session() as session:
        job, new = JobRepository(session).create_answer(book.book_id, library=LIBRARY, request=request)
    if new:
        house.jobs.enqueue(job)
    return job


def half_written(house: House, pen: Pen, job: JobRecord) -> None:
    until(lambda: len(pen.kept) == 2, "it did not come to the third part")
    until(lambda: house.job(job).progress == 0.5, "it does not say how far it is")


def test_an_answer_is_written_beside_the_reading_of_its_book(writing_house: House, pen: Pen) -> None:
    house = writing_house
    hold = house.hold("index")
    book = house.upload()
    house.until_started(book, "index")
    pen.go.set()
    job = order(house, book)
    ended = house.wait(job)
    assert (ended.state, ended.kind, ended.request) == (JobState.SUCCEEDED, JobKind.ANSWER, REQUEST)
    assert ended.progress == 1.0
    assert [asked.request for asked in pen.asked] == [REQUEST]
    assert house.job(book).state is JobState.RUNNING
    with house.database.session(read_only=True) as session:
        jobs = JobRepository(session)
        assert jobs.latest(book.book_id) == jobs.active(book.book_id) == house.job(book)
    hold.unlink()
    assert house.wait(book).state is JobState.SUCCEEDED
    told = [event for event in house.events(book.book_id) if event.job_id == job.id]
    assert [event.kind for event in told] == ["answer.started", "answer.succeeded"]


def test_the_same_request_is_not_written_twice_at_a_time(writing_house: House, pen: Pen) -> None:
    house = writing_house
    book = house.upload()
    job = order(house, book)
    half_written(house, pen, job)
    assert order(house, book).id == job.id
    other = order(house, book, {**REQUEST, "wanted": {"words": 60}})
    assert other.id != job.id
    assert house.job(other).state is JobState.QUEUED, "one answer at a time"
    pen.go.set()
    assert house.wait(job).state is house.wait(other).state is JobState.SUCCEEDED
    assert order(house, book).id != job.id


def test_a_stopped_process_goes_on_where_it_was(writing_house: House, pen: Pen) -> None:
    house = writing_house
    job = order(house, house.upload())
    half_written(house, pen, job)
    house.jobs.stop()
    assert house.job(job).state is JobState.RUNNING
    house.jobs = house.new_jobs()
    house.jobs.write = pen
    pen.go.set()
    house.start()
    ended = house.wait(job)
    assert (ended.state, ended.attempts) == (JobState.SUCCEEDED, 2)
    assert pen.kept == [0, 1, 2, 3], "no part was written twice"


def test_cancelled_in_the_middle(writing_house: House, pen: Pen) -> None:
    house = writing_house
    book = house.upload()
    house.wait(book)
    job = order(house, book)
    half_written(house, pen, job)
    house.jobs.cancel(job.id)
    again = order(house, book)
    assert again.id != job.id, "what is being cancelled will not be written"
    house.jobs.cancel(again.id)
    assert house.kinds(book.book_id)[-1] == "answer.cancelled"
    ended = house.wait(job)
    assert (ended.state, len(pen.asked)) == (JobState.CANCELLED, 1)
    stored = house.book(book.book_id)
    assert stored is not None
    assert stored.version, "the book stays ready"


def test_a_deleted_book_ends_the_writing(writing_house: House, pen: Pen) -> None:
    from db.repositories import BookRepository

    house = writing_house
    book = house.upload()
    house.wait(book)
    job = order(house, book)
    half_written(house, pen, job)
    with house.database.session() as session:
        assert BookRepository(session).delete(book.book_id)
    until(lambda: not house.jobs._worker.durable.holders(), "it is still written")  # type: ignore[union-attr]


def test_a_server_that_is_away_for_a_moment(writing_house: House, pen: Pen) -> None:
    house = writing_house
    pen.go.set()
    pen.faults = [ModelServerFailed("It is busy."), ModelServerFailed("It is busy.")]
    job = house.wait(order(house, house.upload()))
    assert (job.state, len(pen.asked), job.attempts) == (JobState.SUCCEEDED, 3, 1)


@pytest.mark.parametrize(
    ("fault", "code", "says"),
    [
        (DraftRejected("It says nothing."), "draft_rejected", "It says nothing."),
        (
            ZeroDivisionError("of mine"),
            "internal_error",
            "An internal error occurred. The log has the details.",
        ),
    ],
)
def test_why_an_answer_failed(writing_house: House, pen: Pen, fault: Exception, code: str, says: str) -> None:
    house = writing_house
    book = house.upload()
    house.wait(book)
    pen.faults = [fault] * 10
    job = house.wait(order(house, book))
    assert len(pen.asked) == 1, "a model is not paid again for what was rejected"
    assert (job.state, job.error_code, job.error) == (JobState.FAILED, code, says)
    assert job.remedy
    with house.database.session(read_only=True) as session:
        kinds = [event.kind for event in EventRepository(session).since(book.book_id, after=0, limit=100)]
    assert kinds[-1] == "answer.failed"
    stored = house.book(book.book_id)
    assert stored is not None
    assert stored.state == "ready"
