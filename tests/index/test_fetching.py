"""`python -m index fetch` and `sync` as a person at a shell, or cron, meets them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from index.__main__ import app
from index.commandline import run
from index.errors import LibraryError
from index.library import Library
from index.sources.records import SourceError
from index.synclock import SyncLock
from tests.index.serving import Reply, serving
from tests.index.sources.arxiv_feeds import feed, numbers

ROOT = Path(__file__).parents[2]

EEL = """@article{eel1, title={EelTrack: Following Eels by Sound}, author={Obi, Ada}, year={2024},
  doi={10.1000/eel.1}, abstract={We follow eels with acoustic tags. They swim at night.}}
"""
BREAD = """@article{bread, title={Bread Rises Overnight}, author={Le Goff, Jean}, year={2021},
  doi={10.1000/bread.2}, abstract={Dough rises by 30% overnight when it is kept cool.}}
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LIBRARY_DIR", str(tmp_path / "library"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("SOURCES", raising=False)
    (tmp_path / "refs.bib").write_text(EEL)
    return tmp_path


def index(*arguments: str) -> int:
    return run(app, "python -m index", (LibraryError, SourceError), arguments)


def synced(capsys: pytest.CaptureFixture[str], status: int = 0) -> dict[str, dict[str, Any]]:
    assert index("sync", "--json") == status
    return {outcome["source"]: outcome for outcome in json.loads(capsys.readouterr().out)}


def test_what_is_fetched_is_counted_and_the_counts_add_up(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "refs.bib").write_text(EEL + BREAD + "@article{odd, year={2020}}\n")
    assert index("fetch", "refs.bib", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert list(report) == ["read", "added", "updated", "unchanged", "skipped"]
    assert (report["read"], report["added"], len(report["skipped"])) == (3, 2, 1)
    assert list(report["skipped"][0]) == ["where", "reason"]
    with Library.open(home / "library") as library:
        assert len(library) == 2


def test_a_followed_file_is_read_again_when_it_changed(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SOURCES", "file:refs.bib")
    first = synced(capsys)["file:refs.bib"]
    assert (first["state"], first["fetched"], first["new"]) == ("fresh", 1, 1)
    again = synced(capsys)["file:refs.bib"]
    assert (again["state"], again["fetched"]) == ("quiet", 0)
    (home / "refs.bib").write_text(EEL + BREAD)
    changed = synced(capsys)["file:refs.bib"]
    assert (changed["fetched"], changed["new"], changed["unchanged"]) == (2, 1, 1)


def test_one_that_fails_costs_status_one_and_none_of_the_others_work(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SOURCES", "file:gone.bib file:refs.bib")
    outcomes = synced(capsys, 1)
    assert outcomes["file:gone.bib"]["state"] == "failed"
    assert "gone.bib" in outcomes["file:gone.bib"]["failed"]
    assert outcomes["file:refs.bib"]["new"] == 1


def test_a_damaged_file_of_a_folder_costs_only_itself(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = home / "papers"
    (folder / ".trash").mkdir(parents=True)
    (folder / ".trash" / "old.bib").write_text(BREAD)
    (folder / "a.bib").write_text("@article{broken")
    (folder / "b.bib").write_text(BREAD)
    (folder / "notes.docx").write_bytes(b"PK\x03\x04")
    monkeypatch.setenv("SOURCES", "file:papers")
    outcome = synced(capsys)["file:papers"]
    assert (outcome["fetched"], outcome["new"], len(outcome["skipped"])) == (2, 1, 1)
    assert "a.bib" in outcome["skipped"][0]["where"]


def test_a_sync_speaks_to_people_a_line_a_source(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SOURCES", "file:refs.bib")
    assert index("sync") == 0
    assert capsys.readouterr().out == (
        "file:refs.bib: fresh; 1 fetched: 1 new, 0 updated, 0 unchanged, 0 skipped\n"
    )


def test_while_one_sync_runs_another_says_so_and_ends(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SOURCES", "file:refs.bib")
    (home / "library").mkdir()
    with SyncLock(home / "library"):
        assert index("sync") == 1
    assert "up to date already (by process" in capsys.readouterr().err
    assert index("sync") == 0


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["fetch", "arxiv"], "arxiv:cs.CL"),
        (["fetch", "arxiv:"], "arxiv:cs.CL"),
        (["fetch", "pubmed:eels"], "is no source and no file"),
        (["fetch", "missing.bib"], "is no source and no file"),
        (["fetch", "arxiv:cs.CL", "--since", "last week"], "2026-01-31"),
        (["fetch", "refs.bib", "--since", "2026-01-31"], "file: knows no --since"),
        (["fetch", "arxiv:cs.CL", "--submissions"], "arxiv: knows no --submissions"),
        (["fetch", "arxiv:cs.CL", "--since", "2026-03-01", "--until", "2026-02-01"], "other way"),
        (["fetch", "zotero:me"], "write users/123"),
        (["fetch"], "--help"),
        (["sync"], "SOURCES=arxiv:cs.CL"),
    ],
)
def test_bad_input_costs_one_clear_line_and_status_two(
    home: Path, arguments: list[str], advice: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert index(*arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert advice in captured.err


@pytest.mark.parametrize(
    ("sources", "advice"),
    [("arxiv:cs.CL nonsense", "'nonsense' is no source"), ('openalex:"eels', "not closed")],
)
def test_a_bad_word_in_sources_changes_nothing(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    sources: str,
    advice: str,
) -> None:
    monkeypatch.setenv("SOURCES", sources)
    assert index("sync") == 2
    assert advice in capsys.readouterr().err
    assert not (home / "library").exists()


def test_ctrl_c_keeps_what_was_stored_says_so_and_the_next_fetch_goes_on(home: Path) -> None:
    made = numbers(1, 5)

    def answer(path: str) -> Reply:
        start = int(parse_qs(urlsplit(path).query)["start"][0])
        return Reply(hang=True) if start and hanging else Reply(feed(made[start:][:3], 4).encode())

    hanging = True
    with serving() as server:
        server.routes["/api/query"] = answer
        command = [
            sys.executable,
            "-m",
            "index",
            "fetch",
            "arxiv:q-bio.PE",
            "--since",
            "2026-01-01",
        ]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "ARXIV_URL": server.url}
        process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        while process.poll() is None and not any("start=3" in path for path in server.asked):
            pass
        process.send_signal(signal.SIGINT)
        out, problems = process.communicate(timeout=60)
        assert (process.returncode, out) == (130, ""), problems
        assert problems.count("\n") == 1
        assert "3 records were taken and are kept" in problems
        hanging = False
        server.asked.clear()
        again = subprocess.run(
            [*command, "--json"], env=environment, capture_output=True, text=True, check=True
        )
        assert json.loads(again.stdout)["added"] == 1
        assert "start=3" in server.asked[0]
    with Library.open(home / "library") as library:
        assert len(library) == 4
