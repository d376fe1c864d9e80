"""Every setting, read once from the environment and `.env`, secrets masked."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import Field, SecretStr, ValidationError, field_validator

from bot.prices import Price, parse_prices
from index.settings import IndexSettings, SettingsError, in_words

__all__ = ["Settings", "SettingsError", "load_settings"]


class Settings(IndexSettings):
    """What the person chose, with what the library is told. Empty values mean the default."""

    telegram_token: SecretStr | None = None
    telegram_api_url: str = "https://api.telegram.org"
    allowed_users: str = ""
    admin_users: str = ""
    chat_model: str = "extractive"
    chat_model_url: str = ""
    chat_model_fallbacks: str = ""
    database_url: str = "sqlite+aiosqlite:///data/chats.sqlite"
    timezone: str = "UTC"
    answer_tokens: int = Field(default=400, ge=0)
    """Tokens of the sentences of one answer; "more" says the rest. 0 sets no limit."""
    daily_tokens: int = Field(default=0, ge=0)
    """Tokens a chat may use a day; 0 sets no limit."""
    chat_model_prices: str = ""
    """US dollars a million tokens, as in `gpt-5-mini=0.25/0.025/2.00`; empty where nobody asks."""

    @field_validator("timezone")
    @classmethod
    def _zone_exists(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise ValueError(f"{value!r} is no time zone; write one like Europe/Berlin") from None
        return value

    @field_validator("telegram_api_url")
    @classmethod
    def _no_slash(cls, value: str) -> str:
        if not value.startswith(("http://", "https://")):
            raise ValueError("write a web address, like https://api.telegram.org")
        return value.rstrip("/")

    @field_validator("allowed_users", "admin_users")
    @classmethod
    def _ids(cls, value: str) -> str:
        for word in value.replace(",", " ").split():
            if word != "*" and not word.lstrip("-").isdigit():
                raise ValueError(f"{word!r} is no Telegram user id; write numbers, or *")
        return value

    @field_validator("chat_model_prices")
    @classmethod
    def _prices(cls, value: str) -> str:
        parse_prices(value)
        return value

    @cached_property
    def prices(self) -> dict[str, Price]:
        """Prices by the model's name without its provider."""
        return parse_prices(self.chat_model_prices)

    @cached_property
    def history_file(self) -> Path:
        """Where the agent's history is kept: beside the chats where those are in SQLite."""
        backend, _, rest = self.database_url.partition("://")
        path = rest.removeprefix("/")
        if backend.startswith("sqlite") and path and path != ":memory:":
            return Path(path).with_name(f"{Path(path).stem}.history.sqlite")
        return Path("data/history.sqlite")

    @cached_property
    def everyone_allowed(self) -> bool:
        """True where `ALLOWED_USERS` is `*`."""
        return "*" in self.allowed_users.replace(",", " ").split()

    @cached_property
    def admitted(self) -> frozenset[int]:
        """Ids of the users who may talk to the bot."""
        return self.admins | _numbers(self.allowed_users)

    @cached_property
    def admins(self) -> frozenset[int]:
        """Ids of the users who run the bot."""
        return _numbers(self.admin_users)


def _numbers(text: str) -> frozenset[int]:
    return frozenset(int(word) for word in text.replace(",", " ").split() if word != "*")


def load_settings() -> Settings:
    """Read the settings.

    Raises:
        SettingsError: with one line that names the first bad setting and what it should be.
    """
    try:
        return Settings()
    except ValidationError as error:
        raise SettingsError(in_words(error)) from None
