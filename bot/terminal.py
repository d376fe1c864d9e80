"""The conversation in a terminal."""

from __future__ import annotations

import asyncio
import contextlib
import io
import logging
import signal
import sys
from collections.abc import AsyncIterator, Callable
from typing import Any, Protocol

import rich.console
from rich.console import Group
from rich.live import Live
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from bot import plain
from bot.answer import (
    Answer,
    Block,
)
from bot.commands import CommandError, Turn, command, forget, help_lines, parse
from bot.console import Page, print_answer

PROMPT = "› "
WELCOME = "Ask about papers in your own words. /help shows what else you can write; Ctrl-D leaves."
STOPPED = "Stopped."
NEW = "A new conversation: what was said before is forgotten."
NOTHING_RUNS = "Nothing is running. Ctrl-C stops a reply while it is made."
BYE = "Bye."
NO_DIGESTS = "Digests are not available here."
NO_DELIVERY = (
    "Nothing arrives in the terminal by itself: python -m bot digest --chat {} shows what is due."
)
TOO_LONG = "That line has {:,} characters, and I read at most {:,} at a time. Ask about one thing."
FAILED = "Something went wrong while I worked on that ({}). Ask again, or /new begins afresh."
MAX_LINE = 8000
_EXTRA = (("/quit", "Leave (also Ctrl-D)"), ("Ctrl-C", "Stop the reply that is being made"))

log = logging.getLogger(__name__)


class Talker(Protocol):
    """What the terminal needs of an assistant."""

    def stream(
        self, chat: str, text: str, *, call: tuple[str, dict[str, Any]] | None = None
    ) -> AsyncIterator[Any]:
        """Things with a `label` while a tool runs, each block as it is ready, the Answer last."""

    async def new(self, chat: str) -> None:
        """Forget the conversation."""

    async def forget(self, chat: str) -> None:
        """Erase everything of the chat."""

    async def usage(self, chat: str) -> list[str]:
        """Lines on what the chat has used."""


class DigestReply(Protocol):
    """Lines to show, then a digest as it would look."""

    @property
    def lines(self) -> tuple[str, ...]: ...

    @property
    def preview(self) -> Any: ...


class DigestVerbs(Protocol):
    """What the terminal needs of digests."""

    async def handle_digest(self, chat: str, args: str) -> Any:
        """Do what the words after `/digest` ask for."""

    async def handle_stop(self, chat: str) -> str:
        """End the digest."""


