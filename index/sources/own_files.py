"""Own files: a file or a folder of a person's own, followed and read again when it changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from index.paper import Paper
from index.sources.files import read_file
from index.sources.records import Skipped, SourceError
from index.sources.source import Page
from index.sources.web import Web

PAGE = 500
"""Records of a page."""
SUFFIXES = frozenset(
    ".txt .text .md .markdown .jsonl .ndjson .json .csv .tsv .tab .bib .bibtex .ris .nbib .ciw".split()
)
"""What is taken from a folder, where other things lie about; also gzipped."""


class FileSource:
    """The records of a file, or of the files in a folder."""

    def __init__(self, path: str) -> None:
        self.name = f"file:{path}"
        self._path = Path(path).expanduser()

    def pages(self, web: Web, state: Mapping[str, Any]) -> Iterator[Page]:  # noqa: ARG002 - as Source has it
        """The records of what changed since; a file counts as read once all of it is stored.

        Raises:
            SourceError: there is no such file, or it cannot be read.
        """
        read: dict[str, str] = dict(state.get("read") or {})
        files = self._files()
        for path in files:
            try:
                digest = hashlib.sha256(path.read_bytes()).hexdigest()
            except OSError as error:
                if len(files) == 1:
                    raise SourceError(f"cannot read {path}: {error.strerror}; check it") from None
                digest = ""
            if read.get(str(path)) == digest:
                continue
            try:
                for records in _pages(read_file(path)):
                    yield Page(records=records, state={"read": read})
            except SourceError as error:
                if not self._path.is_dir():
                    raise
                # One file of a folder costs only itself, and is tried again when it changed.
                yield Page(records=(Skipped(str(path), str(error)),), state={"read": read})
            read = {**read, str(path): digest}
            yield Page(records=(), state={"read": read})

    def _files(self) -> list[Path]:
        if not self._path.is_dir():
            return [self._path]
        found = [
            path
            for path in sorted(self._path.rglob("*"))
            if path.is_file() and _has_records(path.relative_to(self._path))
        ]
        if not found:
            raise SourceError(
                f"no file in {self._path} is of a kind Footnote reads; put .bib, .ris, .csv, .json "
                "or .txt files there"
            )
        return found


def _has_records(path: Path) -> bool:
    hidden = any(part.startswith(".") for part in path.parts)
    suffixes = [suffix.casefold() for suffix in path.suffixes]
    last = next((s for s in reversed(suffixes) if s not in {".gz", ".gzip"}), "")
    return last in SUFFIXES and not hidden


def _pages(records: Iterator[Paper | Skipped]) -> Iterator[tuple[Paper | Skipped, ...]]:
    while page := tuple(islice(records, PAGE)):
        yield page
