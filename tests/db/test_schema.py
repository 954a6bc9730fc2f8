"""The migrations build exactly our tables, on both databases, there and back, whoever runs them at once."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import inspect, text

from db import schema
from db.database import Database
from db.tables import Base


@pytest.fixture
def empty(empty_database_url: str) -> Iterator[Database]:
    database = Database(empty_database_url)
    yield database
    database.dispose()


def tables(database: Database) -> set[str]:
    return set(inspect(database.engine).get_table_names())


def test_a_migrated_database_has_exactly_our_tables(database: Database) -> None:
    assert tables(database) == {*Base.metadata.tables, "alembic_version"}
    assert database.up_to_date()


def test_autogenerate_sees_nothing_to_do(database: Database) -> None:
    with database.session() as session:
        assert schema.differences(session.connection()) == []


def test_autogenerate_would_see_a_difference(database: Database) -> None:
    with database.migrating() as connection:
        connection.execute(text("ALTER TABLE books DROP COLUMN author"))
        connection.execute(text("DROP INDEX uq_jobs_book_id_active"))
    with database.session() as session:
        assert len(schema.differences(session.connection())) == 2


def test_tables_of_the_job_engine_are_left_alone(database: Database) -> None:
    with database.migrating() as connection:
        connection.execute(text("CREATE TABLE workflow_status (workflow_uuid TEXT PRIMARY KEY)"))
        assert schema.differences(connection) == []


def test_there_and_back(empty: Database) -> None:
    assert not _reachable_and_current(empty)
    empty.migrate()
    there = tables(empty)
    with empty.migrating() as connection:
        schema.downgrade(connection)
    assert tables(empty) == {"alembic_version"}
    assert not empty.up_to_date()
    empty.migrate()
    assert tables(empty) == there
    assert empty.up_to_date()


def _reachable_and_current(database: Database) -> bool:
    url = database.url
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").exists():
        return False
    return database.up_to_date()


def test_threads_migrate_at_once(empty_database_url: str) -> None:
    def migrate(_: int) -> bool:
        database = Database(empty_database_url)
        database.migrate()
        current = database.up_to_date()
        database.dispose()
        return current

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(migrate, range(6)))


def test_a_migration_that_breaks_leaves_nothing_behind(
    empty: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(*_: object) -> None:
        raise RuntimeError("the light went out")

    empty.migrate()
    with empty.migrating() as connection:
        schema.downgrade(connection)
    real = schema.command.upgrade

    def upgrade_then_break(*arguments: object) -> None:
        real(*arguments)  # type: ignore[arg-type]
        break_down()

    monkeypatch.setattr(schema.command, "upgrade", upgrade_then_break)
    with pytest.raises(RuntimeError, match="light"):
        empty.migrate()
    assert tables(empty) == {"alembic_version"}


def test_migration_files_are_dated_and_reversible() -> None:
    files = sorted((Path(schema.__file__).parent.parent / "migrations" / "versions").glob("*.py"))
    assert files
    for file in files:
        year, month, day, *slug = file.stem.split("_")
        assert (len(year), len(month), len(day)) == (4, 2, 2)
        assert slug
        assert "def downgrade" in file.read_text()


def test_a_new_sqlite_file_is_in_write_ahead_mode(sqlite_url: str) -> None:
    path = sqlite_url.removeprefix("sqlite:///")
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()
