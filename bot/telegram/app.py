"""The bot on Telegram: opened, run until it is told to stop, closed."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import signal
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from typing import Any

from telegram import BotCommand, Update
from telegram.error import Conflict, InvalidToken, NetworkError, TelegramError
from telegram.ext import AIORateLimiter, Application, ApplicationBuilder, ExtBot
from telegram.request import HTTPXRequest

from bot.assistant.allowance import Allowance
from bot.assistant.assistant import Assistant
from bot.chats.store import Chats
from bot.commands import COMMANDS
from bot.digests.following import Following, following_of
from bot.digests.service import DigestService
from bot.digests.verbs import Digests
from bot.settings import Settings
from bot.telegram.access import Access
from bot.telegram.digest import render_digest
from bot.telegram.following import SyncCommand
from bot.telegram.handlers import Handlers, is_cancel
from bot.telegram.inbox import Inbox
from bot.telegram.processor import ChatOrder
from bot.telegram.redaction import keep_out_of_logs
from bot.telegram.sender import Sender
from bot.telegram.talk import Talk
from index.library import Library

TICK_SECONDS = 20
"""How often it is looked at which digests are due, and what could not be sent before."""
TIDY_SECONDS = 3600
SYNC_SECONDS = 600
"""How often it is looked at which sources have not been read for long."""
SOON_SECONDS = 0.5
POLL_SECONDS = 10
CONFLICTS = 3
"""So many 409 in a row, and this process gives way to the other one."""
CONFLICTS_APART = 60.0
"""Seconds after which a 409 is no longer in a row with the last."""
FAREWELL_SECONDS = 7.0
"""A turn in work may finish for so long after SIGTERM; else it is begun again at the next start.
Ten are what most supervisors allow."""
KINDS = ["message", "callback_query", "my_chat_member"]

WRONG_TOKEN = "Telegram does not know this TELEGRAM_TOKEN; copy it again from @BotFather."  # noqa: S105
TWO_POLLERS = (
    "Another process runs this bot (Telegram answers 409 Conflict). "
    "Stop that one, or give this one a token of its own."
)

App = Application[Any, Any, Any, Any, Any, Any]

log = logging.getLogger(__name__)


async def run(settings: Settings) -> int:
    """Run the bot until SIGINT or SIGTERM, and return the exit code.

    0 when it was told to stop, 1 when another process polls with the same token, 2 when Telegram
    does not know the token.
    """
    token = _token(settings)
    keep_out_of_logs(token)
    if not re.fullmatch(r"\d+:[\w-]+", token, re.ASCII):
        _say(WRONG_TOKEN)
        return 2
    async with AsyncExitStack() as stack:
        library = await asyncio.to_thread(
            Library.open_or_bundled, settings.library_dir, settings.embeddings
        )
        stack.callback(library.close)
        chats = await Chats.open(settings.database_url)
        stack.push_async_callback(chats.close)
        assistant = await stack.enter_async_context(
            Assistant.open(settings, library, checkpoints=settings.history_file)
        )
        return await TelegramBot(settings, library, assistant, chats).run()


class TelegramBot:
    """One bot over rooms that are open already."""

    def __init__(
        self, settings: Settings, library: Library, assistant: Assistant, chats: Chats
    ) -> None:
        def now() -> datetime:
            return datetime.now(UTC)

        self._chats = chats
        self._admins = settings.admins
        self._bot = _Bot(settings, self._on_wrong_token)
        self._sender = Sender(self._bot, chats)
        self._order = ChatOrder(
            chats, self._sender, lambda update: is_cancel(update, self._bot.username)
        )
        self._inbox = Inbox(chats, Access(settings), self._turn_away)
        digests = Digests(chats, library, settings.timezone, now)
        self._following: Following = following_of(settings, library, now)
        self._service = DigestService(
            chats,
            library,
            now,
            send=self._sender.send_soon,
            render=render_digest,
            news=self._following,
        )
        allowance = Allowance(assistant, chats, settings.daily_tokens, settings.prices, now)
        talk = Talk(library, allowance, chats, digests)
        self._application: App = (
            ApplicationBuilder()
            .bot(self._bot)
            .update_queue(self._inbox)
            .concurrent_updates(self._order)
            .build()
        )
        SyncCommand(self._following, chats, settings.admins).register(self._application)
        Handlers(talk, chats).register(self._application)
        self._ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._conflicts: list[float] = []

    async def run(self) -> int:
        """Poll until told to stop."""
        with _signals(lambda: self._end(0)):
            if not await self._initialize():
                return self._ended.result()
            try:
                await self._start()
                return await self._ended
            finally:
                await self._stop()

    def _on_wrong_token(self) -> None:
        if not self._ended.done():
            _say(WRONG_TOKEN)
            self._end(2)

    def _end(self, code: int) -> None:
        if not self._ended.done():
            self._ended.set_result(code)

    async def _initialize(self) -> bool:
        """Log in, however long Telegram cannot be reached; False where it ends before."""
        wait = 1.0
        while not self._ended.done():
            try:
                await self._application.initialize()
            except InvalidToken:
                self._on_wrong_token()
            except NetworkError as error:
                log.warning("Telegram cannot be reached (%s); again in %.0f s", error, wait)
                await asyncio.wait([self._ended], timeout=wait)
                wait = min(wait * 2, 30.0)
            else:
                return True
        return False

    async def _start(self) -> None:
        with contextlib.suppress(TelegramError):
            await self._bot.set_my_commands(
                [BotCommand(command.name, command.help) for command in COMMANDS]
            )
        if waiting := await self._inbox.restore(self._bot):
            log.info("%d messages wait from before", waiting)
        await self._application.start()
        self._repeat(self._resend, TICK_SECONDS)
        self._repeat(self._deliver_digests, TICK_SECONDS)
        self._repeat(self._tidy, TIDY_SECONDS)
        self._repeat(self._sync, SYNC_SECONDS)
        updater = self._application.updater
        assert updater is not None  # noqa: S101 - built with one
        await updater.start_polling(
            timeout=POLL_SECONDS,
            allowed_updates=KINDS,
            bootstrap_retries=-1,
            error_callback=self._on_polling_error,
        )
        log.info("@%s is listening", self._bot.username)

    def _repeat(self, job: Callable[[object], Coroutine[Any, Any, None]], seconds: float) -> None:
        queue = self._application.job_queue
        assert queue is not None  # noqa: S101 - a dependency of ours
        # Late runs still run: a laptop that slept over the hour of a digest has one on waking.
        options = {"misfire_grace_time": None, "coalesce": True, "max_instances": 1}
        # A first run "now" is past by the time it is scheduled, and would come one period later.
        queue.run_repeating(job, seconds, first=SOON_SECONDS, job_kwargs=options)

    async def _resend(self, _context: object) -> None:
        await self._order.send_unfinished()

    async def _deliver_digests(self, _context: object) -> None:
        await self._service.tick()

    async def _sync(self, _context: object) -> None:
        await self._following.tick()
        for warning in await asyncio.to_thread(self._following.warnings):
            for admin in self._admins:
                try:
                    await self._bot.send_message(admin, f"A source needs a look. {warning}")
                except TelegramError as error:
                    log.warning("admin %s is not told: %s", admin, error)

    async def _tidy(self, _context: object) -> None:
        await self._chats.tidy()

    async def _stop(self) -> None:
        """Let the turns in work finish for a while; what waits stays in the inbox."""
        self._order.stopping = True
        self._bot.leave()
        self._sender.hurry.set()
        stopping = asyncio.create_task(self._stop_application())
        following = asyncio.create_task(self._following.close())
        if not (await asyncio.wait([stopping], timeout=FAREWELL_SECONDS))[0]:
            log.warning("what is still in work is cut off, and begun again at the next start")
            await self._order.abandon()
            await asyncio.wait([stopping], timeout=1.0)
        if not stopping.done():
            stopping.cancel()
        with contextlib.suppress(TelegramError, RuntimeError, asyncio.CancelledError):
            await stopping
        await following

    async def _stop_application(self) -> None:
        application = self._application
        if application.updater and application.updater.running:
            await application.updater.stop()
        if application.running:
            await application.stop()
        await application.shutdown()

    def _on_polling_error(self, error: TelegramError) -> None:
        if not isinstance(error, Conflict):
            log.warning("polling: %s", error)
            return
        now = time.monotonic()
        recent = [moment for moment in self._conflicts if now - moment < CONFLICTS_APART]
        self._conflicts = [*recent, now]
        log.debug("polling: another process uses this token")
        if len(self._conflicts) >= CONFLICTS and not self._ended.done():
            _say(TWO_POLLERS)
            self._end(1)

    async def _turn_away(self, update: Update, words: str) -> None:
        user = update.effective_user
        assert user is not None  # noqa: S101 - a stranger is somebody
        log.info("user %s is not admitted", user.id)
        try:
            await self._bot.send_message(user.id, words)
        except TelegramError as error:
            log.debug("a stranger is not told: %s", error)


class _Bot(ExtBot[int]):
    """A bot that says when its token is revoked, after which the updater polls no more."""

    def __init__(self, settings: Settings, on_revoked: Callable[[], None]) -> None:
        super().__init__(
            _token(settings),
            base_url=f"{settings.telegram_api_url}/bot",
            base_file_url=f"{settings.telegram_api_url}/file/bot",
            # A time-out may hide a message that arrived, so it is long.
            request=HTTPXRequest(connection_pool_size=64, pool_timeout=30.0, read_timeout=30.0),
            get_updates_request=HTTPXRequest(connection_pool_size=1, read_timeout=10.0),
            rate_limiter=AIORateLimiter(),
        )
        self._on_revoked = on_revoked
        self._leaving = False

    def leave(self) -> None:
        """Fetch nothing more: neither the last call of an updater that stops, which would only
        confirm what is stored, nor one that takes the turn of another process."""
        self._leaving = True

    async def get_updates(self, *args: Any, **options: Any) -> tuple[Update, ...]:
        """Fetch updates; see the base class."""
        if self._leaving:
            return ()
        try:
            return await super().get_updates(*args, **options)
        except InvalidToken:
            self._on_revoked()
            raise


def _say(words: str) -> None:
    """The one line a person reads, whatever the level of the log."""
    print(words, file=sys.stderr)  # noqa: T201


def _token(settings: Settings) -> str:
    assert settings.telegram_token is not None  # noqa: S101 - asked before coming here
    return settings.telegram_token.get_secret_value()


@contextlib.contextmanager
def _signals(stop: Callable[[], None]) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    handled = (signal.SIGINT, signal.SIGTERM)
    for number in handled:
        # Windows has no handlers on its loop; there Ctrl-C cancels the run.
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, stop)
    try:
        yield
    finally:
        for number in handled:
            with contextlib.suppress(NotImplementedError):
                loop.remove_signal_handler(number)
