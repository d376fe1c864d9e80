"""Assistant: build the agent, ask it, stream it, cancel it."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.answer import Answer, Block, Notice, Sentence
from bot.assistant.artifacts import FoundPaper, artifacts_of, last_turn
from bot.assistant.compose import BUNDLED, QUOTES_ONLY, answer_of
from bot.assistant.continuing import Continuing
from bot.assistant.draft import Draft
from bot.assistant.extractive import NAME, Extractive
from bot.assistant.history import move, open_saver, prune
from bot.assistant.models import ModelError, chosen, load
from bot.assistant.turn import UNSAVED, Turn, finished
from bot.settings import Settings
from index.library import Library
from index.paper import Paper

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage
    from langgraph.checkpoint.base import BaseCheckpointSaver

__all__ = ["Assistant", "Event", "ModelError", "Working", "Written"]

STEPS = 80
"""Steps of the graph; each model call is several, one a middleware."""
SECONDS = 120.0
"""A turn's time at most."""

STOPPED = "Stopped."
TOO_LONG = (
    "That took longer than {:.0f} seconds, so I stopped. Ask about less at a time, or try again."
)
BROKEN = "Something went wrong on my side, and this question has no answer. Try again."

LABELS = {
    "search": "Searching",
    "show": "Looking it up",
    "answer": "Reading",
    "summarise": "Reading",
    "compare": "Comparing",
    "similar": "Looking around",
    "contrast": "Looking around",
    "survey": "Reading",
    "explain": "Reading",
}

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Working:
    """What is being done, while it is."""

    label: str


@dataclass(frozen=True, slots=True)
class Written:
    """What stands of the reply so far, while a model writes it; the Answer may say it better."""

    sentences: tuple[Sentence, ...]


Event = Working | Written
"""What is told while a turn runs."""


