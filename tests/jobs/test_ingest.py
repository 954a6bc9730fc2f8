"""An ingest from upload to published book, on either database."""

from __future__ import annotations

from dataclasses import replace

import pytest

import books.report
import books.storage
import coref.storage
from books.edits import ChapterMark, make_edit
from coref.decisions.types import Decision, DecisionKind
from coref.decisions.whom import sighting
from db.repositories import (
    BookRepository,
    ChapterEditRepository,
    CharacterRepository,
    DecisionRepository,
)
from db.types import BookState, JobState, ReadingOptions
from retrieval import manifest as manifests
from retrieval.index import BookIndex
from service.errors import JobUnknown
from service.jobs.attempt import IngestAttempt, taken_up
from service.jobs.stage_estimates import Pace
from service.jobs.stages import INDEX, PLAN
from tests.jobs.house import STORY, House, until


def test_book_is_ready_with_its_cast_and_its_version(house: House) -> None:
    job = house.wait(house.upload())
    assert (job.state, job.error) == (JobState.SUCCEEDED, None)
    book = house.book(job.book_id)
    assert book is not None
    assert (book.state, book.words) == (BookState.READY, len(STORY.split()) + 8)
    folder = house.store.open(book.id, book.version or "")
    assert BookIndex.open(folder / INDEX, book=books.storage.load(folder)).embedder
    stages = manifests.read(folder).stages
    assert [s.stage for s in stages] == ["read", "resolve", "index"]
    assert house.left_over(book.id) == []
    assert house.started(job) == {"read": 1, "resolve": 1, "index": 1}
    assert set(job.timings) == {s.name for s in PLAN}
    assert job.progress == 1.0
    assert job.seconds_left is None


def test_cast_and_chapters_are_in_the_database(house: House) -> None:
    job = house.wait(house.upload())
    with house.database.session(read_only=True) as session:
        chapters = BookRepository(session).chapters(job.book_id)
        cast = CharacterRepository(session).of_book(job.book_id)
    assert [c.title for c in chapters] == ["CHAPTER I", "CHAPTER II"]
    folder = house.store.open(job.book_id, house.version(job))
    annotations = coref.storage.load(folder / coref.storage.FILE)
    assert [c.key for c in cast] == [c.id for c in annotations.characters]
    assert len(cast) > 0


def test_the_report_is_what_the_reader_tells(house: House) -> None:
    job = house.wait(house.upload())
    book = house.book(job.book_id)
    assert book is not None
    folder = house.store.open(book.id, book.version or "")
    assert book.report == books.report.tell(books.storage.load(folder))
    assert (book.report["chapters"], book.report["encoding_by"]) == (2, "valid")


def test_a_book_is_read_as_its_uploader_says(house: House) -> None:
    job = house.wait(house.upload())
    version = house.version(job)
    with house.database.session() as session:
        BookRepository(session).instruct(
            job.book_id, ReadingOptions(title="Given", author="Ann", encoding="cp437", force=True)
        )
    assert house.wait(house.ingest(job.book_id)).state is JobState.SUCCEEDED
    book = house.book(job.book_id)
    assert book is not None
    assert book.report is not None
    assert (book.title, book.author) == ("Given", "Ann")
    assert (book.report["encoding"], book.report["encoding_by"]) == ("cp437", "given")
    assert book.version != version
    with house.database.session() as session:
        BookRepository(session).instruct(job.book_id, ReadingOptions())
    house.wait(house.ingest(job.book_id))
    again = house.book(job.book_id)
    assert again is not None
    assert again.version == version
    assert again.title != "Given"


def test_a_book_has_the_chapters_that_a_reader_gave_it(house: House) -> None:
    job = house.wait(house.upload())
    folder = house.store.open(job.book_id, house.version(job))
    start = STORY.index("Ada looked")
    edit = make_edit(books.storage.load(folder), [ChapterMark(0, "One"), ChapterMark(start, "Two")])
    with house.database.session() as session:
        ChapterEditRepository(session).put(job.book_id, edit)
    house.wait(house.ingest(job.book_id))
    with house.database.session(read_only=True) as session:
        chapters = BookRepository(session).chapters(job.book_id)
    assert [(c.title, c.start) for c in chapters] == [("One", 0), ("Two", start)]


