"""The key with which a client may repeat the request of a decision, and a hash of that request.

Revision: 2026112901
Revises: 2026112801
Created: 2026-11-29
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026112901"
down_revision = "2026112801"
branch_labels = None
depends_on = None

TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
COLUMNS = ("idempotency_key", "request_sha256")


def upgrade() -> None:
    for column in COLUMNS:
        op.add_column("decisions", sa.Column(column, TEXT, nullable=True))


def downgrade() -> None:
    for column in COLUMNS:
        op.drop_column("decisions", column)
