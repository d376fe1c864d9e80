"""The conversation in a terminal."""

from __future__ import annotations

import asyncio
import io
import os
import re
import signal
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import rich.console

from bot.answer import Answer, Notice
from bot.console import print_answer
from bot.terminal import FAILED, NEW, STOPPED, Console
from tests.bot.replies import CARD, COMPARISON, LIST, NEXT, PROSE, answer

REPLY = answer(PROSE, LIST, NEXT)


@dataclass(frozen=True)
class Working:
    label: str


class BadLibrary(Exception):
    """An error a person can cause."""


@dataclass
class FakeAssistant:
    """Answers each message with a list of events, and notes what it was asked."""

    events: list[Any] = field(default_factory=lambda: [Working("Searching"), *REPLY.blocks, REPLY])
    asked: list[tuple[str, str, Any]] = field(default_factory=list)
    renewed: list[str] = field(default_factory=list)
    stopped: bool = False

    async def stream(
        self, chat: str, text: str, *, call: tuple[str, dict[str, Any]] | None = None
    ) -> AsyncIterator[Any]:
        self.asked.append((chat, text, call))
        for event in self.events:
            if isinstance(event, BaseException):
                raise event
            if event == "hang":
                # The person presses Ctrl-C while nothing comes.
                os.kill(os.getpid(), signal.SIGINT)
                try:
                    await asyncio.Event().wait()
                finally:
                    self.stopped = True
            yield event

    async def new(self, chat: str) -> None:
        self.renewed.append(chat)


@dataclass
class FakeDigests:
    async def handle_digest(self, chat: str, args: str) -> Any:
        @dataclass(frozen=True)
        class Reply:
            lines: tuple[str, ...]
            preview: None = None

        return Reply((f"digest for {chat}: {args}",))

    async def handle_stop(self, chat: str) -> str:
        return f"stopped {chat}"


def lines_of(*lines: str | type[BaseException]) -> Any:
    """A reader of these lines, then the end of the input."""
    waiting: Iterator[str | type[BaseException]] = iter(lines)

    def read() -> str:
        line = next(waiting, EOFError)
        if isinstance(line, str):
            return line
        raise line

    return read


def terminal(width: int = 100) -> rich.console.Console:
    return rich.console.Console(
        file=io.StringIO(),
        force_terminal=True,
        width=width,
        highlight=False,
        color_system="standard",
    )


def text_of(out: rich.console.Console) -> str:
    """What was printed, without colours, links and spinners."""
    assert isinstance(out.file, io.StringIO)
    return re.sub(r"\x1b\][^\x1b]*\x1b\\|\x1b\[[0-9;?]*[A-Za-z]|\r", "", out.file.getvalue())


async def talk(assistant: FakeAssistant, *lines: Any, width: int = 100, **more: Any) -> str:
    out = terminal(width)
    await Console(out=out, read=lines_of(*lines), **more).run(assistant)
    return text_of(out)


async def test_a_question_gets_its_blocks_once_and_the_footnotes_last() -> None:
    assistant = FakeAssistant()
    text = await talk(assistant, "which papers are fast?")
    assert assistant.asked == [("terminal", "which papers are fast?", None)]
    assert text.count("SlimCache is faster. [1]") == 1
    assert text.index("Two papers") < text.index("[1] “It raises throughput by 62.5%.”")
    assert "Searching…" in text
    assert "Next: /summary slimcache" in text


async def test_a_command_goes_to_its_tool_without_being_interpreted() -> None:
    assistant = FakeAssistant()
    await talk(assistant, "/find fast caches", "/summary slimcache", "/compare slimcache tabmirror")
    assert [call for _, _, call in assistant.asked] == [
        ("search", {"query": "fast caches"}),
        ("summarise", {"paper": "slimcache"}),
        ("compare", {"papers": ["slimcache", "tabmirror"]}),
    ]


async def test_help_new_and_quit() -> None:
    assistant = FakeAssistant()
    text = await talk(assistant, "/help", "/new", "/quit", "never read")
    assert "/find TOPIC" in text
    assert "/quit" in text
    assert NEW in text
    assert assistant.renewed == ["terminal"]
    assert assistant.asked == []


