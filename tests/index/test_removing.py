"""Papers leave the library when they are named beyond doubt, and only then."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from index.__main__ import app
from index.commandline import run
from index.errors import LibraryError
from index.library import Library
from index.paper import Paper
from index.sources.records import SourceError


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, papers: list[Paper]) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LIBRARY_DIR", str(tmp_path / "library"))
    with Library.open(tmp_path / "library", create=True) as library:
        library.add(papers)
    return tmp_path / "library"


def remove(monkeypatch: pytest.MonkeyPatch, *names: str) -> int:
    monkeypatch.setattr("sys.argv", ["index", "remove", *names])
    return run(app, "python -m index", (LibraryError, SourceError))


def test_by_handle_link_id_and_title_and_they_can_come_back(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    papers: list[Paper],
) -> None:  # fmt: skip
    names = ("tidenet", "https://arxiv.org/abs/2401.00002v3", papers[2].title.upper())
    assert remove(monkeypatch, *names) == 0
    said = capsys.readouterr().out
    assert said.count("Removed “") == 3
    assert "5 papers are left." in said
    with Library.open(home) as library:
        assert library.get("tidenet") is None
        assert papers[0].id not in [hit.paper.id for hit in library.search("harbour water", 8)]
        assert library.check() == []
        assert library.add(papers[:3]).added == 3
        assert library.search("harbour water levels", 1)[0].paper.id == papers[0].id


def test_a_paper_named_twice_leaves_once(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert remove(monkeypatch, "tidenet", "arxiv:2401.00001") == 0
    assert capsys.readouterr().out.count("Removed") == 1


@pytest.mark.parametrize(
    ("name", "advice"),
    [("Harbour Water Levels", "write its handle, tidenet"), ("arxiv:2499.99999", "2499.99999")],
)
def test_a_part_of_a_title_and_an_unknown_paper_remove_nothing(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    name: str, advice: str,
) -> None:  # fmt: skip
    assert remove(monkeypatch, "tidenet", name) == 2
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    assert advice in captured.err
    with Library.open(home) as library:
        assert len(library) == 8


def test_two_papers_of_one_title_are_told_apart_by_their_handles(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    papers: list[Paper],
) -> None:  # fmt: skip
    twin = replace(papers[0], id="arxiv:2401.00099", authors=("Eve Zwei",), abstract="On soil.",
                   links=(), published="2012", handle="")  # fmt: skip
    with Library.open(home) as library:
        assert library.add([twin]).added == 1
    assert remove(monkeypatch, papers[0].title) == 2
    assert "more papers than one" in capsys.readouterr().err


def test_the_bundled_notes_are_nobodys_to_remove(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LIBRARY_DIR", str(tmp_path / "none"))
    assert remove(monkeypatch, "lora") == 2
    assert capsys.readouterr().err.count("\n") == 1
