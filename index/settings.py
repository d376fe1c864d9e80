"""The settings of the library and of what it follows, from the environment and `.env`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from index.errors import LibraryError

LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")


class SettingsError(LibraryError):
    """A setting that cannot be used; the message names it and says what to write instead."""


def _address(value: str) -> str:
    if not value.startswith(("http://", "https://")):
        raise ValueError("write a web address, like https://example.org")
    return value.rstrip("/")


def _contact(value: str) -> str:
    # It goes into a header: a line break in it would be another header.
    if not value.strip().isprintable():
        raise ValueError("write one line, as in you@example.org")
    return value.strip()


def _level(value: str) -> str:
    if value.upper() not in LOG_LEVELS:
        raise ValueError("write DEBUG, INFO, WARNING or ERROR")
    return value.upper()


def _stripped(value: object) -> object:
    """Keys are pasted with the line's end, and a header that holds one is refused."""
    return value.strip() or None if isinstance(value, str) else value


Address = Annotated[str, AfterValidator(_address)]
Key = Annotated[SecretStr | None, BeforeValidator(_stripped)]


class IndexSettings(BaseSettings):
    """Where the library is, which embeddings it uses, and which sources fill it."""

    model_config = SettingsConfigDict(env_file=".env", env_ignore_empty=True, extra="ignore")

    library_dir: Path = Path("data/library")
    embeddings: str = "minilm"
    sources: str = ""
    """What `sync` follows, parted by blanks."""
    contact: Annotated[str, AfterValidator(_contact)] = ""
    """A mail address or page, sent to each service in the User-Agent."""
    arxiv_url: Address = "https://export.arxiv.org"
    arxiv_rss_url: Address = "https://rss.arxiv.org"
    openreview_url: Address = "https://api2.openreview.net"
    semantic_scholar_url: Address = "https://api.semanticscholar.org"
    openalex_url: Address = "https://api.openalex.org"
    zotero_url: Address = "https://api.zotero.org"
    semantic_scholar_key: Key = None
    openalex_key: Key = None
    zotero_key: Key = None
    log_level: Annotated[str, AfterValidator(_level)] = "INFO"


def load_index_settings() -> IndexSettings:
    """Read the settings.

    Raises:
        SettingsError: with one line that names the first bad setting and what it should be.
    """
    try:
        return IndexSettings()
    except ValidationError as error:
        raise SettingsError(in_words(error)) from None


def in_words(error: ValidationError) -> str:
    """The first bad setting in one line, without its value, which may be a secret."""
    first = error.errors()[0]
    name = str(first["loc"][0]).upper() if first["loc"] else "settings"
    reason = str(first["msg"]).removeprefix("Value error, ")
    return f"{name}: {reason}."
