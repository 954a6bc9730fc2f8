"""The database unavailable, busy or full: clear errors, and all or nothing written."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import create_engine, make_url, text
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError, ProgrammingError

from db import sqlite
from db.database import Database, normalise
from db.errors import DatabaseAway, DatabaseRefused, StorageFull
from db.faults import translate
from db.repositories import BookRepository, WorkerRepository
from db.types import BookRecord
from tests.postgres import PostgresServer, running_postgres


def beat(database: Database, worker: str = "one") -> None:
    with database.session() as session:
        WorkerRepository(session).beat(worker)


@pytest.fixture
def impatient(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    """Waits a tenth of a second for others, not half a minute."""
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.1)
    database = Database(sqlite_url)
    yield database
    database.dispose()


def test_the_address_gets_its_driver() -> None:
    assert normalise("postgresql://me@host/books").drivername == "postgresql+psycopg"
    assert normalise("postgres://me@host/books").drivername == "postgresql+psycopg"
    assert normalise("postgresql+psycopg://me@host/books").drivername == "postgresql+psycopg"
    assert normalise("sqlite:///books.db").drivername == "sqlite"


def test_a_database_that_answers(database: Database) -> None:
    database.ping()


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://nobody@127.0.0.1:1/nothing",
        "postgresql://nobody@/nothing?host=/nowhere",
        "sqlite:////proc/nowhere/books.db",
    ],
)
def test_a_database_that_is_not_there(url: str) -> None:
    database = Database(url)
    with pytest.raises(DatabaseAway) as caught:
        database.ping()
    assert caught.value.retryable
    assert "try again" in str(caught.value)
    with pytest.raises(DatabaseAway):
        beat(database)
    with pytest.raises(DatabaseAway):
        database.up_to_date()


def test_a_file_that_may_not_be_used_is_not_taken_for_a_server_that_is_away() -> None:
    with pytest.raises(DatabaseAway, match="Let the account of Bookworm write"):
        Database("sqlite:////proc/nowhere/books.db").ping()


def test_a_file_that_someone_else_holds(impatient: Database) -> None:
    beat(impatient)
    other = sqlite3.connect(str(impatient.url.database), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(DatabaseAway, match="locked"):
        beat(impatient)
    impatient.ping()  # readers do not wait for writers
    other.execute("ROLLBACK")
    other.close()
    beat(impatient)


def test_switching_a_new_file_to_the_write_ahead_log_waits_its_turn(tmp_path: Path) -> None:
    """SQLite's own busy timeout does not cover this moment; without ours some first starts would fail."""
    path = tmp_path / "new.db"
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN EXCLUSIVE")
    release = threading.Timer(0.2, other.execute, ["COMMIT"])
    release.start()
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": 0})
    sqlite.prepare(engine)
    with engine.connect() as connection:
        assert connection.scalar(text("PRAGMA journal_mode")) == "wal"
    release.join()
    other.close()
    engine.dispose()


def test_a_server_that_goes_away_in_the_middle_and_comes_back(postgres_url: str) -> None:
    database, other = Database(postgres_url), Database(postgres_url)

    def interrupted() -> None:
        with database.session() as session:
            WorkerRepository(session).beat("lost")
            mine = session.scalar(text("SELECT pg_backend_pid()"))
            with other.session() as executioner:
                executioner.execute(text("SELECT pg_terminate_backend(:pid)"), {"pid": mine})
            WorkerRepository(session).beat("never said")

    with pytest.raises(DatabaseAway):
        interrupted()
    beat(database, "back")
    with database.session() as session:
        assert session.scalars(text("SELECT id FROM workers")).all() == ["back"]
    database.dispose()
    other.dispose()


def test_connections_that_died_in_the_pool_are_replaced(postgres_url: str) -> None:
    database, other = Database(postgres_url), Database(postgres_url)
    beat(database)
    with other.session() as session:
        session.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        )
    beat(database)
    database.dispose()
    other.dispose()


def test_a_server_that_stops_for_good() -> None:
    with running_postgres() as server:
        database = Database(server.url())
        database.migrate()
        beat(database)
    with pytest.raises(DatabaseAway):
        beat(database)


@pytest.mark.parametrize(
    ("state", "error"),
    [
        ("53100", StorageFull),
        ("40P01", DatabaseAway),
        ("53300", DatabaseAway),
        ("55P03", DatabaseAway),
        ("57P01", DatabaseAway),
        ("54000", DBAPIError),
        ("23505", IntegrityError),
    ],
)
def test_what_the_server_says(postgres_url: str, state: str, error: type[Exception]) -> None:
    database = Database(postgres_url)
    with pytest.raises(error), database.session() as session:
        session.execute(text(f"DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '{state}'; END $$"))
    database.dispose()


