"""Chores: done when their time comes, again after a failure, and what each of them is for."""

from __future__ import annotations

import logging
import time
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from dbos import DBOS, Queue
from dbos._sys_db import SystemDatabase
from structlog.testing import capture_logs

from db.errors import DatabaseAway
from db.identity import make_id
from db.repositories import WorkerRepository
from db.types import JobKind
from service.jobs import engine, stages
from service.jobs.upkeep import Chore, Upkeep
from tests.jobs.house import House, until


def test_chores_go_on_after_a_failure() -> None:
    done: list[str] = []

    def fail(how: Exception) -> None:
        done.append(type(how).__name__)
        raise how

    upkeep = Upkeep(
        (
            Chore("bug", 0.01, lambda: fail(KeyError("x"))),
            Chore("away", 0.01, lambda: fail(DatabaseAway("away"))),
            Chore("rare", 60, lambda: done.append("rare")),
        )
    )
    upkeep.start()
    until(lambda: min(done.count("KeyError"), done.count("DatabaseAway")) >= 3, "given up")
    upkeep.stop()
    assert not upkeep.is_alive()
    assert done.count("rare") == 1


def test_worker_is_known_while_it_runs(house: House) -> None:
    def alive() -> list[str]:
        since = datetime.now(UTC) - timedelta(seconds=10)
        with house.database.session(read_only=True) as session:
            return [worker.id for worker in WorkerRepository(session).alive(since=since)]

    assert house.jobs._worker is not None
    assert alive() == [house.jobs._worker.name]


def test_a_worker_without_work_seldom_asks_for_it(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: Counter[str] = Counter()
    ask = SystemDatabase.start_queued_workflows

    def counted(self: SystemDatabase, queue: Queue, *rest: Any, **named: Any) -> Any:
        asked[queue.name] += 1
        return ask(self, queue, *rest, **named)

    monkeypatch.setattr(SystemDatabase, "start_queued_workflows", counted)
    until(lambda: asked.keys() >= set(JobKind), "nothing asks yet")
    asked.clear()
    since = time.monotonic()
    time.sleep(2)
    passed = time.monotonic() - since
    assert 0 < asked[JobKind.INGEST] <= 1 + 2.2 * passed
    assert asked[JobKind.ANSWER] <= 1 + 1.1 * passed


def test_sweep_takes_what_deleted_books_left_and_leaves_the_rest(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = house.wait(house.upload())
    gone = Path(house.settings.artefacts) / make_id("bk")
    (gone / house.version(job)).mkdir(parents=True)
    house.jobs._sweep()
    assert gone.exists()  # it is new: its row may be about to appear
    real = house.store.sweep
    monkeypatch.setattr(house.store, "sweep", lambda *a, **k: real(*a, **k, grace=0.0))
    house.jobs._sweep()
    assert not gone.exists()
    house.store.open(job.book_id, house.version(job))
    house.store.source(job.book_id).read_bytes()


def test_books_that_the_database_does_not_know_are_kept_and_told_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    stranger = make_id("bk")
    house.store.put_source(stranger, b"source")
    real = house.store.sweep
    monkeypatch.setattr(house.store, "sweep", lambda *a, **k: real(*a, **k, grace=0.0))
    with capture_logs() as logs:
        house.jobs._sweep()
        house.jobs._sweep()
    told = [entry for entry in logs if entry["log_level"] == "warning"]
    assert [entry["folders"] for entry in told] == [1]
    assert stranger not in str(told)
    assert house.store.source(stranger).read_bytes() == b"source"


def test_old_events_and_workflows_are_forgotten(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    job = house.wait(house.upload())
    until(lambda: DBOS.get_workflow_status(job.id).status == "SUCCESS", "not recorded")  # type: ignore[union-attr]
    house.jobs._forget()
    assert house.events(job.book_id)
    monkeypatch.setattr(engine, "MEMORY", timedelta(seconds=-5))
    house.jobs._forget()
    assert house.events(job.book_id) == []
    assert DBOS.get_workflow_status(job.id) is None


def test_what_the_workflows_repeat_is_logged_once(house: House, caplog: pytest.LogCaptureFixture) -> None:
    what = f"Exception {uuid4().hex}"
    for attempt in range(3):
        logging.getLogger("dbos").warning(f"{what}: (psycopg.Error) at attempt {attempt}")
    assert [record.getMessage() for record in caplog.records if record.name == "dbos"] == [what]


def test_nothing_that_is_stored_for_a_workflow_is_a_pickle(house: House) -> None:
    job = house.wait(house.upload())
    until(lambda: DBOS.get_workflow_status(job.id).status == "SUCCESS", "not recorded")  # type: ignore[union-attr]
    steps = DBOS.list_workflow_steps(job.id)
    assert [(s["function_name"], s["output"]) for s in steps] == [
        ("read", True),
        ("resolve", True),
        ("index", True),
        ("publish", True),
    ]
    status = DBOS.get_workflow_status(job.id)
    assert status is not None
    assert status.input == {"args": [job.book_id, job.id], "kwargs": {}}


def test_newer_stage_makes_another_version_and_the_old_one_is_swept(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = house.wait(house.upload())
    old = house.version(first)
    newer = tuple(replace(s, version=s.version + (s.name == "resolve")) for s in stages.WRITING)
    monkeypatch.setattr(stages, "WRITING", newer)
    house.wait(house.ingest(first.book_id))
    assert house.started(first) == {"read": 1, "resolve": 2, "index": 1}
    new = house.version(first)
    assert house.store.versions(first.book_id) == sorted([old, new])  # who is reading the old one may go on
    real = house.store.sweep
    monkeypatch.setattr(house.store, "sweep", lambda *a, **k: real(*a, **k, grace=0.0))
    house.jobs._sweep()
    assert house.store.versions(first.book_id) == [new]
