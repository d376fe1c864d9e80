"""What each chat has saved to read."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "saved",
        sa.Column("chat", sa.String(), primary_key=True),
        sa.Column("paper", sa.String(), primary_key=True),
        sa.Column("saved", sa.DateTime(timezone=True), nullable=False),
    )
