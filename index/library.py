"""Library: the one door into papers for everyone else."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from index import naming, origins
from index.announced import Announced, Announcement
from index.card import Card, make_card
from index.derived import Derived
from index.embed import EmbeddingModel, load_embeddings
from index.errors import (
    EmbeddingError,
    LibraryError,
    ModelMismatch,
    NewerSchema,
    NoLibrary,
    UnknownPaper,
)
from index.facets import Facet
from index.filters import Filters
from index.intake import Intake
from index.integrity import begun, problems
from index.paper import Paper, Status
from index.papers import Papers
from index.passages import Only, Passage, Passages
from index.query import Query, asking
from index.query.asking import Found
from index.query.spelling import meant_titles
from index.reports import AddReport, Info
from index.search import Hit, Searcher
from index.sources.records import Skipped

__all__ = [
    "AddReport",
    "EmbeddingError",
    "Facet",
    "Filters",
    "Found",
    "Hit",
    "Info",
    "Library",
    "LibraryError",
    "ModelMismatch",
    "NewerSchema",
    "NoLibrary",
    "Passage",
    "Query",
    "Status",
    "UnknownPaper",
]

BATCH = 128
"""Papers a transaction; what is reported as added is committed."""

Progress = Callable[[int, int | None], None]


class Library:
    """Papers, found by name, words and meaning. Safe to use from many threads."""

    def __init__(
        self, directory: Path, papers: Papers, model: EmbeddingModel, *, own: Path | None = None
    ) -> None:
        self.model = model
        self._own = own
        self._become(directory, papers)

    @property
    def bundled(self) -> bool:
        """True while the notes that ship with Footnote are read: the person has no library yet."""
        self._refresh()
        return self._own is not None

    def _become(self, directory: Path, papers: Papers) -> None:
        self.directory = directory
        self._papers = papers
        self._derived = Derived(directory, papers, self.model.dimension)
        self._intake = Intake(papers, self.model)
        self._announced = Announced(papers)
        self._searcher = Searcher(papers, self._derived.vectors, self._derived.postings, self.model)
        self._passages = Passages(self.model, self._searcher)
        self._derived.refresh()

    @classmethod
    def open(
        cls,
        directory: Path,
        embeddings: str = "minilm",
        *,
        create: bool = False,
        own: Path | None = None,
    ) -> Self:
        """Open the library in a folder.

        `own` is where the person's own library will be: once it begins, it is read instead.

        Raises:
            NoLibrary: there is none, and `create` is not set.
            ModelMismatch: its vectors were made by another embedding model.
            NewerSchema: it was written by a newer version.
        """
        model = load_embeddings(embeddings)
        path = directory / "papers.sqlite"
        if not create and not begun(path):
            raise NoLibrary(f"{directory} holds no library; `python -m index add FILE` begins one")
        papers = Papers.create(path, model.fingerprint) if create else Papers(path)
        try:
            papers.verify(model.fingerprint)
            return cls(directory, papers, model, own=own)
        except BaseException:
            papers.close()
            raise

    @classmethod
    def open_or_bundled(cls, directory: Path, embeddings: str = "minilm") -> Self:
        """Open the person's own library, or the bundled notes where there is none yet."""
        if directory.exists() and not directory.is_dir():
            raise NoLibrary(f"{directory} is a file; set LIBRARY_DIR to a folder")
        if begun(directory / "papers.sqlite"):
            library = cls.open(directory, embeddings)
            if len(library):
                return library
            # Begun and still empty, as after a first sync that failed: the notes serve until then.
            library.close()
        from index.sample.library import build

        return cls.open(build(cls, embeddings), embeddings, own=directory)

    def close(self) -> None:
        """Close the files."""
        self._papers.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self._papers)

    @property
    def sequence(self) -> int:
        """The number of the paper stored last; `since` counts from it."""
        return self._papers.sequence

    @property
    def generation(self) -> int:
        """Counts the writes of whatever kind: another where anything came, changed or left."""
        return self._papers.generation

    def add(
        self, records: Iterable[Paper | Skipped], progress: Progress | None = None
    ) -> AddReport:
        """Store papers: new ones added, changed ones updated, the rest left alone.

        A commit a batch: what `progress` was told of is kept whatever happens afterwards.
        """
        report = AddReport()
        iterator = iter(records)
        while batch := list(islice(iterator, BATCH)):
            report.take(self._intake.add(batch))
            # Not what was just stored alone: another process may have written in between.
            self._derived.refresh()
            if progress:
                progress(report.read, None)
        self._refresh()
        self._derived.save()
        return report

    def _refresh(self) -> None:
        """Read what other processes wrote, and the person's own library once it has begun."""
        if self._own is not None and begun(self._own / "papers.sqlite"):
            papers = Papers(self._own / "papers.sqlite")
            papers.verify(self.model.fingerprint)
            if len(papers):
                directory, self._own = self._own, None
                self._become(directory, papers)
                return
            papers.close()
        self._derived.refresh()

    @contextmanager
    def _moment(self) -> Iterator[None]:
        """One state of the table to search in: papers that others take out meanwhile are there."""
        self._refresh()
        with self._derived.snapshot():
            yield

    def get(self, name: str) -> Paper | None:
        """The paper of an id, link, DOI or handle, or None."""
        return naming.get(self._papers, name)

    def find(self, name: str, limit: int = 5) -> list[Paper]:
        """Papers that go by a name: id, link, DOI, handle, title, then a part of the title."""
        return naming.find(self._papers, name, limit)

    def require(self, name: str) -> Paper:
        """The one paper of that name.

        Raises:
            UnknownPaper: there is none.
        """
        found = self.find(name, 1)
        if not found:
            offered = " or ".join(f"“{p.title}” ({p.handle})" for p in self.offered(name))
            advice = (
                f"did you mean {offered}?"
                if offered
                else "look for it with `python -m index search`"
            )
            raise UnknownPaper(f"no paper in the library goes by {name!r}; {advice}")
        return found[0]

    def offered(self, name: str) -> list[Paper]:
        """The papers a misspelt title, name or handle was likely meant for, the likeliest first."""
        return meant_titles(self._papers, name)

    def search(self, query: str, k: int = 10, filters: Filters = Filters()) -> list[Hit]:  # noqa: B008
        """The best k papers for a query, best first; one that is named comes before all others."""
        if not query.strip() or k <= 0:
            return []
        with self._moment():
            return self._search(query, k, filters)

    def _search(self, query: str, k: int, filters: Filters) -> list[Hit]:
        hits = self._searcher.search(query, k, filters)
        named = naming.named(self._papers, query)
        if not named:
            return hits
        allowed = filters.rows(self._papers)
        ids = {paper.id for paper in named}
        if allowed is not None:
            rows = set(allowed.tolist())
            ids = {p.id for p in named if (s := self._papers.one("id = ?", p.id)) and s[0] in rows}
        scored = {hit.paper.id: hit for hit in hits}
        first = [
            replace(scored[p.id], exact=True, score=1.0)
            if p.id in scored
            else Hit(paper=p, score=1.0, cosine=1.0, coverage=1.0, exact=True)
            for p in named
            if p.id in ids
        ]
        return (first + [hit for hit in hits if hit.paper.id not in ids])[:k]

    def ask(self, query: Query, k: int = 10, filters: Filters = Filters()) -> Found:  # noqa: B008
        """The best k papers for what a person's words ask (`index.query.parse`), best first.

        `filters` hold besides what the words say.
        """
        return asking.ask(self._papers, self.search, query, k, filters)

    def like(self, paper_id: str, k: int = 10) -> Found:
        """As `similar`, each paper once and no other record of the same paper."""
        paper = self.require(paper_id)
        return asking.like(lambda count: self.similar(paper.id, count), paper, k)

    def similar(
        self,
        paper_id: str,
        k: int = 10,
        filters: Filters = Filters(),  # noqa: B008
        exclude: Collection[str] = (),
        facet: Facet | None = None,
    ) -> list[Hit]:
        """Papers near to one, in a facet of it or on the whole, never itself nor those excluded."""
        with self._moment():
            row, paper = self._row(paper_id)
            rows = filters.rows(self._papers)
            hits = self._searcher.similar(row, paper, k + len(exclude), rows, facet)
        return [hit for hit in hits if hit.paper.id not in exclude][:k]

    def score(self, query: str, paper_ids: Sequence[str]) -> list[Hit]:
        """These papers against a query, best first, with the scores of `search`."""
        if not paper_ids or not query.strip():
            return []
        with self._moment():
            return self._searcher.search(query, len(paper_ids), Filters(ids=frozenset(paper_ids)))

    def passages(
        self, question: str, paper_ids: Sequence[str], k: int = 8, only: Only | None = None
    ) -> list[Passage]:
        """The sentences of these papers that are nearest to a question, best first.

        `only` gives the numbers of the sentences that count, by the paper's id.
        """
        return self._passages.best(question, [self._row(name)[1] for name in paper_ids], k, only)

    def card(self, paper_id: str) -> Card:
        """What a paper says by facet."""
        return make_card(self._row(paper_id)[1])

    def _row(self, name: str) -> tuple[int, Paper]:
        found = self._papers.one("id = ?", self.require(name).id)
        if found is None:
            raise UnknownPaper(f"{name!r} has left the library")
        return found

    def since(self, sequence: int) -> list[tuple[int, Paper]]:
        """(sequence, paper) of those stored after that number, oldest first."""
        return self._papers.since(sequence)

    def papers(self) -> Iterator[Paper]:
        """All papers in the order they were stored."""
        for _, paper in self._papers.many("1"):
            yield paper

    def delete(self, names: Iterable[str]) -> int:
        """Take papers out, by id, link, handle or title; how many there were.

        Raises:
            UnknownPaper: one is not there; then none is taken out.
        """
        rows = [self._row(name)[0] for name in names]
        count = self._papers.delete(list(dict.fromkeys(rows)))
        self._refresh()
        self._derived.save()
        return count

    def origins(self, name: str) -> dict[str, str]:
        """Which source each field of a paper came from."""
        return origins.of(self._papers.connection, self._row(name)[0])

    def source_state(self, name: str) -> dict[str, Any]:
        """How far a source was read; empty where it never was."""
        return self._announced.state(name)

    def source_states(self) -> dict[str, dict[str, Any]]:
        """The same of every source, by name."""
        return self._announced.states()

    def save_source_state(self, name: str, state: Mapping[str, Any]) -> None:
        """Keep how far a source was read."""
        self._announced.save_state(name, state)

    def announce(self, source: str, batch: str, kinds: Mapping[str, str]) -> None:
        """Keep how a list announced papers, by their ids."""
        self._announced.announce(source, batch, kinds)

    def announcements(self, paper_ids: Iterable[str]) -> dict[str, list[Announcement]]:
        """Id -> how lists announced the paper; those of no list are no key."""
        return self._announced.of(paper_ids)

    def batches(self, source: str) -> list[tuple[str, dict[str, int]]]:
        """(batch, how many of each kind) of a source, oldest first."""
        return self._announced.batches(source)

    def info(self) -> Info:
        """The library in figures."""
        count = self._papers.connection.execute
        return Info(
            directory=self.directory,
            papers=len(self),
            bundled=self.bundled,
            embeddings=self.model.fingerprint,
            sources={
                str(s): int(n)
                for s, n in count("SELECT source, count(*) FROM papers GROUP BY 1 ORDER BY 2 DESC")
            },
            years={
                str(y or "unknown"): int(n)
                for y, n in count("SELECT year, count(*) FROM papers GROUP BY 1 ORDER BY 1")
            },
            last_added=str(count("SELECT coalesce(max(added), '') FROM papers").fetchone()[0]),
        )

    def check(self) -> list[str]:
        """What is wrong with the files; an empty list is a healthy library."""
        self._refresh()
        found = problems(self._papers, self._derived.vectors, self.model.dimension)
        return found + self._derived.problems()