async def test_a_command_that_is_unknown_or_incomplete_costs_one_line() -> None:
    assistant = FakeAssistant()
    text = await talk(assistant, "/nonsense", "/compare slimcache", "   ")
    assert "I know no command /nonsense. /help shows those I know." in text
    assert "Compare which papers?" in text
    assert assistant.asked == []


async def test_a_fault_is_said_in_words_and_the_conversation_goes_on() -> None:
    assistant = FakeAssistant(events=[ValueError("secret internals")])
    text = await talk(assistant, "one", "two")
    assert text.count(FAILED.format("ValueError")) == 2
    assert "secret internals" not in text
    assert "Traceback" not in text


async def test_an_error_the_person_can_mend_is_shown_as_it_is() -> None:
    assistant = FakeAssistant(events=[BadLibrary("the library is gone; add papers first")])
    text = await talk(assistant, "one", known_errors=(BadLibrary,))
    assert "the library is gone; add papers first" in text


async def test_ctrl_c_stops_the_reply_and_not_the_conversation() -> None:
    assistant = FakeAssistant(events=[Working("Reading"), "hang", REPLY])
    text = await talk(assistant, "slow question", "/new")
    assert assistant.stopped
    assert STOPPED in text
    assert NEW in text


async def test_ctrl_c_at_the_prompt_begins_a_new_line() -> None:
    assistant = FakeAssistant()
    await talk(assistant, KeyboardInterrupt, "still here")
    assert len(assistant.asked) == 1


async def test_a_line_of_20000_characters_costs_one_line() -> None:
    assistant = FakeAssistant()
    text = await talk(assistant, "x" * 20_000)
    assert "20,000 characters" in text
    assert assistant.asked == []


async def test_digests_answer_to_their_commands() -> None:
    text = await talk(FakeAssistant(), "/digest 08:00 caches", "/stop", digests=FakeDigests())
    assert "digest for terminal: 08:00 caches" in text
    assert "stopped terminal" in text


async def test_an_assistant_that_streams_no_blocks_is_shown_as_well() -> None:
    text = await talk(FakeAssistant(events=[REPLY]), "hello")
    assert "SlimCache is faster. [1]" in text


async def test_lines_from_a_pipe_get_plain_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("first question\n\n/summary slimcache\n"))
    out = rich.console.Console(file=io.StringIO(), width=40, highlight=False)
    assistant = FakeAssistant()
    await Console(out=out).run(assistant)
    assert isinstance(out.file, io.StringIO)
    text = out.file.getvalue()
    assert len(assistant.asked) == 2
    assert "\x1b" not in text
    assert "›" not in text
    assert (
        text.count("SlimCache is faster. [1] TabMirror leaves the generator alone. [2][1]\n") == 2
    )


def test_papers_are_linked_where_the_terminal_knows_links() -> None:
    out = terminal()
    print_answer(REPLY, out)
    assert isinstance(out.file, io.StringIO)
    assert re.search(
        r"\x1b\]8;[^;]*;https://openreview\.net/forum\?id=abc\x1b\\", out.file.getvalue()
    )


def test_a_comparison_is_a_table_where_there_is_room_and_stacked_where_not() -> None:
    wide, narrow = terminal(120), terminal(50)
    print_answer(answer(COMPARISON), wide)
    print_answer(answer(COMPARISON), narrow)
    assert "│" in text_of(wide)
    assert "│" not in text_of(narrow)
    for out in (wide, narrow):
        assert text_of(out).count("not stated") == 3
    assert max(map(len, text_of(narrow).splitlines())) <= 50


def test_what_matters_of_a_record_is_marked() -> None:
    out = terminal()
    print_answer(answer(LIST, CARD), out)
    text = text_of(out)
    assert "[WITHDRAWN] [title from its own words]" in text
    assert "Results: “It raises throughput by 62.5%.” [1]" in text


def test_markup_and_escapes_of_a_paper_are_shown_as_text() -> None:
    out = terminal()
    print_answer(Answer((Notice("[bold]x[/bold] \x1b[2Jgone"),)), out)
    assert "[bold]x[/bold] [2Jgone" in text_of(out)