class Console:
    """The conversation in a terminal, or over lines of standard input where that is none."""

    def __init__(
        self,
        digests: DigestVerbs | None = None,
        out: rich.console.Console | None = None,
        read: Callable[[], str] | None = None,
        known_errors: tuple[type[Exception], ...] = (),
    ) -> None:
        self._digests = digests
        self._interactive = sys.stdin.isatty() if read is None else True
        self._out = out or rich.console.Console(highlight=False)
        self._read = read or (_prompted if self._interactive else _piped)
        self._known_errors = known_errors

    async def run(self, assistant: Talker, chat: str = "terminal") -> None:
        """Talk until the person leaves."""
        if self._interactive:
            self._say(WELCOME, style="dim")
        while True:
            try:
                line = self._read()
            except KeyboardInterrupt:
                self._out.print()
                continue
            except EOFError:
                break
            if line.strip() and not await self._answer(assistant, chat, line.strip()):
                break
        if self._interactive:
            self._say(BYE, style="dim")

    async def _answer(self, assistant: Talker, chat: str, line: str) -> bool:
        """Answer one line; False where the person leaves."""
        if len(line) > MAX_LINE:
            self._say(TOO_LONG.format(len(line), MAX_LINE), style="yellow")
            return True
        written = parse(line)
        try:
            if written is None:
                await self._turn(assistant, chat, Turn(line, None))
                return True
            return await self._command(assistant, chat, *written)
        except CommandError as error:
            self._say(str(error), style="yellow")
        except Exception as error:  # noqa: BLE001 - the conversation goes on, whatever happened
            self._say(self._in_words(error), style="yellow")
        return True

    def _in_words(self, error: Exception) -> str:
        log.debug("a turn failed", exc_info=error)
        if isinstance(error, self._known_errors):
            return str(error)
        return FAILED.format(type(error).__name__)

    async def _command(self, assistant: Talker, chat: str, name: str, words: str) -> bool:
        known = command(name)
        if name in {"quit", "exit"}:
            return False
        if known is None:
            raise CommandError(f"I know no command /{name}. /help shows those I know.")
        if known.turn:
            await self._turn(assistant, chat, known.turn(words))
            return True
        match known.name:
            case "new":
                await assistant.new(chat)
                self._say(NEW)
            case "cancel":
                self._say(NOTHING_RUNS)
            case "forget":
                self._say(await forget(assistant, chat, words))
            case "usage":
                for text in await assistant.usage(chat):
                    self._say(text)
            case "digest" | "stop":
                await self._digest(known.name, chat, words)
            case _:
                self._help()
        return True

    def _help(self) -> None:
        self._say("Write a question, a topic, or the title, id or link of a paper. Or:")
        table = Table.grid(padding=(0, 2))
        for name, text in help_lines(left_out={"start", "cancel"}, extra=_EXTRA):
            table.add_row(Text(f"  {name}", style="cyan", no_wrap=True), text)
        self._out.print(table)

    async def _digest(self, name: str, chat: str, words: str) -> None:
        if self._digests is None:
            raise CommandError(NO_DIGESTS)
        if name == "stop":
            self._say(await self._digests.handle_stop(chat))
            return
        from bot.digests.plain import lines

        reply: DigestReply = await self._digests.handle_digest(chat, words)
        for text in (*reply.lines, *([NO_DELIVERY.format(chat)] if reply.preview else [])):
            self._say(text)
        if reply.preview:
            self._out.print()
            for text in lines(reply.preview):
                self._say(text)

    async def _turn(self, assistant: Talker, chat: str, turn: Turn) -> None:
        """One turn, which Ctrl-C stops."""
        task = asyncio.ensure_future(self._show(assistant, chat, turn))
        loop = asyncio.get_running_loop()
        # Not every platform and thread has signal handlers on its loop.
        with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(signal.SIGINT, task.cancel)
        try:
            await task
        except asyncio.CancelledError:
            if not task.cancelled():
                task.cancel()
                raise
            self._say(STOPPED, style="yellow")
        finally:
            with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                loop.remove_signal_handler(signal.SIGINT)

    async def _show(self, assistant: Talker, chat: str, turn: Turn) -> None:
        """Print the blocks of a turn as they come, and its footnotes at the end."""
        if not self._out.is_terminal:
            async for event in assistant.stream(chat, turn.text, call=turn.call):
                if isinstance(event, Answer):
                    print_answer(event, self._out)
                    self._out.print()
            return
        page = Page(self._out)
        spinner = Spinner("dots", "thinking…")
        # What is written so far makes way for the reply, which has its footnotes.
        with Live(spinner, console=self._out, transient=True, refresh_per_second=8) as live:
            async for event in assistant.stream(chat, turn.text, call=turn.call):
                if isinstance(event, Answer):
                    for block in event.blocks:
                        if block not in page.blocks:
                            page.block(block)
                elif isinstance(event, Block):
                    live.update(spinner)
                    page.block(event)
                elif label := plain.line(str(getattr(event, "label", ""))):
                    spinner.update(text=f"{label}…")
                elif sentences := getattr(event, "sentences", ()):
                    said = " ".join(plain.said(sentence) for sentence in sentences)
                    live.update(Group(Text(said, style="dim"), spinner))
        page.end()
        self._out.print()

    def _say(self, text: str, style: str = "") -> None:
        self._out.print(Text(plain.line(text), style=style), soft_wrap=not self._out.is_terminal)


def _prompted() -> str:
    """A line from the person. It waits in the loop's own thread, since between turns nothing else
    runs, and so that Ctrl-C reaches it and the terminal is left as it was."""
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        # Gives `input` line editing and history.
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401
        return input(PROMPT)
    finally:
        signal.signal(signal.SIGINT, handler)


def _piped() -> str:
    if isinstance(sys.stdin, io.TextIOWrapper) and sys.stdin.errors == "strict":
        sys.stdin.reconfigure(errors="replace")
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line
