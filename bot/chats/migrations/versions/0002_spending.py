"""Tokens by model, for what they cost."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the table; what was counted before stays in `usage`."""
    op.create_table(
        "spending",
        sa.Column("chat", sa.String(), primary_key=True),
        sa.Column("day", sa.Date(), primary_key=True),
        sa.Column("model", sa.String(), primary_key=True),
        sa.Column("input", sa.BigInteger(), nullable=False),
        sa.Column("cached", sa.BigInteger(), nullable=False),
        sa.Column("output", sa.BigInteger(), nullable=False),
    )
