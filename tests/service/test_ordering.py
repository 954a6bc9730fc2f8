"""How a book is to be read, and the job that reads it so: written down together, and never lost."""

from __future__ import annotations

import gzip
import tracemalloc
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from books.edits import ChapterMark
from books.errors import EncodingUnknown, FileHostile, NotText, UnsupportedFormat
from db.errors import JobRunning
from db.repositories import BookRepository, ChapterEditRepository, JobRepository
from db.types import BookRecord, JobRecord, JobState, ReadingOptions
from retrieval.errors import IndexStale
from service.assembly import assembled
from service.book_repair import Mending
from service.errors import BookFailed, BookNotReady
from service.library import Library
from service.services import Services
from service.settings import Settings
from service.usecases import books, chapters, jobs
from service.usecases.reading_orders import Given
from tests.service.conftest import HOME, STORY

_copies = count(1)


@pytest.fixture(scope="module")
def idle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    """Nothing does the jobs: a test moves them by hand."""
    settings = Settings(data_dir=tmp_path_factory.mktemp("idle"), embedder="hashing")
    with assembled(settings, jobs_here=False) as services:
        yield services


@pytest.fixture
def data() -> bytes:
    """A book that was never uploaded before."""
    return f"{STORY}\n\nCopy number {next(_copies)}.\n".encode()


def send(services: Services, data: bytes, **given: Any) -> books.Upload:
    return books.upload(Library(services, HOME), data=data, given=Given(**given))


def move(services: Services, job: JobRecord | None, state: JobState) -> None:
    assert job is not None
    with services.database.session() as session:
        rows = JobRepository(session)
        assert rows.start(job.id, worker="by hand")
        if state is JobState.SUCCEEDED:
            rows.succeed(job.id)
        elif state is JobState.FAILED:
            rows.fail(job.id, code="not_text", error="It is a picture.", remedy="Draw less.")
            BookRepository(session).fail(job.book_id)


def options(services: Services, book: BookRecord) -> ReadingOptions:
    return Library(services, HOME).book(book.id).options


def test_what_is_said_of_a_book_is_kept_with_it(idle: Services, data: bytes) -> None:
    taken = send(idle, data, title="T", author="A", encoding="Latin1", force=True)
    assert taken.book.options == ReadingOptions("T", "A", "iso8859-1", force=True)


def test_what_is_left_out_stays_as_it_was(idle: Services, data: bytes) -> None:
    book = send(idle, data, title="T", encoding="big5", force=True).book
    assert send(idle, data).book.id == book.id
    assert options(idle, book) == ReadingOptions("T", None, "big5", force=True)
    send(idle, data, encoding="auto", force=False)
    assert options(idle, book) == ReadingOptions("T")


def test_a_job_that_waits_takes_the_change_along(idle: Services, data: bytes) -> None:
    first = send(idle, data)
    second = send(idle, data, force=True)
    assert first.job is not None
    assert second.job is not None
    assert second.job.id == first.job.id
    assert options(idle, first.book).force


def test_a_job_that_runs_refuses_the_change_and_nothing_of_it_is_kept(idle: Services, data: bytes) -> None:
    first = send(idle, data)
    move(idle, first.job, JobState.RUNNING)
    same = send(idle, data)
    assert same.job is not None
    assert first.job is not None
    assert same.job.id == first.job.id
    with pytest.raises(JobRunning) as caught:
        send(idle, data, force=True)
    assert caught.value.job == first.job.id
    assert "send the request again" in caught.value.advice
    assert not options(idle, first.book).force


def test_a_job_that_is_being_cancelled_takes_no_order(idle: Services, data: bytes) -> None:
    first = send(idle, data).job
    assert first is not None
    move(idle, first, JobState.RUNNING)
    idle.jobs.cancel(first.id)
    for again in (partial(send, idle, data), partial(jobs.retry, Library(idle, HOME), job_id=first.id)):
        with pytest.raises(JobRunning, match="being cancelled") as caught:
            again()
        assert caught.value.job == first.id
    book = Library(idle, HOME).book(first.book_id)
    stale = Mending(idle)(book, IndexStale("It is old."), since=first.created, other_model=False)
    assert isinstance(stale, IndexStale)
    assert stale.job == first.id
    with idle.database.session() as session:
        JobRepository(session).cancel(first.id)
    second = send(idle, data).job
    assert second is not None
    assert second.id != first.id


@pytest.mark.parametrize("change", [{"force": True}, {"encoding": "utf-8"}, {"title": "Other"}])
def test_after_it_the_change_has_the_book_read_again(
    idle: Services, data: bytes, change: dict[str, Any]
) -> None:
    first = send(idle, data)
    move(idle, first.job, JobState.FAILED)
    again = send(idle, data, **change)
    assert again.job is not None
    assert first.job is not None
    assert again.job.id != first.job.id
    assert not again.created


def test_an_unknown_encoding_leaves_nothing(idle: Services, data: bytes) -> None:
    with pytest.raises(EncodingUnknown):
        send(idle, data, encoding="utf-9")
    assert send(idle, data).created


@pytest.mark.parametrize(
    ("file", "error"),
    [
        (b"%PDF-1.7 and so on", UnsupportedFormat),
        (gzip.compress(b"%PDF-1.7 and so on", mtime=0), UnsupportedFormat),
        (b"\x1f\x8b but no more of it", NotText),
        (gzip.compress(gzip.compress(b"x" * 100, mtime=0), mtime=0), FileHostile),
    ],
)
def test_what_cannot_be_read_is_refused_while_its_uploader_waits(
    idle: Services, file: bytes, error: type[Exception]
) -> None:
    with pytest.raises(error):
        send(idle, file)


def test_a_bomb_costs_next_to_nothing_before_it_is_read(idle: Services) -> None:
    """The stage that reads counts what comes out; an upload only glances at its beginning."""
    bomb = gzip.compress(bytes(64 * 2**20), compresslevel=9)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        with suppress(NotText):
            send(idle, bomb)
        assert tracemalloc.get_traced_memory()[1] - before < 4 * 2**20
    finally:
        tracemalloc.stop()


def test_a_failed_book_says_why(idle: Services, data: bytes) -> None:
    taken = send(idle, data)
    move(idle, taken.job, JobState.FAILED)
    with pytest.raises(BookFailed) as caught:
        idle.shelf.open(taken.book.id, library=HOME)
    assert "It is a picture." in caught.value.detail
    assert caught.value.advice == "Draw less."


def test_chapters_of_a_book_that_is_not_read_cannot_be_corrected(idle: Services, data: bytes) -> None:
    taken = send(idle, data)
    with pytest.raises(BookNotReady):
        chapters.correct(Library(idle, HOME), book_id=taken.book.id, marks=[ChapterMark(0, "One")])
    with idle.database.session() as session:
        assert ChapterEditRepository(session).get(taken.book.id) is None


def test_the_limit_of_what_is_unpacked_is_a_setting(tmp_path: Path) -> None:
    assert Settings(data_dir=tmp_path).limits.unpacked == 256 * 2**20
    assert Settings(data_dir=tmp_path, max_unpacked_bytes=5).limits.unpacked == 5
