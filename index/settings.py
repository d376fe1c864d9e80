"""The settings of the library, from the environment and `.env`."""

from __future__ import annotations

from pathlib import Path

from pydantic_settings import BaseSettings, SettingsConfigDict


class IndexSettings(BaseSettings):
    """Where the library is, and which embeddings it uses."""

    model_config = SettingsConfigDict(env_file=".env", env_ignore_empty=True, extra="ignore")

    library_dir: Path = Path("data/library")
    embeddings: str = "minilm"


def load_index_settings() -> IndexSettings:
    """Read the settings."""
    return IndexSettings()
