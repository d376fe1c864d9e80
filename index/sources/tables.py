"""CSV and TSV, as reference managers and databases export them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from index.paper import Paper
from index.sources.fields import is_record_header, normal, record_of
from index.sources.records import RecordError, Skipped, make_paper

_DELIMITERS = (",", "\t", ";", "|")
_PREAMBLE = 30
"""Lines before the header that databases fill with the search and the date."""


def has_header(head: str) -> bool:
    """Whether a line near the start names columns of papers."""
    return _header(head, limit=2) is not None


def read_table(text: str, name: str) -> Iterator[Paper | Skipped]:
    """Each row below the header; a row is placed by the line on which it ends."""
    found = _header(text, limit=_PREAMBLE)
    if not found:
        yield Skipped(f"{name}:1", "no header row with a title or an abstract column")
        return
    start, delimiter, _ = found
    skipped_lines = text.count("\n", 0, start)
    reader = csv.reader(io.StringIO(text[start:].replace("\0", "")), delimiter=delimiter)
    csv.field_size_limit(2**27)
    columns: list[str] = []
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            yield Skipped(f"{name}:{skipped_lines + reader.line_num}", f"broken row: {error}")
            continue
        if row is None:
            return
        if not columns:
            columns = [normal(cell) for cell in row]
        elif any(cell.strip() for cell in row):
            yield _paper(columns, row, f"{name}:{skipped_lines + reader.line_num}", name)


def _paper(columns: list[str], row: list[str], where: str, name: str) -> Paper | Skipped:
    fields: dict[str, str] = {}
    for column, cell in zip(columns, row, strict=False):
        # Excel's `="0012"` keeps leading zeros.
        value = re.sub(r'^="?(.*?)"?$', r"\1", cell.strip(), flags=re.DOTALL)
        if column and value and column not in fields:
            fields[column] = value
    if len(row) > len(columns) and any(cell.strip() for cell in row[len(columns) :]):
        return Skipped(
            where,
            f"{len(row)} cells under {len(columns)} columns; quote cells that hold the delimiter",
        )
    try:
        return make_paper(record_of(fields), f"file:{name}")
    except RecordError as error:
        return Skipped(where, str(error))


def _header(text: str, limit: int) -> tuple[int, str, list[str]] | None:
    """Offset, delimiter and columns of the header row."""
    start = 0
    for _ in range(limit):
        end = text.find("\n", start)
        line = text[start : len(text) if end < 0 else end]
        for delimiter in sorted(_DELIMITERS, key=line.count, reverse=True):
            if delimiter not in line or len(line) > 20000:
                continue
            columns = next(csv.reader([line], delimiter=delimiter), [])
            if is_record_header(columns) and all(len(c) < 120 for c in columns):
                return start, delimiter, columns
        if end < 0:
            return None
        start = end + 1
    return None
