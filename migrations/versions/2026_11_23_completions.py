"""What language models wrote for summaries, so that no part of a book is paid for twice.

Revision: 2026112301
Revises: 2026112202
Created: 2026-11-23
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026112301"
down_revision = "2026112202"
branch_labels = None
depends_on = None

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "completions",
        sa.Column("book_id", TEXT, nullable=False),
        sa.Column("key_hash", TEXT, nullable=False),
        sa.Column("text", TEXT, nullable=False),
        sa.Column("finish", TEXT, nullable=False),
        sa.Column("thought", sa.Boolean(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("book_id", "key_hash", name="pk_completions"),
        sa.ForeignKeyConstraint(
            ["book_id"], ["books.id"], name="fk_completions_book_id_books", ondelete="CASCADE"
        ),
    )


def downgrade() -> None:
    op.drop_table("completions")
