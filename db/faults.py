"""Translate driver exceptions caused by the database itself into errors that people can act on."""

from __future__ import annotations

import re
import sqlite3

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from books.errors import BookwormError
from db.errors import DatabaseAway, DatabaseRefused, StorageFull

DISK_FULL = "53100"
NO_PRIVILEGE = "42501"
AWAY = ("08", "25P03", "40", "53", "55", "57", "58")
"""PostgreSQL's SQLSTATE values for trouble of its own.

They are classes (lost, rolled back, out of resources, busy, stopped, broken), and the code of a transaction
that was idle for too long.
"""
SQLITE_AWAY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
SQLITE_REFUSED = {
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_PERM,
}
LET_WRITE = "Let the account of Bookworm write to the folder of the database, check its disk, and try again."
TURNED_AWAY = {
    "authentication failed|no password supplied": "The database does not accept this user and password.",
    'FATAL: +role ".*" does not exist': "The database server has no such user.",
    'FATAL: +database ".*" does not exist': "The database server has no database of this name.",
    "no pg_hba.conf entry|not permitted to log in|permission denied for database": "The database server does "
    "not let this user connect to this database from here.",
}
"""What PostgreSQL says to somebody who connects. The driver passes the words on, without an SQLSTATE."""
TOO_MANY = "too many clients|too many connections|remaining connection slots"
PRIMARY_CODE = 0xFF
"""The low byte of SQLite's extended result codes is the primary code."""


def translate(error: Exception) -> BookwormError | None:
    """Return None for our own mistakes (bad SQL, a broken constraint), which no user can fix."""
    if isinstance(error, PoolTimeout):
        return DatabaseAway("Every connection to the database is in use.")
    if not isinstance(error, DBAPIError):
        return None
    if isinstance(error.orig, sqlite3.Error):
        return _from_sqlite(error.orig)
    return _from_postgres(error, getattr(error.orig, "sqlstate", None))


def _from_postgres(error: DBAPIError, state: str | None) -> BookwormError | None:
    if state == DISK_FULL:
        return StorageFull("The database's disk is full.")
    if state == NO_PRIVILEGE:
        return DatabaseRefused(
            "The user of the database may not create or use its tables.",
            remedy="Make this user the owner of the database: see docs/operations.md.",
        )
    if state is not None and state.startswith(AWAY):
        return DatabaseAway("The database is busy, or shutting down.")
    # An error without a state is of the driver, which did not get a connection.
    if error.connection_invalidated or (
        state is None and isinstance(error, OperationalError | InterfaceError)
    ):
        return _not_connected(str(error.orig))
    return None


def _not_connected(said: str) -> BookwormError:
    for words, detail in TURNED_AWAY.items():
        if re.search(words, said):
            return DatabaseRefused(detail)
    if re.search(TOO_MANY, said):
        return DatabaseAway("Every connection to the database is in use.")
    return DatabaseAway("The database does not answer.")


def _from_sqlite(error: sqlite3.Error) -> BookwormError | None:
    code = getattr(error, "sqlite_errorcode", 0) & PRIMARY_CODE
    if code == sqlite3.SQLITE_FULL:
        return StorageFull("The database's disk is full.")
    if code in SQLITE_AWAY | SQLITE_REFUSED:
        remedy = LET_WRITE if code in SQLITE_REFUSED else None
        return DatabaseAway(f"The database file cannot be used now ({error}).", remedy=remedy)
    return None
