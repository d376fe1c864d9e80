"""The one door: `python -m bot [chat|ask|digest|check|evaluate]`.

Rooms are imported where they are used, so that each command starts in a moment.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.settings import Settings, SettingsError, load_settings
from index.commandline import run

if TYPE_CHECKING:
    from bot.assistant.allowance import Allowance
    from bot.chats.store import Chats
    from index.library import Library

app = typer.Typer(
    help="Footnote: a research assistant to talk to. Without a command it runs the bot on "
    "Telegram when TELEGRAM_TOKEN is set, else a chat in the terminal.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

MAX_QUESTION = 8000
"""Characters of one message; Telegram itself allows 4,096."""

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON alone on stdout.")]


class BadInput(Exception):
    """What the person wrote cannot be used; the message says what to write instead."""


@app.callback(invoke_without_command=True)
def main(context: typer.Context) -> None:
    """Run the bot, or a chat in the terminal."""
    if context.invoked_subcommand is not None:
        return
    settings = load_settings()
    _log_to_stderr(settings)
    if settings.telegram_token is None:
        asyncio.run(_chat(settings))
        return
    from bot.telegram.app import run as run_telegram

    raise typer.Exit(asyncio.run(run_telegram(settings)))


@app.command()
def chat() -> None:
    """Talk in the terminal, also where a Telegram token is set."""
    settings = load_settings()
    _log_to_stderr(settings)
    asyncio.run(_chat(settings))


@app.command()
def ask(
    text: Annotated[str, typer.Argument(help="What you would write to the bot.")],
    chat: Annotated[
        str, typer.Option(help="Turns with the same name continue one conversation.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Ask one question."""
    settings = load_settings()
    _log_to_stderr(settings)
    if not text.strip():
        raise BadInput(
            'nothing was asked; write a question, as in: python -m bot ask "what is LoRA?"'
        )
    if len(text) > MAX_QUESTION:
        raise BadInput(
            f"the message has {len(text):,} characters and at most {MAX_QUESTION:,} are read; "
            "ask about one thing at a time"
        )
    asyncio.run(_ask(settings, text, chat, as_json=as_json))


