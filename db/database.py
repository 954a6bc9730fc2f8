"""One database: connect to it, migrate its tables, and open sessions that commit once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, make_url, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from db import schema, sqlite
from db.errors import DatabaseAway, StorageFull
from db.faults import translate

__all__ = ["Database", "DatabaseAway", "Session", "StorageFull", "check_address", "normalise"]

DRIVERS = ("sqlite", "postgresql+psycopg")
CONNECT_SECONDS = 5
POOL_SIZE = 8
POOL_OVERFLOW = 24
IDLE_SECONDS = 10
"""PostgreSQL ends a transaction that has been idle for this long (a laptop suspended in the middle of it);
otherwise its locks would be held until that process wakes up.
"""


class Database:
    """SQLite by `sqlite:///path`, PostgreSQL by `postgresql://…`; safe to share between threads."""

    def __init__(self, url: str) -> None:
        self.url = normalise(url)
        self.engine = _make_engine(self.url)
        self._reading = self.engine.execution_options(**{sqlite.READ_ONLY: True, "postgresql_readonly": True})

    @contextmanager
    def session(self, *, read_only: bool = False) -> Iterator[Session]:
        """Open one transaction: committed when the block ends, rolled back when it raises.

        A read-only session never waits for writers and cannot write.
        """
        engine = self._reading if read_only else self.engine
        with _translated_errors(), Session(engine, expire_on_commit=False) as session, session.begin():
            yield session

    def migrate(self) -> None:
        """Migrate the tables; processes that do so at the same time wait for each other."""
        if self.url.get_backend_name() == "sqlite" and self.url.database:
            Path(self.url.database).parent.mkdir(parents=True, exist_ok=True)
        with self.migrating() as connection:
            schema.upgrade(connection)

    @contextmanager
    def migrating(self) -> Iterator[Connection]:
        """Open one transaction in which tables may be rebuilt."""
        engine = self.engine.execution_options(**{sqlite.MIGRATING: True})
        with _translated_errors(), engine.begin() as connection:
            yield connection

    def ping(self) -> None:
        """Raise DatabaseAway when the database does not answer."""
        with self.session(read_only=True) as session:
            session.execute(text("SELECT 1"))

    def up_to_date(self) -> bool:
        """Return whether the tables are those that this version of the program needs."""
        with _translated_errors(), self._reading.connect() as connection:
            return schema.is_current(connection)

    def dispose(self) -> None:
        self.engine.dispose()


def normalise(url: str) -> URL:
    """Return the address for SQLAlchemy, with the name of the driver that we install."""
    address = make_url(url)
    if address.drivername in ("postgresql", "postgres"):
        return address.set(drivername="postgresql+psycopg")
    if address.drivername == "sqlite+pysqlite":
        return address.set(drivername="sqlite")
    return address


def check_address(url: str) -> None:
    """Raise ValueError, which does not hold the password, unless this is a database that we can use."""
    try:
        address = normalise(url)
    except (SQLAlchemyError, ValueError):
        raise ValueError("not an address such as postgresql://user:password@host:5432/name") from None
    if address.drivername not in DRIVERS:
        raise ValueError("only sqlite:///… and postgresql://… are supported")
    if address.drivername == "sqlite" and address.database in (None, "", ":memory:"):
        raise ValueError("SQLite needs a file, such as sqlite:////data/bookworm.sqlite3")
    if not address.database:
        raise ValueError("the name of the database is missing")


def _make_engine(url: URL) -> Engine:
    arguments: dict[str, Any] = {"timeout": sqlite.BUSY_SECONDS}
    if url.get_backend_name() == "postgresql":
        idle = f"-c idle_in_transaction_session_timeout={IDLE_SECONDS}s"
        arguments = {
            "connect_timeout": CONNECT_SECONDS,
            "options": f"{url.query.get('options', '')} {idle}",
        }
    engine = create_engine(
        url,
        pool_size=POOL_SIZE,
        max_overflow=POOL_OVERFLOW,
        pool_pre_ping=True,
        connect_args=arguments,
        # Errors end up in logs, where no text of a book belongs.
        hide_parameters=True,
        # PostgreSQL has no NaN in JSON, so SQLite must not have it either.
        json_serializer=partial(json.dumps, allow_nan=False),
    )
    if url.get_backend_name() == "sqlite":
        sqlite.prepare(engine)
    return engine


@contextmanager
def _translated_errors() -> Iterator[None]:
    """Translate driver errors that a user can act on into our own."""
    try:
        yield
    except SQLAlchemyError as error:
        plain = translate(error)
        if plain is None:
            raise
        raise plain from error
