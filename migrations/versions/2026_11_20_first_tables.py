"""The first tables.

Revision: 2026112001
Revises: nothing
Created: 2026-11-20
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026112001"
down_revision = None
branch_labels = None
depends_on = None

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    _create_books()
    _create_cast()
    _create_portraits()
    _create_jobs()
    _create_events_and_workers()
    _create_keys()


def _create_books() -> None:
    op.create_table(
        "books",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("library", TEXT, nullable=False),
        sa.Column("content_sha256", TEXT, nullable=False),
        sa.Column("filename", TEXT, nullable=True),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("title", TEXT, nullable=True),
        sa.Column("author", TEXT, nullable=True),
        sa.Column("language", TEXT, nullable=True),
        sa.Column("words", sa.BigInteger(), nullable=True),
        sa.Column("version", TEXT, nullable=True),
        sa.Column("report", sa.JSON(), nullable=True),
        sa.Column("created", MOMENT, nullable=False),
        sa.Column("updated", MOMENT, nullable=False),
        sa.CheckConstraint("state IN ('pending', 'ready', 'failed')", name="ck_books_state"),
        sa.PrimaryKeyConstraint("id", name="pk_books"),
    )
    op.create_index("ix_books_library_id", "books", ["library", "id"], unique=False)
    op.create_index("uq_books_library_content_sha256", "books", ["library", "content_sha256"], unique=True)
    op.create_table(
        "chapters",
        sa.Column("book_id", TEXT, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("title", TEXT, nullable=False),
        sa.Column("start_offset", sa.BigInteger(), nullable=False),
        sa.Column("end_offset", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["book_id"], ["books.id"], name="fk_chapters_book_id_books", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("book_id", "position", name="pk_chapters"),
    )


def _create_cast() -> None:
    op.create_table(
        "characters",
        sa.Column("book_id", TEXT, nullable=False),
        sa.Column("key", TEXT, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("pronouns", TEXT, nullable=True),
        sa.Column("mention_count", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["book_id"], ["books.id"], name="fk_characters_book_id_books", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("book_id", "key", name="pk_characters"),
    )
    op.create_table(
        "aliases",
        sa.Column("book_id", TEXT, nullable=False),
        sa.Column("character_key", TEXT, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("library", TEXT, nullable=False),
        sa.Column("text", TEXT, nullable=False),
        sa.Column("folded", TEXT, nullable=False),
        sa.Column("bare", TEXT, nullable=False),
        sa.ForeignKeyConstraint(
            ["book_id", "character_key"],
            ["characters.book_id", "characters.key"],
            name="fk_aliases_book_id_character_key_characters",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("book_id", "character_key", "position", name="pk_aliases"),
    )
    op.create_index("ix_aliases_library_bare", "aliases", ["library", "bare"], unique=False)
    op.create_index("ix_aliases_library_folded", "aliases", ["library", "folded"], unique=False)
    op.create_table(
        "decisions",
        sa.Column("book_id", TEXT, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("character", TEXT, nullable=True),
        sa.Column("other", TEXT, nullable=True),
        sa.Column("name", TEXT, nullable=True),
        sa.Column("aliases", sa.JSON(), nullable=False),
        sa.Column("spans", sa.JSON(), nullable=False),
        sa.Column("undoes", sa.Integer(), nullable=True),
        sa.Column("created", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(
            ["book_id"], ["books.id"], name="fk_decisions_book_id_books", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("book_id", "number", name="pk_decisions"),
    )


def _create_portraits() -> None:
    op.create_table(
        "portraits",
        sa.Column("book_id", TEXT, nullable=False),
        sa.Column("key_hash", TEXT, nullable=False),
        sa.Column("task", TEXT, nullable=False),
        sa.Column("characters", sa.JSON(), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("created", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(
            ["book_id"], ["books.id"], name="fk_portraits_book_id_books", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("book_id", "key_hash", name="pk_portraits"),
    )
    op.create_table(
        "facts",
        sa.Column("book_id", TEXT, nullable=False),
        sa.Column("key_hash", TEXT, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("category", TEXT, nullable=False),
        sa.Column("label", TEXT, nullable=False),
        sa.Column("text", TEXT, nullable=False),
        sa.Column("score", sa.Double(), nullable=False),
        sa.Column("evidence", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["book_id", "key_hash"],
            ["portraits.book_id", "portraits.key_hash"],
            name="fk_facts_book_id_key_hash_portraits",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("book_id", "key_hash", "position", name="pk_facts"),
    )


def _create_jobs() -> None:
    op.create_table(
        "jobs",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("book_id", TEXT, nullable=False),
        sa.Column("library", TEXT, nullable=False),
        sa.Column("state", TEXT, nullable=False),
        sa.Column("stage", TEXT, nullable=True),
        sa.Column("progress", sa.Double(), nullable=False),
        sa.Column("seconds_left", sa.Double(), nullable=True),
        sa.Column("cancel_requested", sa.Boolean(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("worker", TEXT, nullable=True),
        sa.Column("error_code", TEXT, nullable=True),
        sa.Column("error", TEXT, nullable=True),
        sa.Column("timings", sa.JSON(), nullable=False),
        sa.Column("created", MOMENT, nullable=False),
        sa.Column("started", MOMENT, nullable=True),
        sa.Column("ended", MOMENT, nullable=True),
        sa.CheckConstraint(
            "state IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')", name="ck_jobs_state"
        ),
        sa.ForeignKeyConstraint(["book_id"], ["books.id"], name="fk_jobs_book_id_books", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_jobs"),
    )
    op.create_index("ix_jobs_book_id", "jobs", ["book_id"], unique=False)
    op.create_index("ix_jobs_library_id", "jobs", ["library", "id"], unique=False)
    op.create_index("ix_jobs_state", "jobs", ["state"], unique=False)
    op.create_index(
        "uq_jobs_book_id_active",
        "jobs",
        ["book_id"],
        unique=True,
        sqlite_where=sa.text("state IN ('queued', 'running')"),
        postgresql_where=sa.text("state IN ('queued', 'running')"),
    )


def _create_events_and_workers() -> None:
    op.create_table(
        "events",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("book_id", TEXT, nullable=False),
        sa.Column("job_id", TEXT, nullable=True),
        sa.Column("kind", TEXT, nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("created", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(
            ["book_id"], ["books.id"], name="fk_events_book_id_books", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_events"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_events_book_id_id", "events", ["book_id", "id"], unique=False)
    op.create_index("ix_events_created", "events", ["created"], unique=False)
    op.create_table(
        "workers",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("started", MOMENT, nullable=False),
        sa.Column("seen", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_workers"),
    )
    op.create_index("ix_workers_seen", "workers", ["seen"], unique=False)


def _create_keys() -> None:
    op.create_table(
        "api_keys",
        sa.Column("id", TEXT, nullable=False),
        sa.Column("name", TEXT, nullable=False),
        sa.Column("library", TEXT, nullable=False),
        sa.Column("scopes", sa.JSON(), nullable=False),
        sa.Column("rate_per_minute", sa.Integer(), nullable=False),
        sa.Column("quota_per_day", sa.Integer(), nullable=False),
        sa.Column("key_sha256", TEXT, nullable=False),
        sa.Column("created", MOMENT, nullable=False),
        sa.Column("revoked", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_api_keys"),
    )
    op.create_index("uq_api_keys_key_sha256", "api_keys", ["key_sha256"], unique=True)
    op.create_table(
        "key_uses",
        sa.Column("key_id", TEXT, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("last", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(
            ["key_id"], ["api_keys.id"], name="fk_key_uses_key_id_api_keys", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("key_id", "day", name="pk_key_uses"),
    )


def downgrade() -> None:
    # Indexes are dropped with their tables.
    for table in (
        "key_uses",
        "api_keys",
        "workers",
        "events",
        "jobs",
        "facts",
        "portraits",
        "decisions",
        "aliases",
        "characters",
        "chapters",
        "books",
    ):
        op.drop_table(table)
