"""Jobs that write an answer, beside those that read a book. A book is read by one job at a time.

Revision: 2026112501
Revises: 2026112301
Created: 2026-11-25
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026112501"
down_revision = "2026112301"
branch_labels = None
depends_on = None

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
ONE = "uq_jobs_book_id_active"
ACTIVE = "state IN ('queued', 'running')"


def upgrade() -> None:
    op.add_column("jobs", sa.Column("kind", TEXT, server_default="ingest", nullable=False))
    op.add_column("jobs", sa.Column("request", sa.JSON(), nullable=True))
    _one_at_a_time(f"kind = 'ingest' AND {ACTIVE}")


def downgrade() -> None:
    op.execute("DELETE FROM jobs WHERE kind <> 'ingest'")
    _one_at_a_time(ACTIVE)
    op.drop_column("jobs", "request")
    op.drop_column("jobs", "kind")


def _one_at_a_time(which: str) -> None:
    op.drop_index(ONE, "jobs")
    op.create_index(
        ONE, "jobs", ["book_id"], unique=True, sqlite_where=sa.text(which), postgresql_where=sa.text(which)
    )
