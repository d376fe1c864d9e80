"""The allowance: what a chat may use of chat models in a day, and what it has used."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from bot.answer import Answer, Block, Spent
from bot.assistant.assistant import Assistant, Event
from bot.assistant.shelf import Shelf
from bot.chats.store import Chats
from bot.prices import Price


class Allowance:
    """An assistant that writes down what it uses; past the day's limit it quotes."""

    def __init__(
        self,
        assistant: Assistant,
        chats: Chats,
        daily_tokens: int = 0,
        prices: Mapping[str, Price] | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._assistant = assistant
        self._chats = chats
        self._limit = daily_tokens
        self._prices = prices or {}
        self._clock = clock
        self.shelf = Shelf(assistant, chats, assistant.library)
        """What the chats save."""

    async def stream(
        self, chat: str, text: str, *, call: tuple[str, dict[str, Any]] | None = None
    ) -> AsyncIterator[Event | Block | Answer]:
        """As the assistant's own."""
        if call is None and (reply := await self.shelf.reply(chat, text)):
            for block in reply.blocks:
                yield block
            yield reply
            return
        today = self._clock().date()
        over = bool(self._limit) and await self._chats.usage(chat, today) >= self._limit
        limit = self._limit if over else 0
        async for event in self._assistant.stream(chat, text, call=call, spent=limit):
            if isinstance(event, Answer) and event.tokens:
                await self._chats.add_usage(chat, today, event.tokens)
                await self._chats.spend(chat, today, event.spent)
            yield event

    async def ask(
        self, chat: str, text: str, *, call: tuple[str, dict[str, Any]] | None = None
    ) -> Answer:
        """As the assistant's own."""
        answer: Answer | None = None
        async for event in self.stream(chat, text, call=call):
            if isinstance(event, Answer):
                answer = event
        assert answer is not None  # noqa: S101 - the stream ends with one
        return answer

    def cancel(self, chat: str) -> bool:
        """As the assistant's own."""
        return self._assistant.cancel(chat)

    async def new(self, chat: str) -> None:
        """As the assistant's own."""
        await self._assistant.new(chat)

    async def move(self, old: str, new: str) -> None:
        """As the assistant's own."""
        await self._assistant.move(old, new)

    async def forget(self, chat: str) -> None:
        """Erase the conversation and everything the chat has chosen or was sent."""
        await self._assistant.new(chat)
        await self._chats.forget(chat)

    async def usage(self, chat: str) -> list[str]:
        """What the chat has used today and this month, a line each."""
        today = self._clock().date()
        lines = []
        for name, first in (("Today", today), ("This month", today.replace(day=1))):
            used = [Spent(*row) for row in await self._chats.spent(first, today, chat)]
            lines.append(f"{name}: {self._said(used)}")
        if self._limit:
            lines.append(f"A day has {self._limit:,} tokens; after that I quote and do not write.")
        return lines

    def _said(self, used: list[Spent]) -> str:
        if not used:
            return "no tokens of a chat model."
        parts = []
        for each in used:
            price = self._prices.get(each.model.rpartition(":")[2])
            cost = f", about ${price.of(each):.2f}" if price else ""
            cached = f" ({each.cached:,} of them cached)" if each.cached else ""
            parts.append(f"{each.model}: {each.input:,} in{cached}, {each.output:,} out{cost}")
        total = sum(each.input + each.output for each in used)
        return f"{total:,} tokens. {'; '.join(parts)}."