@app.command()
def digest(
    chat: Annotated[str, typer.Option(help="Whose digest.")],
    at: Annotated[str, typer.Option(help="As if it were this time (ISO 8601).")] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Record and send nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Compose a chat's digest now."""
    settings = load_settings()
    _log_to_stderr(settings)
    asyncio.run(_digest(settings, chat, _moment(at), dry_run=dry_run, as_json=as_json))


@app.command()
def evaluate(
    file: Annotated[Path, typer.Argument(help="Questions in JSON Lines: kind, q, seed, must.")],
    as_json: AsJson = False,
) -> None:
    """Ask the questions of a file whose answers are known; how many come out right, by kind."""
    settings = load_settings()
    _log_to_stderr(settings)
    asyncio.run(_evaluate(settings, file, as_json=as_json))


@app.command()
def check(as_json: AsJson = False) -> None:
    """Say what is wrong with the settings and how to mend it."""
    from bot.check import findings

    found = list(findings(load_settings()))
    if as_json:
        rows = [{"name": f.name, "fine": f.fine, "text": f.text} for f in found]
        print(json.dumps(rows, ensure_ascii=False, indent=2))
    else:
        for finding in found:
            print(f"{'ok ' if finding.fine else 'BAD'}  {finding.name}: {finding.text}")
    if not all(finding.fine for finding in found):
        raise typer.Exit(2)


def _moment(text: str) -> datetime:
    if not text:
        return datetime.now(UTC)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise BadInput(f"--at {text!r} is no ISO 8601 time; write 2026-12-01T08:00+01:00") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _log_to_stderr(settings: Settings) -> None:
    logging.basicConfig(
        level=settings.log_level if settings.telegram_token else "WARNING",
        stream=sys.stderr,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )


@asynccontextmanager
async def _rooms(
    settings: Settings, *, remember: bool = True
) -> AsyncIterator[tuple[Allowance, Library, Chats]]:
    """Open the library, the chats and the agent, and close them in reverse.

    A single question, asked in no named chat, is not remembered.
    """
    from bot.assistant.allowance import Allowance
    from bot.assistant.assistant import Assistant
    from bot.chats.store import Chats
    from index.library import Library

    async with AsyncExitStack() as stack:
        library = await asyncio.to_thread(
            Library.open_or_bundled, settings.library_dir, settings.embeddings
        )
        stack.callback(library.close)
        chats = await Chats.open(settings.database_url)
        stack.push_async_callback(chats.close)
        assistant = await stack.enter_async_context(
            Assistant.open(
                settings, library, checkpoints=settings.history_file if remember else None
            )
        )
        allowance = Allowance(assistant, chats, settings.daily_tokens, settings.prices)
        yield allowance, library, chats


async def _chat(settings: Settings) -> None:
    from bot.digests.verbs import Digests
    from bot.terminal import Console

    async with _rooms(settings) as (assistant, library, chats):
        digests = Digests(chats, library, settings.timezone, lambda: datetime.now(UTC))
        await Console(digests=digests, known_errors=known_errors()).run(assistant)


async def _ask(settings: Settings, text: str, chat: str, *, as_json: bool) -> None:
    from bot.console import print_answer
    from bot.plain import render

    async with _rooms(settings, remember=bool(chat)) as (assistant, _, _):
        answer = await assistant.ask(chat or "ask", text)
    if as_json:
        print(json.dumps(answer.to_json(render(answer)), ensure_ascii=False, indent=2))
    else:
        print_answer(answer)


async def _evaluate(settings: Settings, file: Path, *, as_json: bool) -> None:
    from bot.assistant.evaluate import evaluate_file
    from index.library import Library

    with await asyncio.to_thread(
        Library.open_or_bundled, settings.library_dir, settings.embeddings
    ) as library:
        try:
            report = await evaluate_file(file, library, settings)
        except OSError as error:
            raise BadInput(f"{file} cannot be read ({error.strerror}); check the name") from None
        except (ValueError, KeyError) as error:
            raise BadInput(
                f"{file} is no list of questions ({error}); a line is "
                '{"kind": "find", "q": "…", "seed": [1]}'
            ) from None
    if as_json:
        print(json.dumps(report, ensure_ascii=False, indent=2))
        return
    for name, value in report.items():
        print(f"{name}: {value}")


async def _digest(
    settings: Settings, chat: str, moment: datetime, *, dry_run: bool, as_json: bool
) -> None:
    from bot.chats.store import Chats
    from bot.digests.compose import to_json
    from bot.digests.following import following_of
    from bot.digests.plain import lines
    from bot.digests.verbs import Digests
    from index.library import Library

    async with AsyncExitStack() as stack:
        chats = await Chats.open(settings.database_url)
        stack.push_async_callback(chats.close)
        library = await asyncio.to_thread(
            Library.open_or_bundled, settings.library_dir, settings.embeddings
        )
        stack.callback(library.close)
        news = following_of(settings, library, lambda: datetime.now(UTC))
        digests = Digests(
            chats, library, settings.timezone, lambda: datetime.now(UTC), news.coverage
        )
        composed = await digests.digest(chat, moment, dry_run=dry_run)
    if as_json:
        print(json.dumps(to_json(composed), ensure_ascii=False, indent=2))
    else:
        print("\n".join(lines(composed)))


def known_errors() -> tuple[type[Exception], ...]:
    """Errors a person can cause, each with a message that says what to do next."""
    from bot.assistant.models import ModelError
    from bot.chats.store import ChatsError
    from index.library import LibraryError
    from index.sources.records import SourceError

    return (BadInput, SettingsError, LibraryError, ChatsError, ModelError, SourceError)


def entry() -> None:
    """Run the command line."""
    sys.exit(run(app, "python -m bot", known_errors()))


if __name__ == "__main__":
    entry()
