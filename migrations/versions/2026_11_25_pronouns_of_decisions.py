"""Corrections that take pronouns along.

Revision: 2026112502
Revises: 2026112501
Created: 2026-11-25
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026112502"
down_revision = "2026112501"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("decisions", sa.Column("pronouns", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    op.execute("DELETE FROM decisions WHERE kind = 'mention'")
    op.drop_column("decisions", "pronouns")
