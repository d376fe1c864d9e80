"""Rules of the house that no linter knows."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULES = sorted(
    path for room in ("bot", "index", "prompts", "tests") for path in (ROOT / room).rglob("*.py")
)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_is_longer_than_a_person_reads_in_one_sitting(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


def test_nothing_is_pickled_or_evaluated() -> None:
    unsafe = re.compile(r"\bimport pickle\b|pickle\.load|(?<![\w.])eval\(|allow_pickle=True")
    guilty = [
        str(path.relative_to(ROOT))
        for path in MODULES
        if path != Path(__file__) and unsafe.search(path.read_text(encoding="utf-8"))
    ]
    assert guilty == []


def test_every_setting_is_explained_in_the_example() -> None:
    from bot.settings import Settings

    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    explained = set(re.findall(r"^([A-Z_]+)=", example, re.MULTILINE))
    assert explained == {name.upper() for name in Settings.model_fields}


def test_constraints_hold_names_and_versions_only() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][\w.]*", line)] == []


def test_no_file_is_too_large_to_review() -> None:
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split("\0")
    large = [n for n in names if n and (ROOT / n).is_file() and (ROOT / n).stat().st_size > 2**20]
    assert large == []
