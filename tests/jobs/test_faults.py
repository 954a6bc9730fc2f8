"""Failing, cancelling and deleting, at every moment at which they can happen."""

from __future__ import annotations

import shutil
import sqlite3
import time
from dataclasses import replace
from pathlib import Path

import pytest
from dbos._sys_db import SystemDatabase

from books.errors import NotText
from db.errors import DatabaseAway, StorageFull
from db.repositories import BookRepository
from db.types import BookState, JobState
from retrieval.errors import IndexStale
from service.jobs import stages
from tests.jobs.house import PATIENCE, House, until

STAGES = ["read", "resolve", "index"]
POSTGRES = pytest.param("postgres", marks=[pytest.mark.postgres, pytest.mark.soak])

pytestmark = pytest.mark.parametrize("shared_house", ["sqlite", POSTGRES], indirect=True)


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.jobs.patience.FIRST_PAUSE", 0.05)


def test_failure_says_why_in_one_sentence(house: House) -> None:
    house.fail("resolve", "refuse")
    job = house.wait(house.upload())
    assert (job.state, job.error_code, job.error) == (JobState.FAILED, "not_text", "This is not a book.")
    assert job.remedy == NotText.remedy
    assert job.stage == "resolve"
    book = house.book(job.book_id)
    assert book is not None
    assert (book.state, book.version) == (BookState.FAILED, None)
    assert house.started(job)["resolve"] == 1
    assert house.kinds(job.book_id)[-1] == "job.failed"
    assert house.left_over(job.book_id) == []


def test_failed_book_can_be_tried_again(house: House) -> None:
    house.fail("index", "refuse", times=1)
    job = house.wait(house.upload())
    assert job.state is JobState.FAILED
    assert house.wait(house.ingest(job.book_id)).state is JobState.SUCCEEDED


def test_bug_is_told_without_a_word_of_the_book(house: House, capfd: pytest.CaptureFixture[str]) -> None:
    house.fail("resolve", "bug")
    job = house.wait(house.upload())
    assert (job.state, job.error_code) == (JobState.FAILED, "internal_error")
    assert "log" in (job.error or "")
    assert "report it" in (job.remedy or "")
    seen, until = "", time.monotonic() + PATIENCE
    while "KeyError" not in seen and time.monotonic() < until:
        seen += "".join(capfd.readouterr())
        time.sleep(0.05)
    assert "KeyError" in seen
    assert "a word of the book" not in seen + (job.error or "")


def test_what_may_pass_is_tried_again(house: House) -> None:
    house.fail("index", "stumble", times=2)
    job = house.wait(house.upload())
    assert job.state is JobState.SUCCEEDED
    assert house.started(job) == {"read": 1, "resolve": 1, "index": 3}


def test_what_does_not_pass_is_given_up(house: House) -> None:
    house.fail("read", "stumble")
    job = house.wait(house.upload())
    assert (job.state, job.error_code) == (JobState.FAILED, "passing")
    assert house.started(job)["read"] == house.settings.job_attempts


def test_full_disk_is_not_tried_again_and_leaves_nothing(house: House) -> None:
    house.fail("index", "full")
    job = house.wait(house.upload())
    assert (job.state, job.error_code) == (JobState.FAILED, "storage_full")
    assert house.started(job)["index"] == 1
    assert house.left_over(job.book_id) == []


