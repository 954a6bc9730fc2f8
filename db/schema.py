"""Run the migrations from inside the program; `migrations/` describes them."""

from __future__ import annotations

import threading
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text
from sqlalchemy.schema import SchemaItem

from db.errors import DatabaseNewer
from db.tables import Base

ADVISORY_LOCK = 0x626F6F6B776F726D
"""`bookworm` in ASCII: PostgreSQL lets one process at a time hold this lock."""

_one_at_a_time = threading.Lock()
"""Alembic keeps the running migration in module globals."""


def upgrade(connection: Connection) -> None:
    """Run all migrations or none, in the caller's transaction. On SQLite that transaction is the lock."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": ADVISORY_LOCK})
    if not is_current(connection):
        with _one_at_a_time:
            command.upgrade(_config(connection), "head")


def downgrade(connection: Connection, *, to: str = "base") -> None:
    with _one_at_a_time:
        command.downgrade(_config(connection), to)


def is_current(connection: Connection) -> bool:
    """Return whether the tables are those of the newest migration. Raise DatabaseNewer if they are newer."""
    current = MigrationContext.configure(connection).get_current_revision()
    if current is not None and current not in _revisions():
        raise DatabaseNewer("The database was made by a newer Bookworm.")
    return current == newest()


@cache
def newest() -> str | None:
    return ScriptDirectory.from_config(_config()).get_current_head()


@cache
def _revisions() -> frozenset[str]:
    return frozenset(s.revision for s in ScriptDirectory.from_config(_config()).walk_revisions())


def differences(connection: Connection) -> list[object]:
    """Return what autogenerate would change: empty when the migrations build exactly our tables."""
    context = MigrationContext.configure(
        connection, opts={"compare_type": True, "compare_server_default": True, "include_object": is_ours}
    )
    return list(compare_metadata(context, Base.metadata))


def is_ours(
    item: SchemaItem, _name: str | None, kind: str, reflected: bool, compared: SchemaItem | None
) -> bool:
    """Return whether Alembic manages an item.

    On SQLite the job engine's tables share the file and must stay.
    """
    del item
    return not (kind == "table" and reflected and compared is None)


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(_folder()).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def _folder() -> Path:
    spec = find_spec("migrations")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("the package `migrations` is not installed")
    return Path(spec.origin).parent
