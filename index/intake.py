"""Intake: what becomes of a batch of records, and storing it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from index.embed import EmbeddingModel
from index.errors import LibraryError
from index.handles import make_handle
from index.merge import embedded_text, merged
from index.paper import Paper
from index.papers import Conflict, Papers
from index.reports import AddReport
from index.sources.records import Skipped

TRIES = 5
"""How often a batch is begun again after another process stored the same papers."""


class Intake:
    """Stores papers: new ones added, changed ones updated, the rest left alone."""

    def __init__(self, papers: Papers, model: EmbeddingModel) -> None:
        self._papers = papers
        self._model = model

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

    def _compared(
        self, batch: list[Paper | Skipped]
    ) -> tuple[AddReport, list[tuple[int | None, Paper, bool]]]:
        """What becomes of a batch, and what is to be stored: (row, paper, whether to embed it)."""
        report = AddReport(read=len(batch), skipped=[r for r in batch if isinstance(r, Skipped)])
        fresh: dict[str, tuple[int | None, Paper, bool]] = {}
        for record in batch:
            if isinstance(record, Skipped):
                continue
            pending = fresh.get(record.id)
            stored = (pending[0], pending[1]) if pending else self._papers.one("id = ?", record.id)
            if stored is None:
                fresh[record.id] = (None, record, True)
                report.added += 1
                continue
            row, old = stored
            new = merged(old, record)
            if new == old:
                report.unchanged += 1
                continue
            again = (new.title, new.abstract) != (old.title, old.abstract)
            fresh[record.id] = (row, new, again or bool(pending and pending[2]))
            report.updated += 1
        return report, list(fresh.values())

    def _store(self, entries: list[tuple[int | None, Paper, bool]]) -> None:
        if not entries:
            return
        handles: set[str] = set()
        papers: list[tuple[int | None, Paper]] = []
        for row, paper, _ in entries:
            named = paper
            if not paper.handle:
                named = replace(
                    paper, handle=make_handle(paper, lambda h: h in handles or self._taken(h))
                )
            handles.add(named.handle)
            papers.append((row, named))
        new = [i for i, (_, _, embed) in enumerate(entries) if embed]
        matrix = self._model.encode_documents([embedded_text(papers[i][1]) for i in new])
        vectors: list[Any] = [None] * len(entries)
        for place, i in enumerate(new):
            vectors[i] = matrix[place]
        self._papers.put(papers, vectors)

    def _taken(self, handle: str) -> bool:
        return self._papers.one("handle = ?", handle) is not None
