"""Workers that are killed: nothing is lost, nothing done twice but what was cut short, nothing left over."""

from __future__ import annotations

import signal

import pytest

from db.types import JobState
from tests.jobs.house import PATIENCE, House, kill, until

SQLITE, POSTGRES = "sqlite", pytest.param("postgres", marks=pytest.mark.postgres)
SOAK_SQLITE = pytest.param("sqlite", marks=pytest.mark.soak)
SOAK_POSTGRES = pytest.param("postgres", marks=[pytest.mark.postgres, pytest.mark.soak])


def on(*databases: object) -> pytest.MarkDecorator:
    """Each kind of death on one database here, and on the other in the soak."""
    return pytest.mark.parametrize("database_url", databases, indirect=True)


@pytest.fixture
def watched(idle_house: House) -> House:
    """This process only looks on; workers are processes of their own."""
    idle_house.jobs.start(working=False)
    return idle_house


@pytest.mark.slow
@on(SQLITE, SOAK_POSTGRES)
def test_worker_killed_in_every_stage_goes_on_when_it_comes_back(watched: House) -> None:
    job = watched.upload()
    for stage in ("read", "resolve", "index"):
        watched.hold(stage)
        worker = watched.worker("one")
        watched.until_started(job, stage)
        kill(worker)
        watched.release(stage)
    watched.worker("one")
    ended = watched.wait(job)
    assert (ended.state, ended.attempts) == (JobState.SUCCEEDED, 4)
    assert watched.started(job) == {"read": 2, "resolve": 2, "index": 2}
    assert watched.ended(job) == {"read": 1, "resolve": 1, "index": 1}
    assert watched.left_over(job.book_id) == []
    watched.store.open(job.book_id, watched.version(job))


@pytest.mark.slow
@on(SOAK_SQLITE, POSTGRES)
def test_another_worker_takes_over_from_a_dead_one(watched: House) -> None:
    watched.hold("resolve")
    dying = watched.worker("one")
    job = watched.upload()
    watched.until_started(job, "resolve")
    assert watched.job(job).worker == "one"
    watched.worker("two")
    kill(dying)
    watched.until_started(job, "resolve", times=2)
    watched.release("resolve")
    ended = watched.wait(job)
    assert (ended.state, ended.worker) == (JobState.SUCCEEDED, "two")
    assert watched.started(job) == {"read": 1, "resolve": 2, "index": 1}
    assert watched.left_over(job.book_id) == []


@pytest.mark.slow
@on(SOAK_SQLITE, SOAK_POSTGRES)
def test_another_worker_goes_on_at_once_when_one_is_told_to_stop(watched: House) -> None:
    watched.hold("resolve")
    leaving = watched.worker("one")
    job = watched.upload()
    watched.until_started(job, "resolve")
    watched.worker("two")
    leaving.send_signal(signal.SIGTERM)
    assert leaving.wait(timeout=PATIENCE) == 0
    watched.until_started(job, "resolve", times=2)
    watched.release("resolve")
    assert watched.wait(job).worker == "two"


@pytest.mark.slow
@on(SQLITE, SOAK_POSTGRES)
def test_stalled_worker_that_wakes_up_finds_that_it_was_replaced(watched: House) -> None:
    """It was only stopped, as by a suspended laptop: its stage process and its thread are still there."""
    watched.hold("resolve")
    stalled = watched.worker("one")
    job = watched.upload()
    watched.until_started(job, "resolve")
    watched.stall(stalled)
    watched.worker("two")
    watched.until_started(job, "resolve", times=2)
    stalled.send_signal(signal.SIGCONT)
    watched.release("resolve")
    ended = watched.wait(job)
    assert ended.state is JobState.SUCCEEDED
    until(lambda: watched.left_over(job.book_id) == [], "the replaced worker left something behind")
    assert watched.kinds(job.book_id).count("job.succeeded") == 1
    watched.store.open(job.book_id, watched.version(job))


@pytest.mark.slow
def test_stage_process_dies_with_its_worker(sqlite_house: House) -> None:
    house = sqlite_house
    house.jobs.start(working=False)
    house.hold("resolve")
    worker = house.worker("one")
    job = house.upload()
    house.until_started(job, "resolve")
    kill(worker)
    house.release("resolve")
    house.worker("one")
    house.wait(job)
    assert house.ended(job)["resolve"] == 1
