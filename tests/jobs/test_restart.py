"""Starting, stopping and going on: what a process finds that was left by itself or by another."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from db.types import JobState
from service.jobs import publishing
from service.jobs.errors import HandedOver
from tests.jobs.house import ROOT, House, until


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=[pytest.mark.postgres, pytest.mark.soak])])
def database_url(request: pytest.FixtureRequest) -> str:
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


def test_process_without_workers_leaves_the_job_to_one_that_comes_later(idle_house: House) -> None:
    idle_house.jobs.start(working=False)
    job = idle_house.upload()
    assert idle_house.job(job).state is JobState.QUEUED
    idle_house.start()
    assert idle_house.wait(job).state is JobState.SUCCEEDED


def test_stop_in_a_stage_and_start_again(idle_house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was done stays done; the stage in hand is done again; the job never looks failed."""
    house = idle_house
    monkeypatch.setattr("service.jobs.engine.DRAIN_SECONDS", 0.5)
    house.start()
    hold = house.hold("index")
    job = house.upload()
    house.until_started(job, "index")
    house.jobs.stop()
    assert house.job(job).state is JobState.RUNNING
    hold.unlink()
    house.jobs = house.new_jobs()
    house.start()
    ended = house.wait(job)
    assert (ended.state, ended.attempts) == (JobState.SUCCEEDED, 2)
    assert house.started(job) == {"read": 1, "resolve": 1, "index": 2}
    assert house.left_over(job.book_id) == []


def test_stage_that_is_nearly_done_may_finish_when_told_to_stop(sqlite_house: House) -> None:
    house = sqlite_house
    house.start()
    hold = house.hold("resolve")
    job = house.upload()
    house.until_started(job, "resolve")
    until(lambda: house.job(job).stage == "resolve", "not at work")
    hold.unlink()
    house.restart()
    assert house.wait(job).state is JobState.SUCCEEDED
    assert house.started(job) == {"read": 1, "resolve": 1, "index": 1}


def test_death_between_folder_and_transaction(idle_house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The version's folder is in place, the database does not know it yet."""
    house = idle_house

    def die(*_: object, **__: object) -> None:
        raise HandedOver  # ends the execution as a killed process would: nothing is recorded

    house.start()
    with monkeypatch.context() as patch:
        patch.setattr(publishing, "_record", die)
        job = house.upload()
        until(lambda: house.store.versions(job.book_id) != [], "no version")
        time.sleep(0.3)
        assert house.job(job).state is JobState.RUNNING
        house.jobs.stop()
    house.jobs = house.new_jobs()
    house.start()
    assert house.wait(job).state is JobState.SUCCEEDED
    assert set(house.started(job).values()) == {1}
    assert house.store.versions(job.book_id) == [house.version(job)]


def test_job_whose_workflow_ended_without_it_is_not_left_hanging(sqlite_house: House) -> None:
    from dbos import DBOS

    house = sqlite_house
    job = house.upload(enqueue=False)
    house.jobs._queued.add(job.id)  # as if nobody had noticed it yet
    house.start()
    house.hold("read")
    house.jobs.enqueue(job)
    DBOS.cancel_workflow(job.id)
    house.jobs._queued.clear()
    ended = house.wait(job)
    assert (ended.state, ended.error_code) == (JobState.FAILED, "job_lost")


def test_as_many_books_at_a_time_as_set(sqlite_house: House) -> None:
    house = sqlite_house
    house.configure(job_concurrency=2)
    house.start()
    hold = house.hold("read")
    jobs = [house.upload() for _ in range(3)]
    until(lambda: sum(house.started(job)["read"] for job in jobs) == 2, "not two at a time")
    time.sleep(0.6)
    assert sum(house.started(job)["read"] for job in jobs) == 2
    hold.unlink()
    assert {house.wait(job).state for job in jobs} == {JobState.SUCCEEDED}


def test_one_process_does_jobs_under_one_name(sqlite_house: House) -> None:
    sqlite_house.start()
    with pytest.raises(RuntimeError, match="already"):
        sqlite_house.new_jobs().start(working=True)


def test_process_that_only_queues_loads_no_workflow_engine() -> None:
    code = "import sys, service.jobs.engine; sys.exit('dbos' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


def test_start_that_fails_can_be_tried_again(sqlite_house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    from dbos import DBOS

    def fail(*_: object, **__: object) -> None:
        raise OSError("no such host")

    with monkeypatch.context() as patch:
        patch.setattr(DBOS, "register_queue", fail)
        with pytest.raises(OSError, match="no such host"):
            sqlite_house.start()
    sqlite_house.start()
    assert sqlite_house.wait(sqlite_house.upload()).state is JobState.SUCCEEDED
