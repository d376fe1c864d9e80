"""What is wrong with this set-up, and how to mend it."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot.settings import Settings


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at."""

    name: str
    fine: bool
    text: str
    """What was found, and what to do where it is not fine."""


def findings(settings: Settings) -> Iterator[Finding]:
    """Look at everything that does not need the network, cheapest first."""
    yield _telegram(settings)
    yield _access(settings)
    yield _chat_model(settings)
    yield _writable("LIBRARY_DIR", settings.library_dir)
    yield _library(settings)
    yield _sources(settings)
    if settings.sources:
        yield _contact(settings)
    yield _chats(settings)


def _telegram(settings: Settings) -> Finding:
    if settings.telegram_token is None:
        text = "not set: `python -m bot` talks in the terminal; @BotFather gives a token"
        return Finding("TELEGRAM_TOKEN", fine=True, text=text)
    number, _, secret = settings.telegram_token.get_secret_value().partition(":")
    if not number.isdigit() or not secret:
        text = "does not look like a token (123456:ABC…); copy it again from @BotFather"
        return Finding("TELEGRAM_TOKEN", fine=False, text=text)
    return Finding("TELEGRAM_TOKEN", fine=True, text=f"set, for bot {number}")


def _access(settings: Settings) -> Finding:
    if settings.everyone_allowed:
        return Finding("ALLOWED_USERS", fine=True, text="everybody may talk to the bot")
    if settings.admitted:
        return Finding("ALLOWED_USERS", fine=True, text=f"{len(settings.admitted)} admitted")
    text = "nobody is admitted; write your Telegram user id into ALLOWED_USERS or ADMIN_USERS"
    return Finding("ALLOWED_USERS", fine=settings.telegram_token is None, text=text)


def _chat_model(settings: Settings) -> Finding:
    from bot.assistant import models

    names = models.chosen(settings)
    try:
        for name in names:
            models.load(name, settings.chat_model_url)
    except models.ModelError as error:
        text = str(error).removeprefix("CHAT_MODEL: ")
        return Finding("CHAT_MODEL", fine=False, text=text)
    if not names:
        return Finding("CHAT_MODEL", fine=True, text="extractive: quotes, needs no key")
    return Finding("CHAT_MODEL", fine=True, text=f"{', then '.join(names)}, then extractive")


def _writable(name: str, folder: Path) -> Finding:
    nearest = folder
    while not nearest.exists() and nearest != nearest.parent:
        nearest = nearest.parent
    if nearest.is_dir() and os.access(nearest, os.W_OK):
        return Finding(name, fine=True, text=str(folder))
    text = f"{nearest} cannot be written to; change its owner or set {name} to another folder"
    return Finding(name, fine=False, text=text)


def _library(settings: Settings) -> Finding:
    from index.library import Library, LibraryError

    try:
        with Library.open_or_bundled(settings.library_dir, settings.embeddings) as library:
            problems = library.check()
            count = len(library)
            bundled = library.bundled
    except LibraryError as error:
        return Finding("library", fine=False, text=str(error))
    if problems:
        return Finding("library", fine=False, text="; ".join(problems))
    own = "the bundled notes; `python -m index add FILE` begins your own" if bundled else "your own"
    return Finding("library", fine=True, text=f"{count} papers, {own}")


def _sources(settings: Settings) -> Finding:
    from index.sources.catalogue import followed
    from index.sources.records import SourceError

    try:
        names = [source.name for source in followed(settings)]
    except SourceError as error:
        return Finding("SOURCES", fine=False, text=str(error))
    if not names:
        text = "not set: papers come by `python -m index add FILE` and `fetch SOURCE` alone"
        return Finding("SOURCES", fine=True, text=text)
    return Finding("SOURCES", fine=True, text=f"{', '.join(names)}{_last_sync(settings, names)}")


def _last_sync(settings: Settings, names: Collection[str]) -> str:
    """How the sources stood when they were read last."""
    from bot.digests.coverage import coverage, followed_ledgers
    from index.library import Library, LibraryError

    try:
        with Library.open(settings.library_dir, settings.embeddings) as library:
            ledgers = followed_ledgers(library.source_states(), names)
    except LibraryError:
        return ""
    asked = [ledger.asked for ledger in ledgers.values() if ledger.asked]
    if not asked:
        return "; not read yet: `python -m index sync` does, and the bot by itself"
    stands = coverage(ledgers, datetime.now(UTC), settings.timezone)
    said = " ".join((*stands.missing, *stands.remarks))
    return f"; last read {max(asked):%Y-%m-%d %H:%M} UTC. {said}".rstrip(" .")


def _contact(settings: Settings) -> Finding:
    if settings.contact:
        return Finding("CONTACT", fine=True, text=settings.contact)
    text = (
        "not set, though SOURCES is; write your mail address, so that a service can reach you "
        "before it shuts you out"
    )
    return Finding("CONTACT", fine=False, text=text)


def _chats(settings: Settings) -> Finding:
    url = settings.database_url
    if not url.startswith("sqlite"):
        return Finding("DATABASE_URL", fine=True, text=url.partition(":")[0])
    return _writable("DATABASE_URL", Path(url.partition("///")[2]).parent)
