"""What administrators are told of why a job failed, apart from what everybody is told.

Errors of language models that were stored before may say where a server is and what it answered. They are
kept for administrators, and everybody else reads a plain sentence.

Revision: 2026112902
Revises: 2026112901
Created: 2026-11-29
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026112902"
down_revision = "2026112901"
branch_labels = None
depends_on = None

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
CODES = ("model_server_failed", "generator_unavailable", "prompt_too_long")
PLAIN = {
    "error": "The language model did not write the answer.",
    "remedy": "Try again, or ask whoever runs this service.",
}

jobs = sa.table("jobs", *map(sa.column, ("error_code", "error", "remedy", "full_error", "full_remedy")))
events = sa.table("events", sa.column("id"), sa.column("kind"), sa.column("data", sa.JSON))


def upgrade() -> None:
    for column in ("full_error", "full_remedy"):
        op.add_column("jobs", sa.Column(column, TEXT, nullable=True))
    kept = {"full_error": jobs.c.error, "full_remedy": jobs.c.remedy}
    op.execute(jobs.update().where(jobs.c.error_code.in_(CODES)).values(kept | PLAIN))
    told = op.get_bind().execute(
        sa.select(events.c.id, events.c.data).where(events.c.kind == "answer.failed")
    )
    for number, data in told.all():
        if data.get("code") in CODES:
            op.execute(events.update().where(events.c.id == number).values(data=data | PLAIN))


def downgrade() -> None:
    former = {"error": jobs.c.full_error, "remedy": jobs.c.full_remedy}
    op.execute(jobs.update().where(jobs.c.full_error.is_not(None)).values(former))
    for column in ("full_error", "full_remedy"):
        op.drop_column("jobs", column)
