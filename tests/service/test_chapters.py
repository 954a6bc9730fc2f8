"""A reader corrects the chapters: kept, read so, kept through whatever comes, and taken back."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from books.edits import ChapterMark
from books.errors import ChaptersInvalid
from books.types import ChaptersBy
from coref.decisions.types import Decision, DecisionKind
from db.errors import JobRunning
from db.repositories import ChapterEditRepository, JobRepository
from db.types import JobRecord, JobState
from service.assembly import assembled
from service.jobs import stages
from service.library import Library
from service.services import Services
from service.settings import Settings
from service.usecases import books, chapters, decisions
from service.usecases.reading_orders import Given
from tests.service.conftest import HOME, STORY, cast_of

FOUND = ["CHAPTER I", "CHAPTER II", "CHAPTER III"]
_copies = count(1)


@pytest.fixture(scope="module")
def working(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    folder = tmp_path_factory.mktemp("chapters")
    settings = Settings(data_dir=folder, embedder="hashing", resolver="rules")
    with assembled(settings, jobs_here=True) as services:
        yield services


@pytest.fixture
def data() -> bytes:
    return f"{STORY}\n\nCopy number {next(_copies)} of the café’s.\n".encode()


@pytest.fixture
def book_id(working: Services, data: bytes) -> str:
    taken = books.upload(Library(working, HOME), data=data)
    ended(working, taken.job)
    return taken.book.id


def ended(services: Services, job: JobRecord | None) -> JobRecord:
    assert job is not None
    done = services.jobs.wait(job.id, timeout=60)
    assert done.state is JobState.SUCCEEDED, done.error
    return done


def titles(services: Services, book_id: str) -> list[str]:
    return [c.title for c in Library(services, HOME).view(book_id).book.chapters]


def correct(services: Services, book_id: str, *marks: tuple[int, str]) -> chapters.Corrected:
    given = [ChapterMark(start, title) for start, title in marks]
    return chapters.correct(Library(services, HOME), book_id=book_id, marks=given)


TWO = ((STORY.index("CHAPTER I"), "The Mill"), (STORY.index("Mrs. Ward opened"), "The Door"))


def test_the_corrected_chapters_are_those_of_the_book(working: Services, book_id: str) -> None:
    assert titles(working, book_id) == FOUND
    before = working.shelf.open(book_id, library=HOME).book
    ended(working, correct(working, book_id, *TWO).job)
    after = working.shelf.open(book_id, library=HOME).book
    assert [(c.span.start, c.title) for c in after.chapters] == list(TWO)
    assert after.report.chapters_by == ChaptersBy.READER
    assert after.text == before.text


def test_the_gate_follows_the_corrected_chapters(working: Services, book_id: str) -> None:
    assert not any("Ward" in p.character.name for p in cast_of(working, book_id, upto="2"))
    ended(working, correct(working, book_id, *TWO).job)
    whole, first = cast_of(working, book_id, upto="2"), cast_of(working, book_id, upto="1")
    assert any("Ward" in alias.text for p in whole for alias in p.character.aliases)
    assert not any("Ward" in alias.text for p in first for alias in p.character.aliases)


def test_the_same_again_starts_nothing(working: Services, book_id: str) -> None:
    book = Library(working, HOME).view(book_id).book
    as_found = [(c.span.start, c.title) for c in book.chapters]
    assert correct(working, book_id, *as_found).job is None
    ended(working, correct(working, book_id, *TWO).job)
    assert correct(working, book_id, *TWO).job is None


def test_a_correction_can_be_taken_back(working: Services, book_id: str) -> None:
    assert chapters.forget(Library(working, HOME), book_id=book_id).job is None
    ended(working, correct(working, book_id, *TWO).job)
    job = ended(working, chapters.forget(Library(working, HOME), book_id=book_id).job)
    assert titles(working, book_id) == FOUND
    assert job.timings.keys() >= {"publish"}


def test_the_same_upload_keeps_the_correction(working: Services, book_id: str, data: bytes) -> None:
    ended(working, correct(working, book_id, *TWO).job)
    assert books.upload(Library(working, HOME), data=data).job is None
    ended(working, books.upload(Library(working, HOME), data=data, given=Given(title="The Mill")).job)
    assert titles(working, book_id) == ["The Mill", "The Door"]


@pytest.mark.parametrize("written", ["books.storage._FORMAT", "coref.storage.FORMAT"])
def test_a_book_that_an_older_version_wrote_is_read_again(
    working: Services, book_id: str, data: bytes, written: str
) -> None:
    assert books.upload(Library(working, HOME), data=data).job is None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(written, 99)
        again = books.upload(Library(working, HOME), data=data)
    assert again.book.id == book_id
    ended(working, again.job)


def test_a_text_that_is_read_otherwise_keeps_the_correction(
    working: Services, book_id: str, data: bytes
) -> None:
    """Read with a wrong encoding the text is another one, but the chapters begin with the same words."""
    ended(working, correct(working, book_id, *TWO).job)
    sha256 = working.shelf.open(book_id, library=HOME).book.sha256
    ended(working, books.upload(Library(working, HOME), data=data, given=Given(encoding="cp437")).job)
    opened = working.shelf.open(book_id, library=HOME)
    assert opened.book.sha256 != sha256
    assert [c.title for c in opened.book.chapters] == ["The Mill", "The Door"]


def test_a_reader_of_a_new_version_keeps_the_correction(
    working: Services, book_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    from service.usecases.reading_orders import order

    ended(working, correct(working, book_id, *TWO).job)
    version = working.shelf.open(book_id, library=HOME).record.version
    newer = tuple(replace(s, version=s.version + (s.name == "read")) for s in stages.WRITING)
    monkeypatch.setattr(stages, "WRITING", newer)
    book = Library(working, HOME).book(book_id)
    ended(working, order(working, book=book, change=lambda _: False, anew=True))
    assert working.shelf.open(book_id, library=HOME).record.version != version
    assert titles(working, book_id) == ["The Mill", "The Door"]


def test_decisions_hold_on_the_corrected_book(working: Services, book_id: str) -> None:
    cast = cast_of(working, book_id)
    decisions.decide(
        Library(working, HOME),
        book_id=book_id,
        wanted=Decision(0, DecisionKind.RENAME, character=cast[0].character.id, name="Grace"),
    )
    ended(working, correct(working, book_id, *TWO).job)
    after = next(p for p in cast_of(working, book_id) if p.character.name == "Grace")
    assert after.character.mention_count == cast[0].character.mention_count


def test_what_does_not_fit_the_text_is_refused_and_not_kept(working: Services, book_id: str) -> None:
    with pytest.raises(ChaptersInvalid):
        correct(working, book_id, (3, "In a word"))
    with working.database.session() as session:
        assert ChapterEditRepository(session).get(book_id) is None


def test_a_correction_while_the_book_is_read_is_refused_and_not_kept(working: Services, book_id: str) -> None:
    with working.database.session() as session:  # taken up by hand, in the transaction that creates it
        jobs = JobRepository(session)
        job = jobs.create(book_id, library=HOME)
        jobs.start(job.id, worker="by hand")
    try:
        with pytest.raises(JobRunning) as caught:
            correct(working, book_id, *TWO)
        assert caught.value.job == job.id
        with working.database.session() as session:
            assert ChapterEditRepository(session).get(book_id) is None
    finally:
        with working.database.session() as session:
            JobRepository(session).cancel(job.id)
    ended(working, correct(working, book_id, *TWO).job)


def test_a_correction_whose_job_was_cancelled_is_done_when_it_is_sent_again(
    working: Services, book_id: str
) -> None:
    job = correct(working, book_id, *TWO).job
    assert job is not None
    working.jobs.cancel(job.id)
    working.jobs.wait(job.id, timeout=60)
    again = correct(working, book_id, *TWO)
    if again.job is not None:
        ended(working, again.job)
    assert titles(working, book_id) == ["The Mill", "The Door"]