def test_full_disk_keeps_the_old_version_serving(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    job = house.wait(house.upload())
    version = house.version(job)
    newer = tuple(replace(s, version=s.version + (s.name == "index")) for s in stages.WRITING)
    monkeypatch.setattr(stages, "WRITING", newer)
    house.fail("index", "full")
    assert house.wait(house.ingest(job.book_id)).state is JobState.FAILED
    book = house.book(job.book_id)
    assert book is not None
    assert (book.state, book.version) == (BookState.READY, version)
    house.store.open(book.id, version)


def test_stage_process_that_dies_is_replaced(house: House) -> None:
    house.fail("resolve", "die", times=1)
    job = house.wait(house.upload())
    assert job.state is JobState.SUCCEEDED
    assert house.started(job) == {"read": 1, "resolve": 2, "index": 1}


def test_stage_process_that_always_dies_fails_the_job(house: House) -> None:
    house.fail("resolve", "die")
    job = house.wait(house.upload())
    assert (job.state, job.error_code) == (JobState.FAILED, "stage_died")
    assert "signal 9" in (job.error or "")


def test_cancelling_a_queued_job(house: House) -> None:
    hold = house.hold("read")
    first = house.upload()
    house.until_started(first, "read")
    second = house.upload()
    house.jobs.cancel(second.id)
    assert house.job(second).state is JobState.CANCELLED
    waiting = house.book(second.book_id)
    assert waiting is not None
    assert waiting.state is BookState.FAILED
    hold.unlink()
    assert house.wait(first).state is JobState.SUCCEEDED
    time.sleep(0.6)
    assert house.started(second) == {}
    assert house.kinds(second.book_id) == ["job.cancelled"]


@pytest.mark.parametrize("stage", STAGES)
def test_cancelling_a_running_stage_stops_it(house: House, stage: str) -> None:
    house.hold(stage)
    job = house.upload()
    house.until_started(job, stage)
    began = time.monotonic()
    house.jobs.cancel(job.id)
    house.jobs.cancel(job.id)
    ended = house.wait(job)
    assert ended.state is JobState.CANCELLED
    assert time.monotonic() - began < 20
    assert house.ended(job)[stage] == 0
    assert house.left_over(job.book_id) == []
    house.jobs.cancel(job.id)
    assert house.kinds(job.book_id).count("job.cancelled") == 1
    book = house.book(job.book_id)
    assert book is not None
    assert book.state is BookState.FAILED, "nothing works on it any more"


def test_cancelling_while_waiting_to_try_again(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.jobs.patience.FIRST_PAUSE", 30.0)
    house.fail("read", "stumble")
    job = house.upload()
    house.until_started(job, "read")
    house.jobs.cancel(job.id)
    assert house.wait(job).state is JobState.CANCELLED


def test_cancelling_what_has_ended_changes_nothing(house: House) -> None:
    job = house.wait(house.upload())
    house.jobs.cancel(job.id)
    house.jobs.cancel("job_none")
    assert house.job(job).state is JobState.SUCCEEDED


@pytest.mark.parametrize("stage", STAGES)
def test_deleting_a_book_while_a_stage_is_at_it(house: House, stage: str) -> None:
    house.hold(stage)
    job = house.upload()
    house.until_started(job, stage)
    with house.database.session() as session:
        BookRepository(session).delete(job.book_id)
    house.store.delete(job.book_id)
    home = Path(house.settings.artefacts) / job.book_id
    house.release(stage)
    other = house.wait(house.upload())
    assert other.state is JobState.SUCCEEDED
    until(lambda: not home.exists(), f"{home} came back")
    assert house.ended(job)[stage] <= 1


def test_artefact_damaged_between_stages_is_made_again(house: House) -> None:
    hold = house.hold("index")
    job = house.upload()
    house.until_started(job, "index")
    for file in (Path(house.settings.artefacts) / job.book_id).rglob("structure.json"):
        file.write_bytes(b"{}")
    hold.unlink()
    house.fail("index", "stumble", times=1)
    ended = house.wait(job)
    assert ended.state in (JobState.SUCCEEDED, JobState.FAILED)
    if ended.state is JobState.SUCCEEDED:
        house.store.open(job.book_id, house.version(job))


def test_damaged_book_is_mended_by_another_ingest(house: House) -> None:
    first = house.wait(house.upload())
    folder = house.store.open(first.book_id, house.version(first))
    (folder / "text.txt").write_text("damaged")
    with pytest.raises(IndexStale):
        house.store.open(first.book_id, house.version(first))
    assert house.wait(house.ingest(first.book_id)).state is JobState.SUCCEEDED
    house.store.open(first.book_id, house.version(first))


def test_missing_source_fails_with_a_reason(house: House) -> None:
    hold = house.hold("read")
    first = house.upload()
    house.until_started(first, "read")
    job = house.upload()
    shutil.rmtree(Path(house.settings.artefacts) / job.book_id)
    hold.unlink()
    ended = house.wait(job)
    assert (ended.state, ended.error_code) == (JobState.FAILED, "source_missing")


def test_full_disk_of_the_database_ends_the_job_when_that_can_be_written(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold = house.hold("resolve")
    job = house.upload()
    house.until_started(job, "resolve")

    def full(**_: object) -> object:
        raise StorageFull("The database's disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(house.database, "session", full)
        hold.unlink()
        time.sleep(1.0)
    ended = house.wait(job)
    assert (ended.state, ended.error_code) == (JobState.FAILED, "storage_full")


def test_job_whose_end_could_not_be_recorded_goes_on(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk stops the workflow, which stays as it was: nobody else takes it from a living worker."""
    hold = house.hold("resolve")
    job = house.upload()
    house.until_started(job, "resolve")
    refused = []

    def full(*_: object, **__: object) -> object:
        refused.append(1)
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(SystemDatabase, "record_operation_result", full)
        patch.setattr(SystemDatabase, "update_workflow_outcome", full)
        hold.unlink()
        until(lambda: len(refused) >= 2, "the workflow did not stop")
    assert house.job(job).state is JobState.RUNNING
    ended = house.wait(job)
    assert (ended.state, ended.attempts) == (JobState.SUCCEEDED, 2)
    assert house.ended(job)["resolve"] == 1


def test_job_whose_workflow_ended_without_it_fails(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    hold = house.hold("resolve")
    job = house.upload()
    house.until_started(job, "resolve")

    def full(*_: object, **__: object) -> object:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(SystemDatabase, "record_operation_result", full)
        hold.unlink()
        ended = house.wait(job)
    assert (ended.state, ended.error_code) == (JobState.FAILED, "job_lost")


def test_database_that_is_away_for_a_while_stops_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold = house.hold("resolve")
    job = house.upload()
    house.until_started(job, "resolve")
    real = house.database.session

    def away(**_: object) -> object:
        raise DatabaseAway("The database does not answer.")

    with monkeypatch.context() as patch:
        patch.setattr(house.database, "session", away)
        hold.unlink()
        time.sleep(1.0)
    assert house.database.session == real
    assert house.wait(job).state is JobState.SUCCEEDED
    assert house.started(job)["resolve"] <= 2