@pytest.mark.parametrize(
    ("said", "error", "told"),
    [
        ('FATAL:  password authentication failed for user "me"', DatabaseRefused, "password"),
        ("fe_sendauth: no password supplied", DatabaseRefused, "password"),
        ('FATAL:  role "me" does not exist', DatabaseRefused, "no such user"),
        ('FATAL:  database "mine" does not exist', DatabaseRefused, "no database of this name"),
        ('FATAL:  no pg_hba.conf entry for host "10.0.0.9", user "me"', DatabaseRefused, "from here"),
        ("FATAL:  sorry, too many clients already", DatabaseAway, "in use"),
        ("FATAL:  the database system is starting up", DatabaseAway, "does not answer"),
        ("Connection refused", DatabaseAway, "does not answer"),
    ],
)
def test_why_there_is_no_connection(said: str, error: type[DatabaseAway], told: str) -> None:
    failed = psycopg.OperationalError(f'connection to server at "10.0.0.1", port 5432 failed: {said}')
    plain = translate(OperationalError(None, None, failed))
    assert type(plain) is error
    assert told in str(plain)
    assert "10.0.0" not in str(plain), "clients are told, too"


def test_a_database_or_a_user_that_the_server_does_not_have(postgres: PostgresServer) -> None:
    for url in (postgres.url("nothing"), postgres.url().replace("postgres@", "nobody@")):
        database = Database(url)
        with pytest.raises(DatabaseRefused, match="The database server has no"):
            database.ping()
        database.dispose()


def test_a_user_that_may_not_create_tables(postgres: PostgresServer) -> None:
    with postgres.database() as url:
        name = make_url(url).database
        postgres.run("CREATE ROLE lodger LOGIN")
        database = Database(url.replace("postgres@", "lodger@"))
        with pytest.raises(DatabaseRefused, match=r"may not create .* owner of the database"):
            database.migrate()
        postgres.run(f"ALTER DATABASE {name} OWNER TO lodger")
        database.migrate()
        assert database.up_to_date()
        database.dispose()
    postgres.run("DROP ROLE lodger")


def test_a_full_disk_leaves_what_was_there(sqlite_url: str) -> None:
    database = Database(sqlite_url)
    beat(database, "before")

    def write_much() -> None:
        with database.session() as session:
            session.execute(text("PRAGMA max_page_count = 1"))  # no more pages than there are now
            for number in range(2000):
                WorkerRepository(session).beat(f"{number:0200}")

    with pytest.raises(StorageFull) as caught:
        write_much()
    assert caught.value.retryable
    with database.session() as session:
        assert session.scalars(text("SELECT id FROM workers")).all() == ["before"]
    database.dispose()


def test_a_mistake_of_ours_is_not_blamed_on_the_database(database: Database) -> None:
    with pytest.raises(DBAPIError) as caught, database.session() as session:
        session.execute(text("SELECT * FROM no_such_table"))
    assert isinstance(caught.value, ProgrammingError) or "no such table" in str(caught.value)


def test_no_word_of_a_book_is_in_an_error(database: Database) -> None:
    with pytest.raises(DBAPIError) as caught, database.session() as session:
        session.execute(text("INSERT INTO workers (id) VALUES (:id)"), {"id": "A secret sentence."})
    assert "A secret sentence." not in str(caught.value).replace(str(caught.value.orig), "")


def test_a_block_that_raises_writes_nothing(database: Database) -> None:
    def change_of_mind() -> None:
        with database.session() as session:
            WorkerRepository(session).beat("one")
            raise ValueError

    with pytest.raises(ValueError):
        change_of_mind()
    with database.session() as session:
        assert session.execute(text("SELECT count(*) FROM workers")).scalar() == 0


def test_a_reading_session_cannot_write_and_the_next_can(database: Database, book: BookRecord) -> None:
    for _ in range(3):  # the connection goes back to the pool in between
        with pytest.raises((DatabaseAway, DBAPIError)), database.session(read_only=True) as session:
            BookRepository(session).fail(book.id)
        beat(database)
    with database.session(read_only=True) as session:
        assert BookRepository(session).get(book.id) == book


def test_foreign_keys_hold_after_a_migration_used_the_connection(
    database: Database, book: BookRecord
) -> None:
    database.migrate()
    with pytest.raises(IntegrityError), database.session() as session:
        session.execute(text("INSERT INTO chapters VALUES ('bk_gone', 0, 'One', 0, 1)"))


def test_the_folder_of_a_new_file_is_made(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/new/folder/books.db")
    database.migrate()
    database.ping()
    database.dispose()
