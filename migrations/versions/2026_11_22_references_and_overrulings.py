"""Data that readers measure answers by: reference texts of characters, and overruled verdicts.

Facts of stored answers also get the ids by which they can be overruled.

Revision: 2026112201
Revises: 2026112002
Created: 2026-11-22
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "2026112201"
down_revision = "2026112002"
branch_labels = None
depends_on = None

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
MOMENT = sa.DateTime(timezone=True)
PORTRAITS = sa.table(
    "portraits", sa.column("book_id"), sa.column("key_hash"), sa.column("payload", sa.JSON())
)
FACTS = sa.table(
    "facts",
    *(sa.column(name) for name in ("book_id", "key_hash", "position", "fact_id", "subject", "upto")),
)


def upgrade() -> None:
    op.add_column("books", sa.Column("remarks", sa.Integer(), server_default="0", nullable=False))
    op.add_column("facts", sa.Column("fact_id", TEXT, nullable=True))
    op.add_column("facts", sa.Column("subject", TEXT, nullable=True))
    op.add_column("facts", sa.Column("upto", sa.BigInteger(), nullable=True))
    _identify()
    op.create_index("ix_facts_book_id_fact_id", "facts", ["book_id", "fact_id"], unique=False)
    _create_comparisons()
    _create_references()
    _create_overrulings()


def _identify() -> None:
    connection = op.get_bind()
    keys = connection.execute(sa.select(PORTRAITS.c.book_id, PORTRAITS.c.key_hash)).all()
    here: dict[str, sa.BindParameter[Any]] = {
        name: sa.bindparam(f"in_{name}") for name in ("book_id", "key_hash", "position")
    }
    write = sa.update(FACTS).where(*(FACTS.c[name] == given for name, given in here.items()))
    write = write.values({name: sa.bindparam(f"new_{name}") for name in ("fact_id", "subject", "upto")})
    for book_id, key_hash in keys:
        this = (PORTRAITS.c.book_id == book_id, PORTRAITS.c.key_hash == key_hash)
        payload = connection.execute(sa.select(PORTRAITS.c.payload).where(*this)).scalar_one()
        rows = list(_identified(book_id, key_hash, payload))
        if rows:
            connection.execute(write, rows)


def _identified(book_id: str, key_hash: str, payload: dict[str, Any]) -> Iterator[dict[str, Any]]:
    upto = payload.get("provenance", {}).get("upto")
    for position, fact in enumerate(payload.get("facts", ())):
        subject, text = fact["claim"]["subject"], " ".join(fact["claim"]["text"].split())
        digest = hashlib.sha256(json.dumps([subject, text, upto]).encode()).hexdigest()
        yield {
            "in_book_id": book_id,
            "in_key_hash": key_hash,
            "in_position": position,
            "new_fact_id": f"f_{digest[:12]}",
            "new_subject": subject,
            "new_upto": upto,
        }


def _create_comparisons() -> None:
    op.create_table(
        "comparisons",
        sa.Column("book_id", TEXT, nullable=False),
        sa.Column("key_hash", TEXT, nullable=False),
        sa.Column("made_of", TEXT, nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["book_id", "key_hash"],
            ["portraits.book_id", "portraits.key_hash"],
            name="fk_comparisons_book_id_key_hash_portraits",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("book_id", "key_hash", name="pk_comparisons"),
    )


def _create_references() -> None:
    op.create_table(
        "character_references",
        sa.Column("book_id", TEXT, nullable=False),
        sa.Column("character", TEXT, nullable=False),
        sa.Column("task", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("text", TEXT, nullable=False),
        sa.Column("source", TEXT, nullable=False),
        sa.Column("updated", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(
            ["book_id"], ["books.id"], name="fk_character_references_book_id_books", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("book_id", "character", "task", name="pk_character_references"),
    )


def _create_overrulings() -> None:
    op.create_table(
        "overrulings",
        sa.Column("book_id", TEXT, nullable=False),
        sa.Column("fact_id", TEXT, nullable=False),
        sa.Column("character", TEXT, nullable=True),
        sa.Column("name", TEXT, nullable=True),
        sa.Column("text", TEXT, nullable=False),
        sa.Column("category", TEXT, nullable=False),
        sa.Column("judged", TEXT, nullable=False),
        sa.Column("label", TEXT, nullable=False),
        sa.Column("comment", TEXT, nullable=True),
        sa.Column("by", TEXT, nullable=True),
        sa.Column("upto", sa.BigInteger(), nullable=True),
        sa.Column("created", MOMENT, nullable=False),
        sa.Column("updated", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(
            ["book_id"], ["books.id"], name="fk_overrulings_book_id_books", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("book_id", "fact_id", name="pk_overrulings"),
    )


def downgrade() -> None:
    for table in ("overrulings", "character_references", "comparisons"):
        op.drop_table(table)
    op.drop_index("ix_facts_book_id_fact_id", table_name="facts")
    for column in ("upto", "subject", "fact_id"):
        op.drop_column("facts", column)
    op.drop_column("books", "remarks")
