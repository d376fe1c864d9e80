"""`python -m index search` and `similar`: finding papers from the shell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime
from typing import Annotated, Any

import typer

from index.filters import Filters
from index.library import Found, Hit, Library
from index.paper import Paper, Status
from index.query import parse
from index.query.dates import period
from index.settings import load_index_settings
from index.shell import AsJson, BadInput, err, out, print_json
from index.text.tex import readable

Count = Annotated[int, typer.Option("-k", "--count", min=1, max=1000, help="How many papers.")]


def search(
    query: str,
    count: Count = 10,
    year: Annotated[str, typer.Option(help="2025, 2020..2025, 2020.. or ..2019.")] = "",
    since: Annotated[str, typer.Option(help="2025, 2025-03, 2025-03-14 or 'last month'.")] = "",
    until: Annotated[
        str, typer.Option(help="As --since; the day, month or year is included.")
    ] = "",
    author: Annotated[str, typer.Option(help="A name or a part of it.")] = "",
    venue: Annotated[str, typer.Option(help="For example ICLR.")] = "",
    category: Annotated[str, typer.Option(help="For example cs.CL.")] = "",
    source: Annotated[str, typer.Option(help="For example arxiv.")] = "",
    status: Annotated[str, typer.Option(help="active, withdrawn or retracted.")] = "",
    as_json: AsJson = False,
) -> None:
    """Find papers by words and meaning.

    Words such as "since March", "by Yu Chen", "without surveys" and "newest" are understood; how
    they were read is said on stderr.
    """
    if not query.strip():
        raise BadInput("nothing to look for; write a topic, as in: search 'graph transformers'")
    today = datetime.now().astimezone().date()
    filters = Filters(
        years=_years(year),
        dates=_dates(since, until, today),
        author=author or None,
        venue=venue or None,
        category=category or None,
        source=source or None,
        statuses=_statuses(status),
    )
    with open_library() as library:
        found = library.ask(parse(query, today=today), count, filters)
    for line in found.echo:
        err.print(line, markup=False, soft_wrap=True)
    _print(found, as_json=as_json)


def similar(paper: str, count: Count = 10, as_json: AsJson = False) -> None:
    """Papers near to one: an id, link, handle or title."""
    with open_library() as library:
        found = library.like(library.require(paper).id, count)
    _print(found, as_json=as_json)


def open_library() -> Library:
    """The person's library, or the bundled notes.

    Raises:
        BadInput: it is empty.
    """
    settings = load_index_settings()
    library = Library.open_or_bundled(settings.library_dir, settings.embeddings)
    if library.bundled:
        err.print("The bundled notes are read; `python -m index add FILE` begins your own library.")
    if not len(library):
        library.close()
        raise BadInput("the library is empty; `python -m index add FILE` puts papers in")
    return library


def _years(text: str) -> tuple[int | None, int | None] | None:
    if not text:
        return None
    match = re.fullmatch(r"(\d{4})?(\.\.)?(\d{4})?", text.strip())
    if not match or not (match[1] or match[3]):
        raise BadInput(f"--year {text!r} is no range; write 2025, 2020..2025, 2020.. or ..2019")
    first = int(match[1]) if match[1] else None
    last = int(match[3]) if match[3] else None
    if not match[2]:
        return first, first
    if first and last and first > last:
        raise BadInput(f"--year {text!r} runs backwards; write {last}..{first}")
    return first, last


def _dates(since: str, until: str, today: date) -> tuple[str | None, str | None] | None:
    first = _period("--since", since, today)
    last = _period("--until", until, today)
    if first and last and first[0] > last[1]:
        raise BadInput(f"--since {since} is after --until {until}; write them the other way round")
    if not first and not last:
        return None
    return (first[0].isoformat() if first else None, last[1].isoformat() if last else None)


def _period(option: str, text: str, today: date) -> tuple[date, date] | None:
    if not text.strip():
        return None
    found = period(text, today)
    if not found:
        raise BadInput(
            f"{option} {text!r} is no date; write 2025, 2025-03, 2025-03-14 or 'last month'"
        )
    return found


def _statuses(text: str) -> frozenset[Status] | None:
    if not text:
        return None
    names = re.split(r"[\s,]+", text.strip().casefold())
    known = [status.value for status in Status]
    if unknown := [name for name in names if name not in known]:
        raise BadInput(f"--status {unknown[0]!r} is not known; write one of {', '.join(known)}")
    return frozenset(map(Status, names))


def _hit(hit: Hit) -> dict[str, Any]:
    paper = hit.paper
    return {
        "id": paper.id,
        "handle": paper.handle,
        "title": paper.title,
        "authors": list(paper.authors),
        "published": paper.published,
        "venue": paper.venue,
        "score": round(hit.score, 4),
        "abstract": paper.abstract,
    }


def _print(found: Found, *, as_json: bool) -> None:
    if as_json:
        print_json([_hit(hit) for hit in found.hits])
        return
    if not found.hits:
        out.print("Nothing passes these filters.")
    for number, hit in enumerate(found.hits, 1):
        paper = hit.paper
        flag = "" if paper.status is Status.ACTIVE else f" [{paper.status.value.upper()}]"
        out.print(f"{number}. {readable(paper.title)}{flag}", style="bold", markup=False)
        out.print("   " + " · ".join(_line(paper, found)), markup=False)


def _line(paper: Paper, found: Found) -> Iterator[str]:
    yield paper.handle
    if paper.authors:
        more = len(paper.authors) > 3 or paper.authors_truncated
        yield ", ".join(paper.authors[:3]) + (" et al." if more else "")
    for part in (paper.published, paper.venue, paper.link):
        if part:
            yield part
    for other in found.also.get(paper.id, ()):
        yield " ".join(filter(None, ("also", other.venue, other.link or other.id)))
