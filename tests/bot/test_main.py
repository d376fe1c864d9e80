"""`python -m bot` as a person at a shell meets it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.__main__ import app, known_errors
from index.commandline import run
from index.library import Library
from tests.papers import PAPERS

ROOT = Path(__file__).parents[2]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, with nothing set but where things are kept."""
    monkeypatch.chdir(tmp_path)
    for name in ("TELEGRAM_TOKEN", "CHAT_MODEL", "ALLOWED_USERS", "ADMIN_USERS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LIBRARY_DIR", str(tmp_path / "library"))
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path}/chats.sqlite")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


@pytest.fixture
def filled(home: Path) -> Path:
    with Library.open(home / "library", create=True) as library:
        library.add(PAPERS)
    return home


def bot(*arguments: str) -> int:
    return run(app, "python -m bot", known_errors(), arguments)


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert bot("ask", *arguments, "--json") == 0
    printed: dict[str, object] = json.loads(capsys.readouterr().out)
    return printed


def test_an_answer_comes_with_the_words_it_rests_on(
    filled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = asked(capsys, "How many gauges was TideNet trained on?")
    assert set(answer) == {
        "text", "citations", "papers", "tools", "abstained", "model", "tokens", "seconds",
    }  # fmt: skip
    citations = answer["citations"]
    assert isinstance(citations, list)
    assert any("31 gauges" in c["quote"] for c in citations)
    abstracts = {paper.id: f"{paper.title} {paper.abstract}" for paper in PAPERS}
    assert all(c["quote"] in abstracts[c["id"]] for c in citations)
    assert not answer["abstained"]
    assert answer["model"] == "extractive"


def test_turns_of_one_name_are_one_conversation_and_others_know_nothing_of_it(
    filled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = asked(capsys, "papers on adapting language models on phones", "--chat", "ada")
    listed = first["papers"]
    assert isinstance(listed, list)
    second = asked(capsys, "summarise the second one", "--chat", "ada")
    assert second["papers"] == [listed[1]]
    other = asked(capsys, "summarise the second one", "--chat", "ben")
    assert other["citations"] == []


def test_what_the_library_does_not_say_is_not_answered(
    filled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for question in ("What is the boiling point of ethanol?", "What batch size did TideNet use?"):
        answer = asked(capsys, question)
        assert answer["abstained"], question
        assert answer["citations"] == [], question


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["ask", "x" * 20_000], "20,000 characters"),
        (["ask", "  "], "write a question"),
        (["ask"], "--help"),
        (["digest", "--chat", "nobody"], "has no digest"),
        (["digest", "--chat", "nobody", "--at", "tomorrow"], "ISO 8601"),
        (["evaluate", "missing.jsonl"], "missing.jsonl cannot be read"),
        (["fly"], "--help"),
    ],
)
def test_bad_input_costs_one_clear_line_and_status_two(
    home: Path, arguments: list[str], advice: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bot(*arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert advice in captured.err


def test_questions_with_known_answers_are_counted_by_kind(
    filled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (filled / "gold.jsonl").write_text(
        '{"kind": "fact", "q": "How many gauges was TideNet trained on?", "seed": [1], "must": ["31"]}\n'
        '{"kind": "none", "q": "What is the boiling point of ethanol?"}\n'
        '{"kind": "find", "q": "counting birds at night", "seed": [1]}\n'
    )
    assert bot("evaluate", "gold.jsonl", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["questions"], report["right"]) == (3, 2)


def test_an_empty_library_says_how_to_fill_it(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Library.open(home / "library", create=True).close()
    answer = asked(capsys, "papers on tides")
    assert answer["abstained"]
    assert "index add" in str(answer["text"])


def test_a_bad_setting_costs_one_line(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIMEZONE", "Moon")
    assert bot("ask", "hello") == 2
    assert capsys.readouterr().err.startswith("python -m bot: TIMEZONE: 'Moon' is no time zone")


def test_check_says_what_is_wrong_and_how_to_mend_it(
    filled: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert bot("check") == 0
    assert "8 papers" in capsys.readouterr().out
    monkeypatch.setenv("TELEGRAM_TOKEN", "not a token")
    monkeypatch.setenv("CHAT_MODEL", "gpt")
    assert bot("check", "--json") == 2
    found = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert not found["TELEGRAM_TOKEN"]["fine"]
    assert "BotFather" in found["TELEGRAM_TOKEN"]["text"]
    assert "provider:name" in found["CHAT_MODEL"]["text"]
    assert "ALLOWED_USERS" in found["ALLOWED_USERS"]["text"]


def test_check_asks_for_a_contact_where_sources_are_followed_and_names_a_bad_one(
    filled: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCES", "arxiv:cs.CL")
    assert bot("check", "--json") == 2
    found = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert found["SOURCES"]["fine"]
    assert "arxiv:cs.CL; not read yet" in found["SOURCES"]["text"]
    assert "mail address" in found["CONTACT"]["text"]
    monkeypatch.setenv("CONTACT", "ada@example.org")
    assert bot("check") == 0
    capsys.readouterr()
    monkeypatch.setenv("SOURCES", "arxiv:cs.CL pubmed:eels")
    assert bot("check") == 2
    assert "'pubmed:eels' is no source" in capsys.readouterr().out


def test_lines_from_standard_input_are_answered_where_there_is_no_terminal(filled: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bot"],
        cwd=ROOT,
        input="papers on bird song\nsummarise the first\n/digest 08:00 crop maps\n/new\n",
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=60,
    )
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    for words in ("Which Birds Sang", "NightEar", "08:00", "crop maps"):
        assert words in done.stdout


def test_a_digest_is_composed_from_what_is_new(
    filled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    subprocess.run(
        [sys.executable, "-m", "bot"], cwd=ROOT, input="/digest 08:00 crop maps\n", text=True,
        capture_output=True, check=True, env={**os.environ, "PYTHONPATH": str(ROOT)}, timeout=60,
    )  # fmt: skip
    assert bot("digest", "--chat", "terminal", "--dry-run", "--json") == 0
    before = json.loads(capsys.readouterr().out)
    assert set(before) == {"chat", "due", "checked", "papers", "more", "note"}
    assert before["papers"] == []
    with Library.open(filled / "library") as library:
        from dataclasses import replace

        library.add(
            [
                replace(
                    PAPERS[4],
                    id="arxiv:2402.09999",
                    title="More Crop Maps from Satellites",
                    abstract="Crop maps of a whole continent are drawn from satellite images.",
                )
            ]
        )
    assert bot("digest", "--chat", "terminal", "--dry-run", "--json") == 0
    dry = json.loads(capsys.readouterr().out)
    assert [paper["id"] for paper in dry["papers"]] == ["arxiv:2402.09999"]
    assert "crop" in dry["papers"][0]["reason"]
    assert bot("digest", "--chat", "terminal") == 0
    assert "More Crop Maps" in capsys.readouterr().out
    assert bot("digest", "--chat", "terminal", "--json") == 0
    assert json.loads(capsys.readouterr().out)["papers"] == []