def test_events_tell_the_story(house: House) -> None:
    job = house.wait(house.upload())
    assert house.kinds(job.book_id) == [
        "job.started",
        *(["stage.started", "stage.finished"] * len(PLAN)),
        "job.succeeded",
    ]
    events = house.events(job.book_id)
    assert [e.data["stage"] for e in events if e.kind == "stage.started"] == [s.name for s in PLAN]
    assert {e.job_id for e in events} == {job.id}


def test_progress_and_time_left_while_a_stage_is_at_work(house: House) -> None:
    hold = house.hold("resolve")
    job = house.upload()
    house.until_started(job, "resolve")
    until(lambda: "stage.progress" in [e.kind for e in house.events(job.book_id)], "no progress")
    now = house.job(job)
    assert (now.state, now.stage) == (JobState.RUNNING, "resolve")
    assert 0.05 < now.progress < 0.95
    assert now.seconds_left is not None
    assert now.seconds_left > 0
    assert now.worker is not None
    told = [e.data for e in house.events(job.book_id) if e.kind in ("stage.started", "stage.progress")]
    assert [one["job_progress"] for one in told] == sorted(one["job_progress"] for one in told)
    assert 0 < told[-1]["job_progress"] <= now.progress
    assert all(one["seconds_left"] >= 0 for one in told)
    hold.unlink()
    assert house.wait(job).state is JobState.SUCCEEDED


def test_time_left_is_sane_while_the_models_are_loaded(sqlite_house: House) -> None:
    queued = sqlite_house.upload(enqueue=False)
    taken = taken_up(sqlite_house.database, queued.book_id, queued.id, worker="w")
    assert taken is not None
    job, book = taken
    IngestAttempt(sqlite_house.database, job, pace=Pace(), size=book.size).listen()
    left = sqlite_house.job(job).seconds_left
    assert left is not None
    assert 0 < left < 5


def test_waiting_gives_the_job_as_it_is_when_time_is_up(house: House) -> None:
    house.hold("read")
    job = house.upload()
    assert house.wait(job, timeout=0.2).state in (JobState.QUEUED, JobState.RUNNING)


def test_waiting_for_no_job_says_so(house: House) -> None:
    with pytest.raises(JobUnknown):
        house.jobs.wait("job_none", 1)


def test_another_ingest_of_a_ready_book_does_no_work_twice(house: House) -> None:
    first = house.wait(house.upload())
    version = house.version(first)
    second = house.wait(house.ingest(first.book_id))
    assert second.state is JobState.SUCCEEDED
    assert house.version(first) == version
    assert set(house.started(first).values()) == {1}
    assert second.timings.keys() == {"publish"}
    reused = [e.data["stage"] for e in house.events(first.book_id) if e.data.get("reused")]
    assert reused == ["read", "resolve", "index"]


def test_correction_made_before_outlives_another_ingest(house: House) -> None:
    job = house.wait(house.upload())
    with house.database.session() as session:
        cast = CharacterRepository(session).of_book(job.book_id)
        DecisionRepository(session).append(
            job.book_id, Decision(0, DecisionKind.RENAME, character=cast[0].key, name="Grace")
        )
    house.wait(house.ingest(job.book_id))
    with house.database.session(read_only=True) as session:
        assert "Grace" in [c.name for c in CharacterRepository(session).of_book(job.book_id)]


def test_a_correction_is_published_with_whom_it_is_about(house: House) -> None:
    job = house.wait(house.upload())
    found = coref.storage.load(house.store.open(job.book_id, house.version(job)) / coref.storage.FILE)
    seen = sighting(found.characters[0], found.mentions_of(found.characters[0].id))
    made = Decision(
        0, DecisionKind.RENAME, "of-old", name="Grace", sightings=(replace(seen, character="of-old"),)
    )
    with house.database.session() as session:
        DecisionRepository(session).append(job.book_id, made)
    house.wait(house.ingest(job.book_id))
    with house.database.session(read_only=True) as session:
        names = {c.key: c.name for c in CharacterRepository(session).of_book(job.book_id)}
    assert names[found.characters[0].id] == "Grace"
