"""Access control: API keys with their scopes, rate limits and quotas, and open mode, which needs no key.

A key is `bw_` followed by 32 random bytes; only its SHA-256 is stored. Each key gives access to exactly one
library. Until the first key is created the service is open, and then it may listen on loopback only.
"""

from __future__ import annotations

import hashlib
import ipaddress
import re
import secrets
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from books.errors import BookwormError
from db.errors import DatabaseAway, StorageFull
from db.repositories.keys import KeyRepository
from db.types import KeyRecord, Scope
from service.observability.logs import logger
from service.rate_limits import FRESH_SECONDS, Bucket, Use

if TYPE_CHECKING:
    from db.database import Database
    from service.services import Services

LOCAL_LIBRARY: Final = "local"
PREFIX: Final = "bw_"
_SHAPE: Final = re.compile(r"bw_[A-Za-z0-9_-]{43}")
_LIBRARY: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
_MOST_CACHED: Final = 4096
NAME_MOST: Final = 100

log = logger("bookworm.access")


class KeyMissing(BookwormError):
    code = "key_missing"
    remedy = "Send your key as `Authorization: Bearer bw_…` or in `X-API-Key`."


class KeyInvalid(BookwormError):
    code = "key_invalid"
    remedy = "Check the key, or ask the administrator of the service for a new one."


class KeyUnknown(BookwormError):
    code = "key_unknown"
    remedy = "List the keys to see their ids."


class KeyFieldsInvalid(BookwormError):
    code = "key_fields_invalid"
    remedy = "See `bookworm keys create --help`."


class ScopeMissing(BookwormError):
    code = "scope_missing"
    remedy = "Use a key that has this scope."


class ExposureRefused(BookwormError):
    """Open mode on an address other than loopback would expose the library to the network."""

    code = "exposure_refused"
    remedy = "Create a key first with `bookworm keys create`, or listen on 127.0.0.1."


class Throttled(BookwormError):
    """Too many requests; `retry_after` is the number of seconds until the next one is allowed."""

    retryable = True

    def __init__(self, detail: str, *, retry_after: float, remedy: str | None = None) -> None:
        super().__init__(detail, remedy=remedy)
        self.retry_after = retry_after


class RateLimited(Throttled):
    code = "rate_limited"
    remedy = "Wait for the number of seconds in `Retry-After`, then send the request again."


class QuotaExceeded(Throttled):
    code = "quota_exceeded"
    remedy = "Wait until midnight UTC, or ask the administrator for a larger quota."


@dataclass(frozen=True, slots=True)
class Principal:
    """The authenticated caller: the library it works with, and the scopes it has."""

    library: str
    scopes: frozenset[Scope]
    key_id: str | None = None
    key_name: str | None = None


OPEN: Final = Principal(library=LOCAL_LIBRARY, scopes=frozenset(Scope))


def create_key(
    services: Services,
    *,
    name: str,
    library: str = LOCAL_LIBRARY,
    scopes: Iterable[Scope] = (Scope.READ,),
    rate_per_minute: int = 600,
    quota_per_day: int = 50_000,
) -> tuple[KeyRecord, str]:
    """Returns the record and the secret, which is never stored. A scope includes the weaker ones."""
    if not _LIBRARY.fullmatch(library):
        raise KeyFieldsInvalid("A library name may contain only a-z, 0-9, dots, dashes and underscores.")
    if not name.strip() or len(name) > NAME_MOST or not name.isprintable():
        raise KeyFieldsInvalid(f"A key name must be a single line of 1 to {NAME_MOST} characters.")
    if rate_per_minute < 1 or quota_per_day < 1:
        raise KeyFieldsInvalid("Rate limit and daily quota must be at least 1.")
    secret = PREFIX + secrets.token_urlsafe(32)
    with services.database.session() as session:
        record = KeyRepository(session).create(
            name=name,
            library=library,
            scopes=with_weaker(scopes),
            rate_per_minute=rate_per_minute,
            quota_per_day=quota_per_day,
            key_sha256=digest(secret),
        )
    return record, secret


def list_keys(
    services: Services, *, library: str | None = None, after: str | None = None, limit: int | None = None
) -> list[KeyRecord]:
    """Lists the keys of one library or of all, oldest first."""
    with services.database.session(read_only=True) as session:
        return list(KeyRepository(session).list(library=library, after=after, limit=limit))


def revoke_key(
    services: Services,
    *,
    key_id: str,
    library: str | None = None,
    check: Callable[[list[KeyRecord]], None] | None = None,
) -> None:
    """Given `library`, revokes only a key of that library. `check` receives its active keys and may raise."""
    with services.database.session() as session:
        keys = KeyRepository(session)
        if library is not None:
            working = keys.lock(library)
            if key_id not in {key.id for key in working}:
                raise _unknown(key_id)
            if check is not None:
                check(working)
        if not keys.revoke(key_id):
            raise _unknown(key_id)


def _unknown(key_id: str) -> KeyUnknown:
    return KeyUnknown(f"There is no active key with the id {key_id!r}.")


def has_keys(database: Database) -> bool:
    """Whether a key was ever created. Revoking the last one locks the service; it does not open it again."""
    with database.session(read_only=True) as session:
        return KeyRepository(session).any()


def check_exposure(host: str, *, has_keys: bool) -> None:
    """Raises unless the service listens on loopback or requires API keys."""
    if not has_keys and not is_loopback(host):
        raise ExposureRefused(f"The service would listen on {host} without requiring an API key.")


