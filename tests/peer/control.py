"""What a test does to the server: writes to the bot, taps, breaks things, reads replies."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web

from tests.peer import schema
from tests.peer.faults import Fault
from tests.peer.formatting import automatic
from tests.peer.server import Call, Message, Server, chat_object

TOKEN = "123456:TEST-token_abcdefghijklmnopqrstuv"
SENDS = frozenset({"sendMessage", "sendDocument"})
_QUERIES = itertools.count(1000)


class Peer:
    """Telegram and its people."""

    def __init__(self, server: Server, url: str) -> None:
        self.server = server
        self.url = url
        self.token = TOKEN

    @property
    def username(self) -> str:
        """The bot's name, without @."""
        return str(self.server.bot(self.token)["username"])

    # People

    async def message(self, chat: int, text: str = "", *, user: int = 0, **more: Any) -> int:
        """A person writes; gives the id of the update."""
        return await self.deliver({"message": self.written(chat, text, user=user, **more)})

    async def edited(self, chat: int, text: str, *, message_id: int = 0) -> int:
        """A person changes what they wrote."""
        message = self.written(chat, text)
        message["message_id"] = message_id or message["message_id"]
        message["edit_date"] = message["date"]
        return await self.deliver({"edited_message": message})

    async def tap(self, call: Call, label: str, *, user: int = 0, query: str = "") -> int:
        """A person taps the first button whose label holds these words."""
        button = next(b for row in call.buttons for b in row if label in b["text"])
        return await self.tap_data(call, button["callback_data"], user=user, query=query)

    async def tap_data(self, call: Call, data: str, *, user: int = 0, query: str = "") -> int:
        """A person taps a button of a message that carries this data."""
        query = query or str(next(_QUERIES))
        self.server.queries.add(query)
        update = {
            "callback_query": {
                "id": query,
                "from": person(user or abs(call.chat)),
                "chat_instance": "1",
                "data": data,
                "message": call.result,
            }
        }
        return await self.deliver(update)

    async def deliver(self, update: dict[str, Any]) -> int:
        """Queue any kind of update as it stands."""
        self.server.note(schema.update_violation(update))
        return int(await self.server.enqueue_update(update, token=self.token))

    def written(self, chat: int, text: str, *, user: int = 0, **more: Any) -> Message:
        """A message as Telegram would tell of it, kept so that it can be replied to."""
        message: Message = {
            "message_id": self.server.fresh_id(),
            "date": int(time.time()),
            "chat": chat_object(chat),
            "from": person(user or abs(chat)),
            **more,
        }
        if text:
            message["text"] = text
            if "entities" not in message and (found := automatic(text)):
                message["entities"] = found
        return self.server.keep(message)

    # Trouble

    def fail(self, method: str, code: int, description: str, **more: Any) -> Fault:
        """The next calls of a method fail; see `Fault`. `retry_after` waits for so many seconds."""
        parameters = {k: more.pop(k) for k in ("retry_after",) if k in more}
        fault = Fault(method, code, description, parameters=parameters, **more)
        self.server.faults.append(fault)
        return fault

    def block(self, chat: int) -> None:
        """The person blocks the bot."""
        self.server.blocked.add(chat)

    def unblock(self, chat: int) -> None:
        """The person lets the bot in again."""
        self.server.blocked.discard(chat)

    def upgrade(self, group: int, supergroup: int) -> None:
        """A group becomes a supergroup."""
        self.server.moved[group] = supergroup

    # What came of it

    @property
    def violations(self) -> list[schema.Violation]:
        """What breaks the schema of the Bot API; a test leaves it empty."""
        return self.server.violations

    def calls(self, method: str = "", chat: int = 0) -> list[Call]:
        """Calls so far, failed ones too, oldest first."""
        return [
            call
            for call in self.server.calls
            if (not method or call.method == method) and (not chat or call.chat == chat)
        ]

    def replies(self, chat: int) -> list[Call]:
        """Messages that reached a chat, oldest first."""
        return [c for c in self.calls(chat=chat) if c.method in SENDS and c.status == 200]

    async def wait_until(self, holds: Callable[[], Any], seconds: float = 20) -> Any:
        """Wait for calls until something holds, and give it.

        Raises:
            TimeoutError: it did not come to hold.
        """
        async with asyncio.timeout(seconds), self.server.news:
            return await self.server.news.wait_for(holds)

    async def reply(self, chat: int, after: int = 0, seconds: float = 20) -> Call:
        """The reply that follows the first `after` ones."""
        await self.wait_until(lambda: len(self.replies(chat)) > after, seconds)
        return self.replies(chat)[after]

    async def ask(self, chat: int, text: str, *, user: int = 0, seconds: float = 20) -> Call:
        """Write, and wait for the first message that answers."""
        before = len(self.replies(chat))
        await self.message(chat, text, user=user)
        return await self.reply(chat, before, seconds)


def person(user: int) -> dict[str, Any]:
    """A Telegram account."""
    return {"id": user, "is_bot": False, "first_name": "Ada", "language_code": "en"}


@asynccontextmanager
async def running_peer() -> AsyncIterator[Peer]:
    """A server on a free port of loopback."""
    server = Server()
    runner = web.AppRunner(server.app(), access_log=None, shutdown_timeout=0.5)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    try:
        yield Peer(server, f"http://127.0.0.1:{port}")
    finally:
        await runner.cleanup()
