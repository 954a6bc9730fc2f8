"""API keys, how much they are used, and the heartbeats of workers."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy.exc import IntegrityError

from db.columns import Moment
from db.database import Database
from db.repositories import KeyRepository, WorkerRepository
from db.types import KeyRecord, Scope

TODAY = date(2026, 11, 20)


def create(database: Database, name: str = "reader", key_sha256: str = "hash") -> KeyRecord:
    with database.session() as session:
        return KeyRepository(session).create(
            name=name,
            library="home",
            scopes={Scope.WRITE, Scope.READ},
            rate_per_minute=60,
            quota_per_day=1000,
            key_sha256=key_sha256,
        )


def test_a_key_is_found_by_its_hash(database: Database) -> None:
    key = create(database)
    assert key.id.startswith("key_")
    assert (key.name, key.library, key.scopes) == ("reader", "home", frozenset({Scope.READ, Scope.WRITE}))
    assert (key.rate_per_minute, key.quota_per_day, key.revoked, key.last_used) == (60, 1000, None, None)
    with database.session(read_only=True) as session:
        assert KeyRepository(session).by_hash("hash") == key
        assert KeyRepository(session).by_hash("another") is None
        assert KeyRepository(session).list() == [key]


def test_two_keys_cannot_share_a_hash(database: Database) -> None:
    create(database)
    with pytest.raises(IntegrityError):
        create(database)


def test_revoking_leaves_a_trace(database: Database) -> None:
    with database.session(read_only=True) as session:
        assert not KeyRepository(session).any()
    key = create(database)
    with database.session() as session:
        keys = KeyRepository(session)
        assert keys.any()
        assert keys.revoke(key.id)
        assert not keys.revoke(key.id)
        assert not keys.revoke("key_unknown")
        assert keys.any()
        revoked = keys.by_hash("hash")
    assert revoked is not None
    assert revoked.revoked is not None
    assert revoked.revoked >= key.created


def test_use_is_counted_by_day(database: Database) -> None:
    one, two = create(database), create(database, "other", "other hash")
    with database.session() as session:
        keys = KeyRepository(session)
        assert keys.use(one.id, day=TODAY) == 1
        assert keys.use(one.id, day=TODAY, amount=5) == 6
        assert keys.use(one.id, day=TODAY + timedelta(days=1)) == 1
        assert keys.use(two.id, day=TODAY) == 1
        last_used = keys.list()[0].last_used
    assert last_used is not None
    assert timedelta(0) <= datetime.now(UTC) - last_used < timedelta(minutes=1)


def test_a_worker_beats_and_falls_silent(database: Database) -> None:
    with database.session() as session:
        workers = WorkerRepository(session)
        workers.beat("one")
        between = datetime.now(UTC)
        workers.beat("two")
        assert [worker.id for worker in workers.silent(since=between)] == ["one"]
        assert [worker.id for worker in workers.alive(since=between)] == ["two"]
        workers.beat("one")
        assert workers.silent(since=between) == []
        first = workers.alive(since=between)[0]
        assert first.id == "one"
        assert first.started < between < first.seen
        assert workers.forget("one")
        assert not workers.forget("one")


def test_a_moment_needs_a_time_zone(database: Database) -> None:
    with pytest.raises(ValueError, match="time zone"):
        Moment().process_bind_param(datetime(2026, 11, 20), database.engine.dialect)


def test_a_moment_is_the_same_in_every_zone(database: Database) -> None:
    with database.session() as session:
        WorkerRepository(session).beat("one")
        now = datetime.now(UTC)
        east = now.astimezone(tz=datetime.strptime("+0900", "%z").tzinfo)
        assert len(WorkerRepository(session).silent(since=east)) == 1
        assert WorkerRepository(session).silent(since=east - timedelta(hours=1)) == []
