"""Entry point of Alembic: on the connection of `db.schema`, or on `-x url=…` from the command line."""

from __future__ import annotations

from typing import Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy import Connection

from db.columns import Moment, PlainText
from db.database import Database
from db.schema import is_ours
from db.tables import Base


def render(kind: str, item: object, _context: AutogenContext) -> str | Literal[False]:
    """Render our column types in SQLAlchemy's own types, because migrations outlive them."""
    if kind == "type" and isinstance(item, PlainText):
        return 'sa.Text().with_variant(sa.Text(collation="C"), "postgresql")'
    if kind == "type" and isinstance(item, Moment):
        return "sa.DateTime(timezone=True)"
    return False


def run(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        include_object=is_ours,
        render_item=render,
        # SQLite cannot change a column in place, so Alembic rebuilds the table.
        render_as_batch=connection.dialect.name == "sqlite",
        compare_type=True,
        compare_server_default=True,
    )
    with context.begin_transaction():
        context.run_migrations()


def run_from_command_line() -> None:
    url = context.get_x_argument(as_dictionary=True).get("url")
    if not url:
        raise SystemExit("Say which database: alembic -x url=sqlite:///bookworm.db …")
    database = Database(url)
    with database.migrating() as connection:
        run(connection)
    database.dispose()


given: Connection | None = context.config.attributes.get("connection")
if given is None:
    run_from_command_line()
else:
    run(given)
