"""Write a file, read it as a person would add it."""

from __future__ import annotations

from pathlib import Path

from index.paper import Paper
from index.sources.files import Skipped, SourceError, read_file

LONG = "We study how tides move small boats across a wide bay and find that they move a lot. " * 2


def read(folder: Path, name: str, content: str | bytes) -> list[Paper | Skipped]:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return list(read_file(path))


def papers(records: list[Paper | Skipped]) -> list[Paper]:
    return [record for record in records if isinstance(record, Paper)]


def skipped(records: list[Paper | Skipped]) -> list[Skipped]:
    return [record for record in records if isinstance(record, Skipped)]


def one(folder: Path, name: str, content: str | bytes) -> Paper:
    (record,) = read(folder, name, content)
    assert isinstance(record, Paper)
    return record


def read_or_line(path: Path) -> tuple[list[Paper | Skipped], str]:
    """The records of a file, or the one line that refuses it; any other error fails the test."""
    try:
        return list(read_file(path)), ""
    except SourceError as refusal:
        line = str(refusal)
    assert "\n" not in line
    return [], line
