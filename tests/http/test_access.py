"""Keys, scopes, rates and quotas, on both databases; and when the service may be open."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from db.database import Database
from db.errors import StorageFull
from db.repositories import KeyRepository
from db.types import KeyRecord, Scope
from service import access
from service.access import Gate


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class OnlyDatabase:
    """All of the services that keys need."""

    database: Database


class Door:
    """A gate, its clock, and keys for it."""

    def __init__(self, database: Database) -> None:
        self.services = OnlyDatabase(database)
        self.database = database
        self.clock = Clock()
        self.gate = Gate(database, clock=self.clock)

    def key(self, *, scope: Scope = Scope.READ, rate: int = 600, quota: int = 1000) -> tuple[KeyRecord, str]:
        return access.create_key(
            self.services,  # type: ignore[arg-type]
            name="test",
            library="mine",
            scopes=[scope],
            rate_per_minute=rate,
            quota_per_day=quota,
        )

    def later(self, seconds: float) -> None:
        self.clock.now += seconds


@pytest.fixture
def door(database: Database) -> Door:
    return Door(database)


def test_without_keys_everyone_is_local(door: Door) -> None:
    assert door.gate.authenticate(None) == access.OPEN
    assert door.gate.believed_open() is True


def test_the_first_key_shuts_the_door_within_a_second(door: Door) -> None:
    assert door.gate.is_open()
    door.key()
    door.later(1.1)
    with pytest.raises(access.KeyMissing):
        door.gate.authenticate(None)


def test_a_key_opens_its_own_library_with_its_scopes(door: Door) -> None:
    record, secret = door.key(scope=Scope.WRITE)
    who = door.gate.authenticate(secret)
    assert (who.library, who.key_id) == ("mine", record.id)
    assert who.scopes == {Scope.READ, Scope.WRITE}


def test_secrets_are_long_unlike_and_not_stored(door: Door, database: Database) -> None:
    record, secret = door.key()
    _, other = door.key()
    assert secret != other
    assert secret.startswith("bw_")
    assert len(secret) == 46
    with database.session() as session:
        assert KeyRepository(session).by_hash(secret) is None
        assert KeyRepository(session).by_hash(access.digest(secret)) == record


@pytest.mark.parametrize("wrong", ["bw_", "hello", "bw_" + "A" * 43, "bw_" + "é" * 43, "x" * 5000])
def test_a_wrong_key_is_refused(door: Door, wrong: str) -> None:
    door.key()
    with pytest.raises(access.KeyInvalid):
        door.gate.authenticate(wrong)


def test_a_revoked_key_stops_working_and_the_door_stays_shut(door: Door) -> None:
    record, secret = door.key()
    door.gate.authenticate(secret)
    access.revoke_key(door.services, key_id=record.id)  # type: ignore[arg-type]
    door.later(1.1)
    with pytest.raises(access.KeyInvalid):
        door.gate.authenticate(secret)
    with pytest.raises(access.KeyMissing):
        door.gate.authenticate(None)
    with pytest.raises(access.KeyUnknown):
        access.revoke_key(door.services, key_id=record.id)  # type: ignore[arg-type]


def test_the_rate_is_kept_and_says_when_to_come_back(door: Door) -> None:
    _, secret = door.key(rate=3)
    for _ in range(3):
        door.gate.authenticate(secret)
    with pytest.raises(access.RateLimited) as refused:
        door.gate.authenticate(secret)
    assert 19 < refused.value.retry_after <= 20
    door.later(refused.value.retry_after)
    door.gate.authenticate(secret)


def test_keys_do_not_share_a_rate(door: Door) -> None:
    (_, first), (_, second) = door.key(rate=1), door.key(rate=1)
    door.gate.authenticate(first)
    door.gate.authenticate(second)


def test_the_quota_is_exact_and_ends_at_midnight(door: Door) -> None:
    _, secret = door.key(quota=5)
    for _ in range(5):
        door.gate.authenticate(secret)
    with pytest.raises(access.QuotaExceeded) as refused:
        door.gate.authenticate(secret)
    assert 0 < refused.value.retry_after <= 24 * 3600


def test_use_is_written_once_a_second_and_at_the_end(door: Door, database: Database) -> None:
    record, secret = door.key()
    for _ in range(10):
        door.gate.authenticate(secret)
    today = datetime.now(UTC).date()
    with database.session() as session:
        assert KeyRepository(session).use(record.id, day=today, amount=0) == 1
    door.gate.flush()
    with database.session() as session:
        assert KeyRepository(session).use(record.id, day=today, amount=0) == 10


def test_a_full_disk_turns_nobody_away_and_no_use_is_lost(
    door: Door, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> int:
        raise StorageFull("The database's disk is full.")

    record, secret = door.key(quota=4)
    with monkeypatch.context() as patch:
        patch.setattr(KeyRepository, "use", full)
        for _ in range(3):
            door.gate.authenticate(secret)
            door.later(1.1)
    door.gate.authenticate(secret)
    with database.session() as session:
        assert KeyRepository(session).use(record.id, day=datetime.now(UTC).date(), amount=0) == 4
    with pytest.raises(access.QuotaExceeded):
        door.gate.authenticate(secret)


def test_use_in_another_process_counts_too(door: Door, database: Database) -> None:
    _, secret = door.key(quota=8)
    other = Gate(database, clock=door.clock)
    for _ in range(5):
        other.authenticate(secret)
    other.flush()
    for _ in range(3):
        door.gate.authenticate(secret)
    with pytest.raises(access.QuotaExceeded):
        door.gate.authenticate(secret)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.1", "::1", "[::1]", "localhost"])
def test_loopback_needs_no_key(host: str) -> None:
    access.check_exposure(host, has_keys=False)


@pytest.mark.parametrize(
    "host", ["0.0.0.0", "::", "192.168.1.7", "books.example", "", "localhost.evil.example"]
)
def test_elsewhere_needs_one(host: str) -> None:
    with pytest.raises(access.ExposureRefused):
        access.check_exposure(host, has_keys=False)
    access.check_exposure(host, has_keys=True)


@pytest.mark.parametrize("library", ["", "Üb", "a b", "-x", "../etc", "x" * 64])
def test_a_library_has_a_plain_name(door: Door, library: str) -> None:
    with pytest.raises(access.KeyFieldsInvalid):
        access.create_key(door.services, name="n", library=library)  # type: ignore[arg-type]


def test_a_key_needs_a_scope_and_limits(door: Door) -> None:
    for fields in ({"scopes": []}, {"rate_per_minute": 0}, {"quota_per_day": 0}):
        with pytest.raises(access.KeyFieldsInvalid):
            access.create_key(door.services, name="n", **fields)  # type: ignore[arg-type]
