"""`python -m index` as a person at a shell meets it."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from index.__main__ import app
from index.commandline import run
from index.errors import LibraryError
from index.sources.records import SourceError

ABSTRACT = (
    "We introduce EelTrack, which follows eels with acoustic tags. It found 12 routes to the sea."
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LIBRARY_DIR", str(tmp_path / "library"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


@pytest.fixture
def filled(folder: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    lines = [
        {
            "id": "arxiv:2402.00001",
            "title": "EelTrack",
            "abstract": ABSTRACT,
            "authors": ["Ada Obi"],
            "year": 2024,
            "venue": "Rivers 2024",
        },
        {
            "id": "arxiv:2402.00002",
            "title": "Bread & {Yeast}",
            "abstract": "Dough rises by 30% overnight.",
            "authors": ["Jean Le Goff"],
            "year": 2021,
        },
    ]
    (folder / "papers.jsonl").write_text("\n".join(map(json.dumps, lines)))
    assert index("add", "papers.jsonl") == 0
    capsys.readouterr()
    return folder


def index(*arguments: str) -> int:
    return run(app, "python -m index", (LibraryError, SourceError), arguments)


def test_counts_add_up_and_what_is_skipped_says_where_and_why(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "mixed.jsonl").write_text(
        '{"title": "Fine", "abstract": "It is fine."}\n{broken\n{}\n'
    )
    assert index("add", "mixed.jsonl", "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert report["read"] == 3
    assert report["read"] == report["added"] + report["updated"] + report["unchanged"] + len(
        report["skipped"]
    )
    assert len(report["skipped"]) == 2
    assert all(s["where"].startswith("mixed.jsonl") and s["reason"] for s in report["skipped"])


def test_search_prints_json_alone(filled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert index("search", "eels", "-k", "1", "--json") == 0
    hits = json.loads(capsys.readouterr().out)
    assert list(hits[0]) == [
        "id",
        "handle",
        "title",
        "authors",
        "published",
        "venue",
        "score",
        "abstract",
    ]
    assert hits[0]["id"] == "arxiv:2402.00001"
    assert hits[0]["abstract"] == ABSTRACT


def test_filters_reach_the_search(filled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert index("search", "eels", "--year", "..2021", "--json") == 0
    assert [h["id"] for h in json.loads(capsys.readouterr().out)] == ["arxiv:2402.00002"]
    assert index("search", "eels", "--author", "Obi", "--venue", "rivers", "--json") == 0
    assert [h["id"] for h in json.loads(capsys.readouterr().out)] == ["arxiv:2402.00001"]


def test_show_carries_the_record_and_the_card(
    filled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert index("show", "eeltrack", "--json") == 0
    record = json.loads(capsys.readouterr().out)
    assert record["authors"] == ["Ada Obi"]
    quoted = [line["text"] for lines in record["card"].values() for line in lines]
    assert quoted
    assert all(text in ABSTRACT for text in quoted)


def test_show_and_info_and_check_speak_to_people(
    filled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert index("show", "eeltrack") == 0
    assert index("info") == 0
    assert index("check") == 0
    printed = capsys.readouterr().out
    for words in ("EelTrack", "Ada Obi", "papers: 2", "2 papers, no problems."):
        assert words in printed


@pytest.mark.parametrize("form", ["bibtex", "ris", "csv", "jsonl"])
def test_what_is_exported_can_be_added_again(
    filled: Path, form: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert index("export", "--format", form) == 0
    exported = filled / f"out.{'bib' if form == 'bibtex' else form}"
    exported.write_text(capsys.readouterr().out)
    monkeypatch.setenv("LIBRARY_DIR", str(filled / "second"))
    assert index("add", str(exported), "--json") == 0
    assert json.loads(capsys.readouterr().out)["added"] == 2
    assert index("show", "arxiv:2402.00001", "--json") == 0
    again = json.loads(capsys.readouterr().out)
    assert again["title"] == "EelTrack"
    assert again["authors"] == ["Ada Obi"]
    assert again["abstract"] == ABSTRACT


def test_csv_is_a_table_others_can_read(filled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert index("export", "--format", "csv") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert rows[1]["title"] == "Bread & {Yeast}"


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (["add", "missing.bib"], "there is no file missing.bib"),
        (["add", "."], "is a folder"),
        (["add", "empty.txt"], "is empty"),
        (["add", "binary.jsonl"], "binary"),
        (["show", "GhostNet"], "index search"),
        (["similar", "GhostNet"], "index search"),
        (["search", " "], "write a topic"),
        (["search", "x", "--year", "soon"], "write 2025"),
        (["search", "x", "--year", "2025..2020"], "2020..2025"),
        (["export", "--format", "docx"], "bibtex, ris, csv, jsonl"),
        (["evaluate", "."], "corpus.jsonl"),
        (["frobnicate"], "--help"),
        ([], "Missing command"),
        (["search", "x", "--loud"], "--help"),
        (["search"], "--help"),
    ],
)
def test_bad_input_costs_one_clear_line_and_status_two(
    filled: Path, arguments: list[str], advice: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (filled / "empty.txt").write_text("")
    (filled / "binary.jsonl").write_bytes(bytes(range(256)) * 40)
    assert index(*arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert advice in captured.err


def test_a_library_folder_that_is_a_file_costs_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "notes").write_text("mine")
    monkeypatch.setenv("LIBRARY_DIR", str(folder / "notes"))
    for arguments in (["search", "eels"], ["info"]):
        assert index(*arguments) == 2
        assert "is a file; set LIBRARY_DIR to a folder" in capsys.readouterr().err


def test_a_slip_in_the_second_file_adds_nothing_of_the_first(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "fine.jsonl").write_text('{"title": "Fine", "abstract": "It is fine."}\n')
    assert index("add", "fine.jsonl", "missing.bib") == 2
    assert not (folder / "library").exists()


def test_without_a_library_the_bundled_notes_answer_and_say_so(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert index("search", "adam optimizer", "-k", "1", "--json") == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)[0]["id"] == "arxiv:1412.6980"
    assert "bundled notes" in captured.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, a disk without room")
def test_a_full_disk_costs_one_line(filled: Path) -> None:
    root = Path(__file__).parents[2]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "index", "search", "eels", "--json"],
            cwd=root, stdout=full, stderr=subprocess.PIPE, text=True, check=False,
            env={**os.environ, "PYTHONPATH": str(root)},
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == "python -m index: No space left on device: writing failed\n"


def test_it_runs_as_a_module_and_each_command_has_help(folder: Path) -> None:
    root = Path(__file__).parents[2]
    for command in ("", "add", "search", "similar", "show", "info", "check", "evaluate", "export"):
        done = subprocess.run(
            [sys.executable, "-m", "index", *([command] if command else []), "--help"],
            cwd=root, capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONPATH": str(root)},
        )  # fmt: skip
        assert done.returncode == 0, command
        assert "Usage" in done.stdout


def test_the_nineteen_abstracts_are_read_as_nineteen_papers(
    folder: Path, shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert index("add", str(shared / "data/seeds/iclr2026-abstracts.txt"), "--json") == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["read"], report["added"], report["skipped"]) == (19, 19, [])
