"""Reading options: the uploader's settings, and a reader's correction of where the chapters begin.

The title of a book was given or found, and until now nobody recorded which. It counts as given, so that
reading the book again does not discard the uploader's title.

Revision: 2026112002
Revises: 2026112001
Created: 2026-11-20
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026112002"
down_revision = "2026112001"
branch_labels = None
depends_on = None

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.add_column("books", sa.Column("given_title", TEXT, nullable=True))
    op.add_column("books", sa.Column("given_author", TEXT, nullable=True))
    op.add_column("books", sa.Column("encoding", TEXT, nullable=True))
    op.add_column("books", sa.Column("force", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.execute("UPDATE books SET given_title = title, given_author = author")
    op.add_column("jobs", sa.Column("remedy", TEXT, nullable=True))
    op.create_table(
        "chapter_edits",
        sa.Column("book_id", TEXT, nullable=False),
        sa.Column("text_sha256", TEXT, nullable=False),
        sa.Column("marks", sa.JSON(), nullable=False),
        sa.Column("updated", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(
            ["book_id"], ["books.id"], name="fk_chapter_edits_book_id_books", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("book_id", name="pk_chapter_edits"),
    )


def downgrade() -> None:
    op.drop_table("chapter_edits")
    op.drop_column("jobs", "remedy")
    for column in ("force", "encoding", "given_author", "given_title"):
        op.drop_column("books", column)
