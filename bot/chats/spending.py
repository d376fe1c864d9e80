"""Spending: what each chat has used of each chat model, a day at a time."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Protocol

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from bot.chats.database import insert_if_absent
from bot.chats.models import SpendingRow
from bot.chats.room import Room


class Tokens(Protocol):
    """What one turn used of one model."""

    @property
    def model(self) -> str: ...
    @property
    def input(self) -> int: ...
    @property
    def cached(self) -> int: ...
    @property
    def output(self) -> int: ...


class Spending(Room):
    """Tokens by chat, day and model."""

    async def spend(self, chat: str, day: date, spent: Iterable[Tokens]) -> None:
        """Add what a turn used."""
        async with self._database.writing() as session:
            for each in spent:
                await add_spending(session, chat, day, each)

    async def spent(
        self, first: date, last: date, chat: str | None = None
    ) -> list[tuple[str, int, int, int]]:
        """(model, input, cached, output) of these days, both included; of all chats for None."""
        wanted = select(
            SpendingRow.model,
            func.sum(SpendingRow.input),
            func.sum(SpendingRow.cached),
            func.sum(SpendingRow.output),
        ).where(SpendingRow.day.between(first, last))
        if chat is not None:
            wanted = wanted.where(SpendingRow.chat == chat)
        async with self._database.reading() as session:
            rows = await session.execute(
                wanted.group_by(SpendingRow.model).order_by(SpendingRow.model)
            )
            return [(str(m), int(i), int(c), int(o)) for m, i, c, o in rows]


async def add_spending(session: AsyncSession, chat: str, day: date, used: Tokens) -> None:
    """Add to a row within a transaction of the caller's."""
    key = {"chat": chat, "day": day, "model": used.model}
    await insert_if_absent(session, SpendingRow, **key, input=0, cached=0, output=0)
    await session.execute(
        update(SpendingRow)
        .filter_by(**key)
        .values(
            input=SpendingRow.input + used.input,
            cached=SpendingRow.cached + used.cached,
            output=SpendingRow.output + used.output,
        )
    )
