"""The migrations build exactly our tables, on both databases, up and down, also when run concurrently."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import inspect, select, text

from books.types import Span
from db import schema
from db.database import Database
from db.errors import DatabaseNewer
from db.repositories import (
    BookRepository,
    CountRepository,
    EventRepository,
    JobRepository,
    PortraitRepository,
)
from db.tables import Base, FactRow
from db.types import ReadingOptions
from generation.checking.overruling import identify
from generation.types import Category, Claim, Label


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


def test_text_is_sorted_by_code_point(postgres_url: str) -> None:
    database = Database(postgres_url)
    with database.session() as session:
        columns = session.execute(
            text(
                "SELECT table_name, column_name, collation_name FROM information_schema.columns"
                " WHERE table_schema = 'public' AND data_type = 'text'"
            )
        ).all()
    database.dispose()
    assert len(columns) > 30
    assert {collation for _, _, collation in columns} == {"C"}


def test_migrations_are_written_from_the_command_line(sqlite_url: str, tmp_path: Path) -> None:
    """As CONTRIBUTING says, in SQLAlchemy's own types, into a dated file."""
    root = Path(schema.__file__).parent.parent
    for name in ("db", "books", "coref", "generation", "retrieval", "migrations"):
        (tmp_path / name).symlink_to(root / name)
    (tmp_path / "migrations").unlink()
    shutil.copytree(
        root / "migrations", tmp_path / "migrations", ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copy(root / "pyproject.toml", tmp_path)
    database = Database(sqlite_url)
    with database.migrating() as connection:
        connection.execute(text("DROP TABLE workers"))
    database.dispose()

    def alembic(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "alembic", "-x", f"url={sqlite_url}", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)

    assert alembic("revision", "--autogenerate", "-m", "hire workers").returncode == 0
    (written,) = (tmp_path / "migrations" / "versions").glob("*_hire_workers.py")
    source = written.read_text()
    assert re.fullmatch(r"\d{4}_\d\d_\d\d_hire_workers", written.stem)
    assert 'sa.Text(collation="C")' in source
    assert "db.columns" not in source
    assert alembic("upgrade", "head").returncode == 0
    assert alembic("check").returncode == 0


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


def test_a_database_of_a_newer_program_is_left_alone(database: Database) -> None:
    with database.session() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '2999010101'"))
    for attempt in (database.migrate, database.up_to_date):
        with pytest.raises(DatabaseNewer, match=r"newer Bookworm.* Upgrade Bookworm"):
            attempt()
    with database.session(read_only=True) as session:
        assert session.scalar(text("SELECT version_num FROM alembic_version")) == "2999010101"


def test_books_of_before_keep_their_titles(empty: Database) -> None:
    empty.migrate()
    with empty.migrating() as connection:
        schema.downgrade(connection, to="2026112001")
        connection.execute(
            text(
                "INSERT INTO books (id, library, content_sha256, size, state, title, created, updated)"
                " VALUES ('bk_1', 'home', 'x', 1, 'ready', 'Emma', '2026-01-01', '2026-01-01')"
            )
        )
    empty.migrate()
    with empty.session(read_only=True) as session:
        book = BookRepository(session).get("bk_1")
    assert book is not None
    assert (book.title, book.options) == ("Emma", ReadingOptions(title="Emma"))


def test_facts_of_before_can_be_overruled(empty: Database) -> None:
    """The id that the migration writes is the one that answers show."""
    claim = Claim("Emma  is\nrich.", Category.ROLE, 0, Span(0, 12), "c-emma")
    payload = {
        "provenance": {"upto": 900},
        "facts": [{"claim": {"subject": None, "text": "It rains."}}, {"claim": _plain(claim)}],
    }
    empty.migrate()
    with empty.migrating() as connection:
        schema.downgrade(connection, to="2026112002")
        for statement in (
            "INSERT INTO books (id, library, content_sha256, size, state, created, updated)"
            " VALUES ('bk_1', 'home', 'x', 1, 'ready', '2026-01-01', '2026-01-01')",
            "INSERT INTO portraits (book_id, key_hash, task, characters, payload, created)"
            f" VALUES ('bk_1', 'key', 'description', '[]', '{json.dumps(payload)}', '2026-01-01'),"
            " ('bk_1', 'bare', 'description', '[]', '{}', '2026-01-01')",
            "INSERT INTO facts (book_id, key_hash, position, category, label, text, score, evidence)"
            " VALUES ('bk_1', 'key', 0, 'other', 'uncertain', 'It rains.', 1, '[]'),"
            " ('bk_1', 'key', 1, 'role', 'supported', 'Emma is rich.', 1, '[]'),"
            " ('bk_1', 'bare', 0, 'role', 'supported', 'Emma is poor.', 1, '[]')",
        ):
            connection.exec_driver_sql(statement)
    empty.migrate()
    with empty.session(read_only=True) as session:
        found = PortraitRepository(session).fact("bk_1", identify(claim, upto=900))
        assert PortraitRepository(session).fact("bk_1", identify(claim, upto=None)) is None
        assert len(session.scalars(select(FactRow)).all()) == 3
    assert found is not None
    assert (found.text, found.subject, found.upto) == ("Emma is rich.", "c-emma", 900)


def test_answers_of_before_are_counted_on_their_day(empty: Database) -> None:
    made_by = {"provenance": {"generator": "offline/3", "judge": "offline/2"}}
    empty.migrate()
    with empty.migrating() as connection:
        schema.downgrade(connection, to="2026112201")
        for statement in (
            "INSERT INTO books (id, library, content_sha256, size, state, created, updated)"
            " VALUES ('bk_1', 'home', 'x', 1, 'ready', '2026-01-01', '2026-01-01')",
            "INSERT INTO portraits (book_id, key_hash, task, characters, payload, created)"
            f" VALUES ('bk_1', 'one', 'description', '[]', '{json.dumps(made_by)}', '2026-01-01 23:59:00'),"
            f" ('bk_1', 'two', 'analysis', '[]', '{json.dumps(made_by)}', '2026-01-01 01:00:00'),"
            f" ('bk_1', 'next', 'analysis', '[]', '{json.dumps(made_by)}', '2026-01-02 01:00:00'),"
            " ('bk_1', 'bare', 'description', '[]', '{}', '2026-01-01')",
            "INSERT INTO facts (book_id, key_hash, position, category, label, text, score, evidence)"
            " VALUES ('bk_1', 'one', 0, 'role', 'supported', 'Emma is rich.', 1, '[]'),"
            " ('bk_1', 'one', 1, 'role', 'supported', 'Emma is clever.', 1, '[]'),"
            " ('bk_1', 'two', 0, 'role', 'uncertain', 'Emma is tall.', 1, '[]'),"
            " ('bk_1', 'bare', 0, 'role', 'supported', 'Emma is poor.', 1, '[]')",
        ):
            connection.exec_driver_sql(statement)
    empty.migrate()
    with empty.session(read_only=True) as session:
        first, second = CountRepository(session).since(date(2026, 1, 1), library="home", limit=9)
    assert (first.day, first.generator, first.judge) == (date(2026, 1, 1), "offline/3", "offline/2")
    assert (first.answers, first.facts[Label.SUPPORTED], first.facts[Label.UNCERTAIN]) == (2, 2, 1)
    assert (second.day, second.answers, sum(second.facts.values())) == (date(2026, 1, 2), 1, 0)


def test_errors_of_before_are_told_in_full_to_administrators_only(empty: Database) -> None:
    inner = "The model server at http://gpu7:9/v1 says 401: no."
    told = json.dumps({"code": "model_server_failed", "error": inner, "remedy": "Check it."})
    empty.migrate()
    with empty.migrating() as connection:
        schema.downgrade(connection, to="2026112901")
        columns = "id, book_id, library, kind, state, progress, cancel_requested, attempts, timings, created"
        job = "'bk_1', 'home', 'answer', 'failed', 0, false, 1, '{}', '2026-01-01'"
        for statement in (
            "INSERT INTO books (id, library, content_sha256, size, state, created, updated)"
            " VALUES ('bk_1', 'home', 'x', 1, 'ready', '2026-01-01', '2026-01-01')",
            f"INSERT INTO jobs ({columns}, error_code, error, remedy)"
            f" VALUES ('job_1', {job}, 'model_server_failed', '{inner}', 'Check it.'),"
            f" ('job_2', {job}, 'draft_rejected', 'It is empty.', 'Ask again.')",
            "INSERT INTO events (book_id, job_id, kind, data, created)"
            f" VALUES ('bk_1', 'job_1', 'answer.failed', '{told}', '2026-01-01')",
        ):
            connection.exec_driver_sql(statement)
    empty.migrate()
    with empty.session(read_only=True) as session:
        first, second = (JobRepository(session).get(f"job_{n}") for n in (1, 2))
        (event,) = EventRepository(session).since("bk_1", after=0, limit=9)
    assert first is not None
    assert second is not None
    assert (first.full_error, first.full_remedy) == (inner, "Check it.")
    assert first.error == event.data["error"] == "The language model did not write the answer."
    assert (second.error, second.full_error) == ("It is empty.", None)
    with empty.migrating() as connection:
        schema.downgrade(connection, to="2026112901")
        assert connection.exec_driver_sql("SELECT error FROM jobs WHERE id = 'job_1'").scalar() == inner


def _plain(claim: Claim) -> dict[str, object]:
    return {"subject": claim.subject, "text": claim.text}


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