@lru_cache(maxsize=256)
def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def with_weaker(scopes: Iterable[Scope]) -> frozenset[Scope]:
    order = (Scope.READ, Scope.WRITE, Scope.ADMIN)
    wanted = set(scopes)
    if not wanted:
        raise KeyFieldsInvalid("A key needs at least one scope.")
    return frozenset(order[: max(order.index(s) for s in wanted) + 1])


def digest(secret: str) -> str:
    """Plain SHA-256 is enough: 32 random bytes cannot be guessed, so a slow hash would gain nothing."""
    return hashlib.sha256(secret.encode("utf-8")).hexdigest()


class Gate:
    """Authenticates callers. One per process: it holds the token buckets and a short cache of keys."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._clock = clock
        self._lock = threading.Lock()
        self._keyed: tuple[float, bool] | None = None
        self._known: dict[str, tuple[float, KeyRecord]] = {}
        self._buckets: dict[str, Bucket] = {}
        self._uses: dict[str, Use] = {}

    def look_again(self) -> None:
        """Discards the cached keys, because one was created or revoked in this process."""
        self._keyed = None
        self._known.clear()

    def believed_open(self) -> bool | None:
        """Whether the service is open, without a database query; None when the cached answer is too old."""
        keyed = self._keyed
        if keyed is None or (not keyed[1] and self._clock() - keyed[0] > FRESH_SECONDS):
            return None
        return not keyed[1]

    def is_open(self) -> bool:
        believed = self.believed_open()
        if believed is None:
            keyed = has_keys(self._database)
            self._keyed = (self._clock(), keyed)
            believed = not keyed
        return believed

    def authenticate(self, secret: str | None) -> Principal:
        """Identifies the caller and counts one request. Before any key is created, everyone is `local`."""
        if self.is_open():
            return OPEN
        if not secret:
            raise KeyMissing("This service requires an API key.")
        record = self._record(secret)
        self._take(record)
        self._spend(record)
        return _principal(record)

    def authenticate_from_memory(self, secret: str | None) -> Principal | None:
        """Like `authenticate`, without the database. Returns None and counts nothing if it is needed."""
        open_here = self.believed_open()
        if open_here:
            return OPEN
        if open_here is None or not secret:
            return None
        known = self._known.get(digest(secret))
        if known is None or self._clock() - known[0] > FRESH_SECONDS:
            return None
        record = known[1]
        use = self._uses.get(record.id)
        if use is None or use.day != datetime.now(UTC).date() or use.is_due(self._clock()):
            return None
        self._take(record)
        self._count(record, use)
        return _principal(record)

    def _record(self, secret: str) -> KeyRecord:
        if not _SHAPE.fullmatch(secret):
            raise KeyInvalid("The API key is invalid or has been revoked.")
        hashed = digest(secret)
        known = self._known.get(hashed)
        if known is None or self._clock() - known[0] > FRESH_SECONDS:
            with self._database.session(read_only=True) as session:
                record = KeyRepository(session).by_hash(hashed)
            if record is None or record.revoked is not None:
                self._known.pop(hashed, None)
                raise KeyInvalid("The API key is invalid or has been revoked.")
            if len(self._known) >= _MOST_CACHED:
                self._known.clear()
            known = self._known[hashed] = (self._clock(), record)
        return known[1]

    def _take(self, record: KeyRecord) -> None:
        with self._lock:
            bucket = self._buckets.setdefault(record.id, Bucket(record.rate_per_minute, self._clock()))
            wait = bucket.take(self._clock(), per_minute=record.rate_per_minute)
        if wait:
            raise RateLimited(
                f"This key is limited to {record.rate_per_minute} requests per minute.", retry_after=wait
            )

    def _spend(self, record: KeyRecord) -> None:
        """Counts in memory and writes the sum once a second, so that requests need not wait for it."""
        today = datetime.now(UTC).date()
        with self._lock:
            use = self._uses.get(record.id)
            if use is None or use.day != today:
                use = self._uses[record.id] = Use(today)
        self._count(record, use)
        with self._lock:
            amount = use.take(self._clock())
        if amount:
            self._write(record.id, use, amount)
        if use.total > record.quota_per_day:  # spent in another process, or before a restart
            raise _quota_exceeded(record)

    def _count(self, record: KeyRecord, use: Use) -> None:
        with self._lock:
            if use.total + use.pending >= record.quota_per_day:
                raise _quota_exceeded(record)
            use.pending += 1

    def _write(self, key_id: str, use: Use, amount: int) -> None:
        """Keeps the count in memory while it cannot be written, so that one can read with a full disk."""
        try:
            with self._database.session() as session:
                total = KeyRepository(session).use(key_id, day=use.day, amount=amount)
        except (DatabaseAway, StorageFull) as error:
            with self._lock:
                use.give_back(amount)
            log.warning("use of a key not stored", key=key_id, uses=amount, code=error.code)
            return
        with self._lock:
            use.total = max(use.total, total)

    def flush(self) -> None:
        """Writes the counts that are still only in memory; called at shutdown."""
        for key_id, use in list(self._uses.items()):
            if amount := use.take(float("inf")):
                self._write(key_id, use, amount)


def _principal(record: KeyRecord) -> Principal:
    return Principal(record.library, record.scopes, key_id=record.id, key_name=record.name)


def _quota_exceeded(record: KeyRecord) -> QuotaExceeded:
    allowed = f"This key has used its daily quota of {record.quota_per_day} requests."
    return QuotaExceeded(allowed, retry_after=_until_midnight())


def _until_midnight() -> float:
    now = datetime.now(UTC)
    tomorrow = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    return (tomorrow - now).total_seconds()