@dataclass(slots=True)
class _Lane:
    """One chat: a turn at a time."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    running: asyncio.Task[Answer] | None = None
    waiting: int = 0


class Assistant:
    """Answers the messages of many chats, each in its order, chats side by side."""

    def __init__(
        self,
        library: Library,
        agent: Any,
        saver: BaseCheckpointSaver[Any],
        *,
        seconds: float = SECONDS,
        quotes_only: bool = True,
        tokens: int = 0,
    ) -> None:
        self._library = library
        self._agent = agent
        self._saver = saver
        self._seconds = seconds
        self._quotes_only = quotes_only
        self._continuing = Continuing(agent, tokens)
        self._lanes: dict[str, _Lane] = {}

    @property
    def library(self) -> Library:
        """The papers it speaks of."""
        return self._library

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        settings: Settings,
        library: Library,
        *,
        model: BaseChatModel | None = None,
        checkpoints: Path | None = None,
        seconds: float = SECONDS,
        **given: Any,
    ) -> AsyncIterator[Assistant]:
        """Build the agent over a library; `model` stands in for the one of the settings.

        The history is kept in the file `checkpoints`, or in memory only where that is None.
        `given` is what a chat model is given of papers, as in `agent.build`.

        Raises:
            ModelError: a chat model of the settings cannot be used.
        """
        from bot.assistant.agent import build
        from bot.assistant.searching import today_in

        models = [model] if model is not None else []
        if model is None:
            for place, name in enumerate(chosen(settings)):
                # A server of one's own is the address of the first; fallbacks have their own.
                url = settings.chat_model_url if place == 0 else ""
                models.append(await asyncio.to_thread(load, name, url))
        async with AsyncExitStack() as stack:
            saver = await stack.enter_async_context(open_saver(checkpoints))
            agent = build(
                library,
                Extractive(library),
                models,
                saver,
                today=today_in(settings.timezone),
                **given,
            )
            assistant = cls(
                library, agent, saver, seconds=seconds, quotes_only=not models,
                tokens=settings.answer_tokens,
            )  # fmt: skip
            stack.push_async_callback(assistant._stop_all)
            yield assistant

    async def ask(
        self, chat: str, text: str, *, call: tuple[str, dict[str, Any]] | None = None
    ) -> Answer:
        """Answer one message; `call` is a tool a command or a button decided on."""
        answer: Answer | None = None
        async for event in self.stream(chat, text, call=call):
            if isinstance(event, Answer):
                answer = event
        assert answer is not None  # noqa: S101 - the stream ends with one
        return answer

    async def stream(
        self,
        chat: str,
        text: str,
        *,
        call: tuple[str, dict[str, Any]] | None = None,
        spent: int = 0,
    ) -> AsyncIterator[Event | Block | Answer]:
        """What is being done, each block as it is ready, and the whole answer last.

        `spent` is the day's limit of tokens where it is reached: then no chat model is asked.
        """
        lane = self._lanes.setdefault(chat, _Lane())
        lane.waiting += 1
        events: asyncio.Queue[Event | None] = asyncio.Queue()
        try:
            async with lane.lock:
                turn = Turn(
                    call=call,
                    quotes_only=self._quotes_only,
                    limit=spent,
                    ends=time.monotonic() + self._seconds,
                )
                task = asyncio.create_task(self._answer(chat, text, turn, events))
                lane.running = task
                task.add_done_callback(lambda _: events.put_nowait(None))
                try:
                    while (event := await events.get()) is not None:
                        yield event
                    answer = await _result(task)
                finally:
                    lane.running = None
                    if not task.done():
                        task.cancel()
                        await asyncio.wait([task])
        finally:
            lane.waiting -= 1
            if not lane.waiting:
                self._lanes.pop(chat, None)
        for block in answer.blocks:
            yield block
        yield answer

    def cancel(self, chat: str) -> bool:
        """Stop what is being done for a chat; False where nothing is."""
        lane = self._lanes.get(chat)
        if lane is None or lane.running is None:
            return False
        return lane.running.cancel()

    async def new(self, chat: str) -> None:
        """Forget the conversation of a chat."""
        self.cancel(chat)
        lane = self._lanes.setdefault(chat, _Lane())
        lane.waiting += 1
        try:
            async with lane.lock:
                await self._saver.adelete_thread(_thread(chat))
        finally:
            lane.waiting -= 1
            if not lane.waiting:
                self._lanes.pop(chat, None)

    async def move(self, old: str, new: str) -> None:
        """Take a conversation along to another id; one that is there already is replaced."""
        await move(self._saver, _thread(old), _thread(new))

    async def meant(self, chat: str, words: str) -> list[Paper]:
        """The papers that words mean in a conversation; none where they name none."""
        from bot.assistant.pointing import meant

        state = await self._agent.aget_state(self._config(chat))
        messages = state.values.get("messages", [])
        return await asyncio.to_thread(meant, self._library, messages, words)

    async def show(self, chat: str, query: str, papers: Sequence[FoundPaper]) -> None:
        """Put a list on the screen of a conversation, so that "the second one" is of it."""
        from bot.assistant.pointing import on_screen

        values = {"messages": on_screen(query, papers)}
        await self._agent.aupdate_state(self._config(chat), values)

    async def _stop_all(self) -> None:
        running = [lane.running for lane in self._lanes.values() if lane.running]
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running)

    async def _answer(
        self,
        chat: str,
        text: str,
        turn: Turn,
        events: asyncio.Queue[Event | None],
    ) -> Answer:
        from langgraph.errors import GraphRecursionError

        begun, config = time.monotonic(), self._config(chat)
        try:
            async with asyncio.timeout(self._seconds):
                if not turn.call and (more := await self._continuing.reply(config, text)):
                    await self._prune(chat)
                    return more
                state = await self._run(chat, text, turn, events)
        except TimeoutError:
            return await self._cut_short(chat, text, turn, begun, TOO_LONG.format(self._seconds))
        except GraphRecursionError:
            from bot.assistant.guard import LIMIT

            return await self._cut_short(chat, text, turn, begun, LIMIT)
        except Exception:
            # Whatever a provider's package raises: the person gets a line, the log the rest.
            log.exception("a turn failed")
            return await self._cut_short(chat, text, turn, begun, BROKEN)
        turn.model = turn.model or NAME
        messages = last_turn(state["messages"])
        once = [UNSAVED] if turn.unsaved else await self._due(chat, turn, state)
        found, seconds = artifacts_of(messages), time.monotonic() - begun
        answer = answer_of(turn, found, _tools(messages), once=once, seconds=seconds)
        if not turn.unsaved:
            answer = await self._continuing.cut(config, answer)
            await self._prune(chat)
        return answer

    async def _run(
        self, chat: str, text: str, turn: Turn, events: asyncio.Queue[Event | None]
    ) -> dict[str, Any]:
        from langchain_core.messages import HumanMessage

        state: dict[str, Any] = {}
        draft = Draft(self._continuing.tokens)
        stream = self._agent.astream(
            {"messages": [HumanMessage(text)], "left": {}},
            self._config(chat),
            context=turn,
            stream_mode=["updates", "values", "messages"],
            # Written once, also where a turn is cut off: a write a step took a third of the turn.
            durability="exit",
        )
        try:
            async for mode, data in stream:
                if mode == "values":
                    state = data
                    continue
                if mode == "messages":
                    if written := await self._written(draft, data[0], state):
                        events.put_nowait(Written(written))
                    continue
                for update in data.values():
                    for message in (update or {}).get("messages", ()):
                        for call in getattr(message, "tool_calls", ()):
                            label = LABELS.get(call["name"])
                            if label:
                                events.put_nowait(Working(label))
        except sqlite3.OperationalError:
            # The history is written last: what was found and said is there without it.
            if not state or not finished(state["messages"]):
                raise
            log.exception("a turn was not written to the history")
            turn.unsaved = True
        return state

    async def _written(
        self, draft: Draft, piece: BaseMessage, state: dict[str, Any]
    ) -> tuple[Sentence, ...]:
        """More sentences of a model that stand, where this piece of its text brings any."""
        from langchain_core.messages import AIMessageChunk

        from bot.assistant.guard import retrieved

        if not isinstance(piece, AIMessageChunk) or not piece.text or not state:
            return ()
        here = last_turn(state["messages"])
        if not artifacts_of(here) or not draft.add(piece.id or "", piece.text):
            return ()
        sources = await asyncio.to_thread(retrieved, self._library, state["messages"])
        return await asyncio.to_thread(draft.standing, sources)

    async def _cut_short(
        self, chat: str, text: str, turn: Turn, begun: float, ending: str
    ) -> Answer:
        """What was found before the end came, under the reason for it."""
        turn.ending, turn.sentences, turn.said = ending, None, ""
        snapshot = await self._agent.aget_state(self._config(chat))
        messages = last_turn(snapshot.values.get("messages", []))
        if messages and messages[0].text != text:
            messages = []  # of the turn before: this one was not written
        found = [a for a in artifacts_of(messages) if not a.ends_turn]
        turn.model = turn.model or NAME
        return answer_of(turn, found, _tools(messages), seconds=time.monotonic() - begun)

    async def _due(self, chat: str, turn: Turn, state: dict[str, Any]) -> list[str]:
        """Notices that this conversation has not had yet."""
        noticed = set(state.get("noticed") or ())
        due: dict[str, str] = {}
        if self._library.bundled and artifacts_of(last_turn(state["messages"])):
            due["bundled"] = BUNDLED
        if turn.quotes_only:
            due["quotes"] = QUOTES_ONLY
        fresh = {name: text for name, text in due.items() if name not in noticed}
        if fresh:
            values = {"noticed": sorted(noticed | set(fresh))}
            await self._agent.aupdate_state(self._config(chat), values)
        return list(fresh.values())

    async def _prune(self, chat: str) -> None:
        """Keep the last checkpoint of a conversation; nobody goes back to the others."""
        await prune(self._saver, _thread(chat))

    @staticmethod
    def _config(chat: str) -> dict[str, Any]:
        return {"configurable": {"thread_id": _thread(chat)}, "recursion_limit": STEPS}


def _thread(chat: str) -> str:
    return f"chat:{chat}"


def _tools(messages: Sequence[BaseMessage]) -> list[str]:
    return [call["name"] for m in messages for call in getattr(m, "tool_calls", ())]


async def _result(task: asyncio.Task[Answer]) -> Answer:
    """The answer of a finished task; being cancelled is an answer too."""
    if task.cancelled():
        return Answer((Notice(STOPPED),))
    return await task
