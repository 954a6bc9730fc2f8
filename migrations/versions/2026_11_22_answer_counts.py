"""Verdict counts by day and generator. Earlier answers count on the day they were written.

Revision: 2026112202
Revises: 2026112201
Created: 2026-11-22
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "2026112202"
down_revision = "2026112201"
branch_labels = None
depends_on = None

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
KEYS = ("day", "library", "generator", "judge")
VERDICTS = ("supported", "contradicted", "unsupported", "uncertain")
BOOKS = sa.table("books", sa.column("id"), sa.column("library"))
PORTRAITS = sa.table(
    "portraits",
    sa.column("book_id"),
    sa.column("key_hash"),
    sa.column("payload", sa.JSON()),
    sa.column("created", sa.DateTime(timezone=True)),
)
FACTS = sa.table("facts", sa.column("book_id"), sa.column("key_hash"), sa.column("label"))


def upgrade() -> None:
    table = op.create_table(
        "answer_counts",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("library", TEXT, nullable=False),
        sa.Column("generator", TEXT, nullable=False),
        sa.Column("judge", TEXT, nullable=False),
        *(sa.Column(name, sa.BigInteger(), nullable=False) for name in ("answers", *VERDICTS)),
        sa.PrimaryKeyConstraint(*KEYS, name="pk_answer_counts"),
    )
    rows = _counted()
    if rows:
        op.bulk_insert(table, rows)


def _counted() -> list[dict[str, Any]]:
    sums: dict[tuple[Any, ...], Counter[str]] = {}
    for library, created, generator, judge, verdicts in _answers():
        if generator is None or judge is None:
            continue
        counts = sums.setdefault((_day(created), library, generator, judge), Counter())
        counts["answers"] += 1
        counts.update(verdicts)
    return [
        dict(zip(KEYS, key, strict=True)) | {name: counts[name] for name in ("answers", *VERDICTS)}
        for key, counts in sums.items()
    ]


def _answers() -> Iterator[tuple[Any, ...]]:
    """Read only the needed parts of each answer from the database: an answer may be long."""
    connection = op.get_bind()
    verdicts: dict[tuple[str, str], Counter[str]] = {}
    counted = sa.select(FACTS.c.book_id, FACTS.c.key_hash, FACTS.c.label, sa.func.count())
    for book_id, key_hash, label, count in connection.execute(counted.group_by(*FACTS.c)):
        verdicts.setdefault((book_id, key_hash), Counter())[label] = count
    made_by = (PORTRAITS.c.payload[("provenance", name)].as_string() for name in ("generator", "judge"))
    query = sa.select(
        PORTRAITS.c.book_id, PORTRAITS.c.key_hash, BOOKS.c.library, PORTRAITS.c.created, *made_by
    )
    for book_id, key_hash, *about in connection.execute(query.join(BOOKS, BOOKS.c.id == PORTRAITS.c.book_id)):
        yield (*about, verdicts.get((book_id, key_hash), Counter()))


def _day(created: datetime) -> date:
    """Return the day in UTC, even if the database stores no time zone."""
    return (created.replace(tzinfo=UTC) if created.tzinfo is None else created.astimezone(UTC)).date()


def downgrade() -> None:
    op.drop_table("answer_counts")
