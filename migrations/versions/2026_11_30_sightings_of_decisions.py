"""Where the book names those whom a decision is about. Earlier decisions go by their ids as before.

Revision: 2026113001
Revises: 2026112902
Created: 2026-11-30
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026113001"
down_revision = "2026112902"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("decisions", sa.Column("sightings", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("decisions", "sightings")
