"""What recorded answers and exports of services give: papers, and why the rest is none.

    python -m tests.bench.payloads FOLDER

FOLDER holds a folder for each service, named as in `READERS`. Each file's records are counted
apart from the parser that reads them, so that one that loses records shows.
"""

from __future__ import annotations

import csv
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from index.paper import Paper
from index.sources.arxiv.feed import read_feed
from index.sources.arxiv.listing import read_listing
from index.sources.files import read_file
from index.sources.openalex import read_work
from index.sources.openreview import read_note
from index.sources.records import Skipped, SourceError
from index.sources.semantic_scholar import read_paper

# The one in C, which is as safe and ten times as fast, where it is built.
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
Records = list[Paper | Skipped]


@dataclass
class Read:
    """What a file gave."""

    name: str
    records: Records = field(default_factory=list)
    arrived: int | None = None
    """Records counted without the parser; None where the form has no marks to count."""
    refused: str = ""
    """The line that refuses the whole file."""

    @property
    def papers(self) -> int:
        """Records that became papers."""
        return sum(isinstance(one, Paper) for one in self.records)

    @property
    def reasons(self) -> Counter[str]:
        """Why the others did not, with names and numbers left out."""
        return Counter(
            re.sub(r"\d+", "N", re.sub(r"['\"].*?['\"]", "…", one.reason))
            for one in self.records
            if isinstance(one, Skipped)
        )

    @property
    def adds_up(self) -> bool:
        """Whether every record that arrived became a paper or a reason."""
        return self.arrived is None or self.arrived == len(self.records)


def _arxiv(path: Path) -> Iterator[Read]:
    if path.suffix == ".xml":
        body = path.read_bytes()
        feed = read_feed(body)
        faults = [Skipped(path.name, fault) for fault in feed.faults]
        yield Read(path.name, [*feed.entries, *faults], body.count(b"<entry>"))


def _rss(path: Path) -> Iterator[Read]:
    if path.suffix == ".xml":
        body = path.read_bytes()
        yield Read(path.name, [one for one, _ in read_listing(body).items], body.count(b"<item>"))


def _export(path: Path) -> Iterator[Read]:
    count = _COUNTS.get(path.suffix)
    if count or path.suffix == ".xlsx":
        arrived = count(path) if count else None
        try:
            yield Read(path.name, list(read_file(path)), arrived)
        except SourceError as refusal:
            yield Read(path.name, [], None, str(refusal))


def _bib_entries(path: Path) -> int:
    text = path.read_bytes().decode("utf-8-sig", "replace")
    kinds = re.findall(r"(?m)^[ \t]*@[ \t]*(\w+)\s*[{(]", text)
    return sum(kind.casefold() not in {"comment", "string", "preamble"} for kind in kinds)


def _ris_entries(path: Path) -> int:
    # MEDLINE begins a record with its number, the Web of Science with the kind of publication.
    return len(
        re.findall(rb"(?m)^(?:\xef\xbb\xbf)?\s*(?:TY  ?-|PMID- |PT [A-Z]\b)", path.read_bytes())
    )


def _rows(path: Path) -> int:
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as opened:
        head = opened.read(4000)
        opened.seek(0)
        first = head.partition("\n")[0]
        mark = max(",;\t", key=first.count)
        rows = [row for row in csv.reader(opened, delimiter=mark) if any(c.strip() for c in row)]
    # Some exports say what was searched for above the heading, in far fewer cells.
    filled = [sum(bool(cell.strip()) for cell in row) for row in rows]
    heading = next((n for n, cells in enumerate(filled) if 2 * cells >= max(filled)), 0)
    return len(rows) - heading - 1


_COUNTS: dict[str, Callable[[Path], int]] = {
    ".bib": _bib_entries, ".ris": _ris_entries, ".csv": _rows, ".tsv": _rows,
}  # fmt: skip


def _openalex(path: Path) -> Iterator[Read]:
    if path.name.startswith("works"):
        works = json.loads(path.read_bytes())
        yield Read(path.name, [read_work(one) for one in works], len(works))
    else:
        yield from _export(path)


def _openreview(path: Path) -> Iterator[Read]:
    if path.suffix == ".jsonl":
        notes = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    elif path.suffix == ".json":
        body = json.loads(path.read_bytes())
        notes = list(_notes(body))
    else:
        return
    if notes:
        name = path.name if path.parent.name == "openreview" else f"{path.parent.name}/{path.name}"
        yield Read(name, [read_note(one, submissions=True) for one in notes], len(notes))


def _notes(body: Any) -> Iterator[Any]:
    """Whatever in an answer has the form of a note."""
    if isinstance(body, dict) and isinstance(body.get("content"), dict) and "id" in body:
        yield body
    elif isinstance(body, dict | list):
        for inner in body.values() if isinstance(body, dict) else body:
            yield from _notes(inner)


def _semantic_scholar(path: Path) -> Iterator[Read]:
    if path.suffix == ".yaml":
        taped = yaml.load(path.read_text("utf-8"), Loader=LOADER)["interactions"]  # noqa: S506 - a safe one
        papers = [one for act in taped for one in _taped(act)]
        if papers:
            yield Read(path.name, [read_paper(one) for one in papers], len(papers))
    elif path.name.startswith("Paper"):
        yield Read(path.name, [read_paper(json.loads(path.read_bytes()))], 1)


def _taped(act: dict[str, Any]) -> list[Any]:
    """The papers in a recorded answer; those of other kinds of question are none."""
    if (
        not re.search(r"/paper|/papers", act["request"]["uri"])
        or "/authors?" in act["request"]["uri"]
    ):
        return []
    said = act["response"].get("content") or act["response"]["body"]["string"]
    try:
        body = json.loads(said)
    except ValueError:
        return []
    if isinstance(body, list):
        return body
    if "paperId" in body:
        return [body]
    rows = body.get("data") or body.get("recommendedPapers") or []
    return [row.get("citedPaper") or row.get("citingPaper") or row for row in rows]


READERS: dict[str, Callable[[Path], Iterator[Read]]] = {
    "arxiv_api": _arxiv,
    "arxiv_rss": _rss,
    "bibtex_nasty": _export,
    "openalex": _openalex,
    "openreview": _openreview,
    "ris_nasty": _export,
    "semantic_scholar": _semantic_scholar,
    "zotero_exports": _export,
}


def read_folder(folder: Path) -> list[Read]:
    """All files of a service's folder that hold papers."""
    found = []
    for path in sorted(one for one in folder.rglob("*") if one.is_file()):
        try:
            found += READERS[folder.name](path)
        except SourceError as refusal:
            found.append(Read(path.name, refused=str(refusal)))
    return found


def main(root: Path) -> None:
    """Print a line a file and a sum a folder."""
    for name in READERS:
        read = read_folder(root / name)
        reasons = sum((one.reasons for one in read), Counter())
        for one in read:
            said = "; ".join(f"{n} {reason}" for reason, n in one.reasons.items())
            odd = "" if one.adds_up else f"  ! {one.arrived} arrived"
            print(f"  {one.name}: {one.papers} papers{odd}  {one.refused or said}")
        print(
            f"{name}: {len(read)} files, {sum(len(one.records) for one in read)} records, "
            f"{sum(one.papers for one in read)} papers, {reasons.total()} skipped, "
            f"{sum(bool(one.refused) for one in read)} files refused"
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
