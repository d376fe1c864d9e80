"""Papers written for other tools: BibTeX, RIS, CSV and JSON Lines, from the record only."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator

import rispy
from bibtexparser.entrypoint import write_string
from bibtexparser.library import Library as Bibliography
from bibtexparser.model import Entry, Field

from index.paper import Paper

Writer = Callable[[Iterable[Paper]], Iterator[str]]


def bibtex(papers: Iterable[Paper]) -> Iterator[str]:
    """One `@article` or `@misc` entry a paper; the handle is the key."""
    for paper in papers:
        fields = {
            "title": f"{{{paper.title}}}",
            "author": " and ".join([*paper.authors, *(["others"] * paper.authors_truncated)]),
            "year": paper.published[:4],
            "month": paper.published[5:7],
            "journal": paper.venue,
            "url": paper.link,
            "eprint": paper.id.partition(":")[2] if paper.id.startswith("arxiv:") else "",
            "archiveprefix": "arXiv" if paper.id.startswith("arxiv:") else "",
            "doi": paper.id.partition(":")[2] if paper.id.startswith("doi:") else "",
            "abstract": paper.abstract,
        }
        entry = Entry(
            "article" if paper.venue else "misc",
            paper.handle,
            [Field(key, _balanced(value)) for key, value in fields.items() if value],
        )
        yield write_string(Bibliography([entry])) + "\n"


def ris(papers: Iterable[Paper]) -> Iterator[str]:
    """One reference a paper."""
    for paper in papers:
        reference = {
            "type_of_reference": "JOUR" if paper.venue else "GEN",
            "id": paper.handle,
            "title": paper.title,
            "authors": list(paper.authors),
            "year": paper.published[:4],
            "date": paper.published.replace("-", "/"),
            "secondary_title": paper.venue,
            "abstract": paper.abstract,
            "urls": list(paper.links),
            "doi": paper.id.partition(":")[2] if paper.id.startswith("doi:") else "",
            "accession_number": paper.id,
        }
        yield rispy.dumps([{key: value for key, value in reference.items() if value}]) + "\n"


def table(papers: Iterable[Paper]) -> Iterator[str]:
    """A header, then a row a paper."""
    names = ["id", "handle", "title", "authors", "published", "venue", "url", "abstract"]
    yield _row(names)
    for paper in papers:
        yield _row(
            [
                paper.id,
                paper.handle,
                paper.title,
                "; ".join(paper.authors),
                paper.published,
                paper.venue,
                paper.link,
                paper.abstract,
            ]
        )


def json_lines(papers: Iterable[Paper]) -> Iterator[str]:
    """One object a line, which `add` reads back."""
    for paper in papers:
        record = {
            "id": paper.id,
            "title": "" if paper.title_derived else paper.title,
            "abstract": paper.abstract,
            "authors": list(paper.authors),
            "published": paper.published,
            "updated": paper.updated,
            "venue": paper.venue,
            "categories": list(paper.categories),
            "url": paper.link,
            "status": paper.status.value,
        }
        yield json.dumps(record, ensure_ascii=False) + "\n"


FORMATS: dict[str, Writer] = {"bibtex": bibtex, "ris": ris, "csv": table, "jsonl": json_lines}


def _row(values: list[str]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerow(values)
    return buffer.getvalue()


def _balanced(value: str) -> str:
    """A value whose braces close, since one that stays open swallows the rest of the file."""
    depth = 0
    for letter in value:
        depth += (letter == "{") - (letter == "}")
        if depth < 0:
            break
    return value if depth == 0 else value.replace("{", "").replace("}", "")
