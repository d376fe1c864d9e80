"""Intake: what becomes of a batch of records, and storing it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from index import origins
from index.embed import EmbeddingModel
from index.errors import LibraryError
from index.handles import make_handle
from index.merge import embedded_text, merged
from index.paper import Paper
from index.papers import Conflict, Papers
from index.reports import AddReport
from index.sources.records import Skipped
from index.twins import Twins, contradiction, names, one_work

TRIES = 5
"""How often a batch is begun again after another process stored the same papers."""


@dataclass(slots=True)
class _Entry:
    """A paper to be stored."""

    row: int | None
    paper: Paper
    embed: bool
    given: dict[str, str]
    """Field -> source."""
    absorbed: list[tuple[int, str]] = field(default_factory=list)
    """Rows and ids of stored papers that turned out to be this one."""


class Intake:
    """Stores papers: new ones added, changed ones updated, the rest left alone."""

    def __init__(self, papers: Papers, model: EmbeddingModel) -> None:
        self._papers = papers
        self._model = model
        self._twins = Twins(papers)

    def add(self, batch: list[Paper | Skipped]) -> AddReport:
        """Store a batch; where another writer was quicker with the same papers, look again."""
        for _ in range(TRIES):
            report, entries = self._compared(batch)
            try:
                self._store(entries)
            except Conflict:
                continue
            return report
        raise LibraryError(
            "another process keeps adding the same papers; when it has ended, add them again"
        )

    def _compared(self, batch: list[Paper | Skipped]) -> tuple[AddReport, list[_Entry]]:
        """What becomes of a batch, and what is to be stored."""
        report = AddReport(read=len(batch), skipped=[r for r in batch if isinstance(r, Skipped)])
        pending = _Pending()
        for record in batch:
            if not isinstance(record, Skipped):
                self._take(record, pending, report)
        return report, pending.entries

    def _take(self, record: Paper, pending: _Pending, report: AddReport) -> None:
        entry = pending.of(record)
        if entry is None:
            found = self._twins.find(record)
            entry = next((e for row, _ in found if (e := pending.at(row))), None)
        else:
            found = []
        if entry is None and not found:
            made = dict.fromkeys(origins.FIELDS, record.source)
            pending.add(_Entry(None, record, embed=True, given=made))
            report.added += 1
            report.stored[record.id] = record.id
            return
        if entry is None:
            row, old = found[0]
            known = origins.of(self._papers.connection, row)
        else:
            row, old, known = entry.row, entry.paper, {**entry.given}  # type: ignore[assignment]
        if why := contradiction(old, record):
            report.skipped.append(Skipped(record.source or record.id, why))
            return
        result = merged(old, record, known)
        paper, given, gone = result.paper, dict(result.given), []
        for other_row, other in found[1:] if entry is None else ():
            if contradiction(paper, other):
                continue
            joined = merged(paper, other, {**known, **given})
            paper, given = joined.paper, {**given, **joined.given}
            gone.append((other_row, other.id))
        report.stored[record.id] = paper.id
        if paper == old and not gone:
            report.unchanged += 1
            return
        report.updated += 1
        again = (paper.title, paper.abstract) != (old.title, old.abstract)
        if entry is None:
            pending.add(_Entry(row, paper, again, given, gone))
        else:
            entry.paper, entry.embed = paper, entry.embed or again
            entry.given |= given
            pending.know(entry)

    def _store(self, entries: list[_Entry]) -> None:
        if not entries:
            return
        handles: set[str] = set()
        papers: list[tuple[int | None, Paper]] = []
        for entry in entries:
            named = entry.paper
            if not named.handle:
                named = replace(
                    named, handle=make_handle(named, lambda h: h in handles or self._taken(h))
                )
            handles.add(named.handle)
            papers.append((entry.row, named))
        new = [i for i, entry in enumerate(entries) if entry.embed]
        matrix = self._model.encode_documents([embedded_text(papers[i][1]) for i in new])
        vectors: list[Any] = [None] * len(entries)
        for place, i in enumerate(new):
            vectors[i] = matrix[place]
        fields: list[Mapping[str, str]] = [entry.given for entry in entries]
        absorbed = [
            (row, was, place) for place, entry in enumerate(entries) for row, was in entry.absorbed
        ]
        self._papers.put(papers, vectors, fields, absorbed)

    def _taken(self, handle: str) -> bool:
        found = self._papers.connection.execute("SELECT 1 FROM papers WHERE handle = ?", (handle,))
        return found.fetchone() is not None


class _Pending:
    """The papers of a batch that are not stored yet, by every id they go by."""

    def __init__(self) -> None:
        self.entries: list[_Entry] = []
        self._by_id: dict[str, _Entry] = {}
        self._by_row: dict[int, _Entry] = {}

    def add(self, entry: _Entry) -> None:
        self.entries.append(entry)
        self.know(entry)

    def know(self, entry: _Entry) -> None:
        for name in names(entry.paper):
            self._by_id.setdefault(name, entry)
        if entry.row is not None:
            self._by_row[entry.row] = entry

    def of(self, record: Paper) -> _Entry | None:
        """The one that a record is of."""
        for name in names(record):
            entry = self._by_id.get(name)
            if entry and (not name.startswith("title:") or one_work(entry.paper, record)):
                return entry
        return None

    def at(self, row: int) -> _Entry | None:
        return self._by_row.get(row)
