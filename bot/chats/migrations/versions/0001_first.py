"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create every table of the first version."""
    op.create_table(
        "chats",
        sa.Column("chat", sa.String(), primary_key=True),
        sa.Column("thread", sa.String(), nullable=False),
        sa.Column("timezone", sa.String()),
        sa.Column("active", sa.Boolean(), nullable=False),
    )
    op.create_table(
        "updates",
        sa.Column("update_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("chat", sa.String(), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("received", MOMENT, nullable=False),
        sa.Column("answered", MOMENT, index=True),
    )
    op.create_table(
        "plans",
        sa.Column("key", sa.String(), primary_key=True),
        sa.Column("chat", sa.String(), nullable=False, index=True),
        sa.Column("planned", MOMENT, nullable=False),
        sa.Column("dropped", MOMENT),
    )
    op.create_table(
        "parts",
        sa.Column(
            "key", sa.String(), sa.ForeignKey("plans.key", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("part", sa.JSON(), nullable=False),
        sa.Column("message_id", sa.BigInteger()),
        sa.Column("sent", MOMENT),
    )
    op.create_table(
        "taps",
        sa.Column("token", sa.String(), primary_key=True),
        sa.Column("chat", sa.String(), nullable=False, index=True),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("made", MOMENT, nullable=False),
    )
    op.create_table(
        "usage",
        sa.Column("chat", sa.String(), primary_key=True),
        sa.Column("day", sa.Date(), primary_key=True),
        sa.Column("tokens", sa.BigInteger(), nullable=False),
    )
    _create_digests()


def _create_digests() -> None:
    op.create_table(
        "subscriptions",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("chat", sa.String(), nullable=False),
        sa.Column("topic", sa.String(), nullable=False),
        sa.Column("hour", sa.Integer(), nullable=False),
        sa.Column("minute", sa.Integer(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("seen", sa.BigInteger(), nullable=False),
        sa.Column("next_due", MOMENT, nullable=False, index=True),
        sa.Column("changed", MOMENT, nullable=False),
        sa.Column("ended", MOMENT),
    )
    op.create_index(
        "one_subscription_a_chat",
        "subscriptions",
        ["chat"],
        unique=True,
        sqlite_where=sa.text("ended IS NULL"),
        postgresql_where=sa.text("ended IS NULL"),
    )
    op.create_table(
        "deliveries",
        sa.Column(
            "subscription_id",
            sa.Integer(),
            sa.ForeignKey("subscriptions.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("due", MOMENT, primary_key=True),
        sa.Column("chat", sa.String(), nullable=False, index=True),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("recorded", MOMENT, nullable=False),
    )
    op.create_table(
        "delivered",
        sa.Column("chat", sa.String(), primary_key=True),
        sa.Column("paper", sa.String(), primary_key=True),
        sa.Column("delivered", MOMENT, nullable=False),
    )
