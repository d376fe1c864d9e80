"""What a person may write into the settings, and what they are told when they slip."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.settings import SettingsError, load_settings

SOURCE_SETTINGS = (
    "SOURCES", "CONTACT", "ARXIV_URL", "ARXIV_RSS_URL", "OPENREVIEW_URL", "SEMANTIC_SCHOLAR_URL",
    "OPENALEX_URL", "ZOTERO_URL", "SEMANTIC_SCHOLAR_KEY", "OPENALEX_KEY", "ZOTERO_KEY",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in (
        *SOURCE_SETTINGS,
        "TELEGRAM_TOKEN",
        "ALLOWED_USERS",
        "ADMIN_USERS",
        "TIMEZONE",
        "CHAT_MODEL",
    ):
        monkeypatch.delenv(name, raising=False)


def test_with_nothing_set_the_extractive_model_talks_in_the_terminal() -> None:
    settings = load_settings()
    assert settings.telegram_token is None
    assert settings.chat_model == "extractive"


def test_nobody_is_admitted_by_default() -> None:
    settings = load_settings()
    assert not settings.everyone_allowed
    assert settings.admitted == frozenset()


def test_admins_are_admitted_without_being_listed_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADMIN_USERS", "7")
    monkeypatch.setenv("ALLOWED_USERS", "11, 12")
    settings = load_settings()
    assert settings.admitted == {7, 11, 12}
    assert settings.admins == {7}


def test_a_star_admits_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALLOWED_USERS", "*")
    assert load_settings().everyone_allowed


def test_the_token_is_masked_wherever_the_settings_are_printed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TELEGRAM_TOKEN", "123:secret-word")
    assert "secret-word" not in repr(load_settings())


def test_keys_are_masked_and_lose_the_blanks_they_were_pasted_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ZOTERO_KEY", " secret-word\n")
    monkeypatch.setenv("OPENALEX_KEY", " \n")
    settings = load_settings()
    assert settings.zotero_key is not None
    assert settings.zotero_key.get_secret_value() == "secret-word"
    assert settings.openalex_key is None
    assert "secret-word" not in repr(settings)


def test_the_services_are_the_public_ones_unless_told_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert load_settings().arxiv_url == "https://export.arxiv.org"
    monkeypatch.setenv("ARXIV_URL", "http://127.0.0.1:8080/")
    assert load_settings().arxiv_url == "http://127.0.0.1:8080"


def test_an_empty_line_in_the_env_file_means_the_default(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("CHAT_MODEL=\nTELEGRAM_TOKEN=\n")
    settings = load_settings()
    assert settings.chat_model == "extractive"
    assert settings.telegram_token is None


@pytest.mark.parametrize(
    ("name", "value", "advice"),
    [
        ("TIMEZONE", "Berlin", "Europe/Berlin"),
        ("ALLOWED_USERS", "@ada", "write numbers"),
        ("DAILY_TOKENS", "many", "DAILY_TOKENS"),
        ("TELEGRAM_API_URL", "localhost:8081", "web address"),
        ("LOG_LEVEL", "LOUD", "DEBUG, INFO, WARNING or ERROR"),
        ("ARXIV_URL", "export.arxiv.org", "web address"),
        ("CONTACT", "me@example.org\r\nX-Evil: 1", "one line"),
    ],
)
def test_a_bad_setting_costs_one_line_that_names_it_and_says_what_to_write(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, advice: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as caught:
        load_settings()
    message = str(caught.value)
    assert message.startswith(name)
    assert advice in message
    assert "\n" not in message
