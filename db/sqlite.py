"""Open a SQLite file so that many threads and processes can use it at once.

Python's driver opens transactions lazily, as readers; if two of them then want to write, neither can
continue, and waiting does not help. So the driver's own transactions are turned off, and every session that
may write executes `BEGIN IMMEDIATE`: writers queue up for at most `BUSY_SECONDS`. Readers never wait
(write-ahead log).
"""

from __future__ import annotations

import sqlite3
import time

from sqlalchemy import Connection, Engine, event
from sqlalchemy.pool import ConnectionPoolEntry

BUSY_SECONDS = 30
READ_ONLY = "bookworm_read_only"
MIGRATING = "bookworm_migrating"
"""Execution options of a connection that set the kind of its transactions."""
_PRAGMAS = "bookworm_pragmas"
"""Key under which the pool remembers the pragmas of a connection."""


def prepare(engine: Engine) -> None:
    event.listen(engine, "connect", _on_connect)
    event.listen(engine, "begin", _on_begin)


def _on_connect(connection: sqlite3.Connection, _entry: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # the driver must not open transactions of its own
    cursor = connection.cursor()
    _use_write_ahead_log(cursor)
    cursor.execute("PRAGMA synchronous = NORMAL")
    cursor.close()


def _use_write_ahead_log(cursor: sqlite3.Cursor) -> None:
    """Switch a new file to write-ahead logging, once.

    SQLite does not wait for a lock to do that, so we do.
    """
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.02)
        else:
            return


def _on_begin(connection: Connection) -> None:
    options = connection.get_execution_options()
    reads = options.get(READ_ONLY, False)
    # Rebuilding a table drops it, which must not delete the rows that refer to it: hence off in migrations.
    pragmas = (
        f"PRAGMA foreign_keys = {'OFF' if options.get(MIGRATING) else 'ON'}",
        f"PRAGMA query_only = {'ON' if reads else 'OFF'}",
    )
    if connection.info.get(_PRAGMAS) != pragmas:  # the last user of the connection may have needed others
        for pragma in pragmas:
            connection.exec_driver_sql(pragma)
        connection.info[_PRAGMAS] = pragmas
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")
