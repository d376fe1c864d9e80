"""Saved: the papers a chat keeps to read."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import cast

from sqlalchemy import CursorResult, delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from bot.chats.database import insert_if_absent
from bot.chats.models import SavedRow
from bot.chats.room import Room


class Saved(Room):
    """Ids of papers, in the order they were saved."""

    async def save(self, chat: str, papers: Sequence[str]) -> list[str]:
        """Keep papers; those that were not kept before."""
        fresh = []
        async with self._database.writing() as session:
            for paper in dict.fromkeys(papers):
                values = {"chat": chat, "paper": paper, "saved": self._now()}
                if await insert_if_absent(session, SavedRow, **values):
                    fresh.append(paper)
        return fresh

    async def unsave(self, chat: str, papers: Sequence[str]) -> int:
        """Keep them no longer; how many were kept."""
        async with self._database.writing() as session:
            gone = await session.execute(
                delete(SavedRow).where(SavedRow.chat == chat, SavedRow.paper.in_(list(papers)))
            )
            return cast("CursorResult[tuple[int]]", gone).rowcount

    async def saved(self, chat: str) -> list[str]:
        """Ids of the papers kept, the latest first."""
        async with self._database.reading() as session:
            rows = await session.scalars(
                select(SavedRow.paper)
                .where(SavedRow.chat == chat)
                .order_by(SavedRow.saved.desc(), SavedRow.paper)
            )
            return list(rows)

    async def saved_when(self, chat: str) -> dict[str, datetime]:
        """Id of each paper kept -> when it was saved."""
        async with self._database.reading() as session:
            rows = await session.execute(
                select(SavedRow.paper, SavedRow.saved).where(SavedRow.chat == chat)
            )
            return {row.paper: row.saved for row in rows}


async def move_saved(session: AsyncSession, old: str, new: str) -> None:
    """Give one chat's list to another, within a transaction of the caller's."""
    for row in list(await session.scalars(select(SavedRow).where(SavedRow.chat == old))):
        await insert_if_absent(session, SavedRow, chat=new, paper=row.paper, saved=row.saved)
        await session.delete(row)
