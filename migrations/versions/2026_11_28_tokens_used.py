"""What the texts on parts of a book have cost, those that are not fit, and the tokens that a job has used.

Revision: 2026112801
Revises: 2026112502
Created: 2026-11-28
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2026112801"
down_revision = "2026112502"
branch_labels = None
depends_on = None

TOKENS = {"completions": ("prompt_tokens", "completion_tokens"), "jobs": ("tokens",)}


def upgrade() -> None:
    for table, columns in TOKENS.items():
        for column in columns:
            op.add_column(table, sa.Column(column, sa.Integer(), server_default="0", nullable=False))
    op.add_column("completions", sa.Column("fit", sa.Boolean(), server_default=sa.true(), nullable=False))


def downgrade() -> None:
    op.execute("DELETE FROM completions WHERE NOT fit")
    op.drop_column("completions", "fit")
    for table, columns in TOKENS.items():
        for column in columns:
            op.drop_column(table, column)
