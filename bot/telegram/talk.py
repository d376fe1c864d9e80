"""What a chat's words and taps come to: the reply, as parts to be sent."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bot.answer import Answer, Sentence
from bot.assistant.allowance import Allowance
from bot.assistant.assistant import Written
from bot.chats.store import Chats
from bot.commands import Command, CommandError, Turn, command, forget, help_lines
from bot.digests.verbs import Digests
from bot.telegram.digest import render_preview
from bot.telegram.drafts import nobody
from bot.telegram.render import Part, choice, line, parts, render
from bot.telegram.rich import Span
from index.library import Library

MAX_QUESTION = 8000
TOO_LONG = (
    "That message has {:,} characters, and I read at most {:,} at a time. Ask about one thing, "
    "or send a paper's title, id or link in place of its text."
)
TEXT_ONLY = "I read text only: write a question, a topic, or the title, id or link of a paper."
NEW = "A new conversation: what was said before is forgotten."
NOTHING_RUNS = "Nothing is running, so there is nothing to cancel."
UNKNOWN = "I know no command /{}. /help shows those I know."
OLD_BUTTON = "That button is too old for me to remember. Ask for the list again, then tap there."
ALONE = "I have nothing to compare {} with yet. Find a few papers first, as in /find TOPIC."
WELCOME = (
    "I am Footnote, a research assistant over a library of papers. I find, summarise, compare and "
    "recommend them, and every sentence I say about a paper carries a footnote to the sentence "
    "of its abstract that supports it."
)
HOW = "Write a question, a topic, or the title, id or link of a paper. Or:"
IN_GROUPS = (
    "In a group I answer commands, replies to me and messages that mention me; "
    "by Telegram's privacy mode I see no others."
)
_TOOLS = {"summary": "summarise", "similar": "similar", "show": "show"}


Show = Callable[[Sequence[Sentence]], Awaitable[None]]
"""Is given the sentences of a reply that stand so far."""


@dataclass(frozen=True, slots=True)
class Talk:
    """The verbs of the other rooms, as one chat calls them."""

    library: Library
    assistant: Allowance
    chats: Chats
    digests: Digests

    async def say(self, chat: str, text: str, show: Show = nobody) -> list[Part]:
        """Answer free text; `show` is told what stands while it is written."""
        return await self._ask(chat, Turn(text, None), show)

    async def command(self, chat: str, name: str, arguments: str) -> list[Part]:
        """Follow a command; what cannot be followed is said in a line."""
        known = command(name)
        if known is None:
            return line(UNKNOWN.format(name))
        try:
            return await self._follow(chat, known, arguments)
        except CommandError as error:
            return line(str(error))

    async def tap(self, chat: str, tap: dict[str, Any] | None) -> list[Part]:
        """Do what a button says; an unknown one is one of long ago."""
        match tap:
            case {"verb": "choose", "paper": str(handle), "others": list(others)}:
                return await self._choose(handle, [(str(h), str(t)) for h, t in others])
            case {"verb": "compare", "papers": list(handles)}:
                words = f"compare {' and '.join(map(str, handles))}"
                return await self._ask(chat, Turn(words, ("compare", {"papers": handles})))
            case {"verb": str(verb), "paper": str(handle)} if verb in _TOOLS:
                tool = _TOOLS[verb]
                return await self._ask(chat, Turn(f"{verb} {handle}", (tool, {"paper": handle})))
            case _:
                return line(OLD_BUTTON)

    async def _follow(self, chat: str, known: Command, arguments: str) -> list[Part]:
        if known.turn:
            return await self._ask(chat, known.turn(arguments))
        match known.name:
            case "new":
                await self.assistant.new(chat)
                return line(NEW)
            case "cancel":
                # The stopped turn says so itself.
                return [] if self.assistant.cancel(chat) else line(NOTHING_RUNS)
            case "usage":
                return line("\n".join(await self.assistant.usage(chat)))
            case "forget":
                return line(await forget(self.assistant, chat, arguments))
            case "digest":
                reply = await self.digests.handle_digest(chat, arguments)
                return render_preview(reply.lines, reply.preview)
            case "stop":
                return line(await self.digests.handle_stop(chat))
            case "start":
                return _help(WELCOME)
            case _:
                return _help()

    async def _ask(self, chat: str, turn: Turn, show: Show = nobody) -> list[Part]:
        if len(turn.text) > MAX_QUESTION:
            return line(TOO_LONG.format(len(turn.text), MAX_QUESTION))
        answer: Answer | None = None
        async for event in self.assistant.stream(chat, turn.text, call=turn.call):
            if isinstance(event, Written):
                await show(event.sentences)
            elif isinstance(event, Answer):
                answer = event
        assert answer is not None  # noqa: S101 - the stream ends with one
        return render(answer)

    async def _choose(self, handle: str, others: list[tuple[str, str]]) -> list[Part]:
        """Ask which paper to compare with: one of the same list, else one that is close."""
        if not others:
            paper = await asyncio.to_thread(self.library.get, handle)
            close = await asyncio.to_thread(self.library.similar, paper.id, 5) if paper else []
            others = [(hit.paper.handle, hit.paper.title) for hit in close]
        return choice(handle, others) if others else line(ALONE.format(handle))


def _help(greeting: str = "") -> list[Part]:
    commands = "\n".join(f"{usage} — {text}" for usage, text in help_lines(left_out={"start"}))
    paragraphs = [greeting, f"{HOW}\n{commands}", IN_GROUPS]
    return parts([Span("\n\n".join(paragraph for paragraph in paragraphs if paragraph))])
