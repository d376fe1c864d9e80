"""The tables: what is remembered of each chat."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, DateTime, ForeignKey, Index, String, text
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator


class Moment(TypeDecorator[datetime]):
    """A point in time: aware in Python, UTC in the database (SQLite keeps no zone)."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value} says no time zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Row(DeclarativeBase):
    """A row of one of our tables."""

    type_annotation_map = {  # noqa: RUF012 - SQLAlchemy reads it from the class
        datetime: Moment(),
        dict[str, Any]: JSON(),
        str: String(),
    }


class ChatRow(Row):
    """What a chat has chosen."""

    __tablename__ = "chats"

    chat: Mapped[str] = mapped_column(primary_key=True)
    thread: Mapped[str]
    timezone: Mapped[str | None]
    active: Mapped[bool]
    """False once the person blocked the bot or removed it."""


class UpdateRow(Row):
    """What came in, stored on receipt."""

    __tablename__ = "updates"

    update_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    chat: Mapped[str]
    payload: Mapped[dict[str, Any]]
    received: Mapped[datetime]
    answered: Mapped[datetime | None] = mapped_column(index=True)


class PlanRow(Row):
    """A reply or a digest, decided on and not to be decided again."""

    __tablename__ = "plans"

    key: Mapped[str] = mapped_column(primary_key=True)
    chat: Mapped[str] = mapped_column(index=True)
    planned: Mapped[datetime]
    dropped: Mapped[datetime | None]
    """When the rest was given up: unsubscribed, or blocked by the person."""


class PartRow(Row):
    """One message of a plan; confirmed once the server has given it an id."""

    __tablename__ = "parts"

    key: Mapped[str] = mapped_column(ForeignKey("plans.key", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    part: Mapped[dict[str, Any]]
    message_id: Mapped[int | None] = mapped_column(BigInteger)
    sent: Mapped[datetime | None]


class TapRow(Row):
    """What a button does; its token fits into 64 bytes where the words do not."""

    __tablename__ = "taps"

    token: Mapped[str] = mapped_column(primary_key=True)
    chat: Mapped[str] = mapped_column(index=True)
    data: Mapped[dict[str, Any]]
    made: Mapped[datetime]


class SubscriptionRow(Row):
    """Who wants what when."""

    __tablename__ = "subscriptions"
    __table_args__ = (
        Index(
            "one_subscription_a_chat",
            "chat",
            unique=True,
            sqlite_where=text("ended IS NULL"),
            postgresql_where=text("ended IS NULL"),
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    chat: Mapped[str]
    topic: Mapped[str]
    hour: Mapped[int]
    minute: Mapped[int]
    zone: Mapped[str]
    seen: Mapped[int] = mapped_column(BigInteger)
    """The library's sequence number up to which papers were considered."""
    next_due: Mapped[datetime] = mapped_column(index=True)
    changed: Mapped[datetime]
    ended: Mapped[datetime | None]


class DeliveryRow(Row):
    """What became of a due digest; one row a due, which is what makes it arrive once."""

    __tablename__ = "deliveries"

    subscription_id: Mapped[int] = mapped_column(
        ForeignKey("subscriptions.id", ondelete="CASCADE"), primary_key=True
    )
    due: Mapped[datetime] = mapped_column(primary_key=True)
    chat: Mapped[str] = mapped_column(index=True)
    outcome: Mapped[str]
    recorded: Mapped[datetime]


class DeliveredRow(Row):
    """A paper a chat has had in a digest."""

    __tablename__ = "delivered"

    chat: Mapped[str] = mapped_column(primary_key=True)
    paper: Mapped[str] = mapped_column(primary_key=True)
    delivered: Mapped[datetime]


class UsageRow(Row):
    """Tokens of chat models a chat has used in a day."""

    __tablename__ = "usage"

    chat: Mapped[str] = mapped_column(primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    tokens: Mapped[int] = mapped_column(BigInteger)


class SpendingRow(Row):
    """The same by model, as the provider charges for it."""

    __tablename__ = "spending"

    chat: Mapped[str] = mapped_column(primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    model: Mapped[str] = mapped_column(primary_key=True)
    input: Mapped[int] = mapped_column(BigInteger)
    cached: Mapped[int] = mapped_column(BigInteger)
    """Of the input, what the provider took from its cache."""
    output: Mapped[int] = mapped_column(BigInteger)


class SavedRow(Row):
    """A paper a chat keeps to read."""

    __tablename__ = "saved"

    chat: Mapped[str] = mapped_column(primary_key=True)
    paper: Mapped[str] = mapped_column(primary_key=True)
    saved: Mapped[datetime]
