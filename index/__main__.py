"""Papers from the shell: `python -m index [add|fetch|sync|search|similar|show|info|check|…]`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import typer

from index.commandline import run
from index.errors import LibraryError
from index.fetching import fetch, sync
from index.finding import open_library, search, similar
from index.library import AddReport, Library
from index.paper import Paper, Status
from index.removing import remove
from index.settings import load_index_settings
from index.shell import AsJson, BadInput, advance, bar, out, print_json, print_report
from index.sources.files import read_file
from index.sources.records import Skipped, SourceError
from index.text.tex import readable

app = typer.Typer(
    help="The library of papers. LIBRARY_DIR says where it is kept (data/library).",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.command()
def add(files: list[Path], as_json: AsJson = False) -> None:
    """Add papers from text, JSON Lines, CSV, BibTeX or RIS files (gzip too)."""
    settings = load_index_settings()
    # Every file is begun before the first is added: a slip of the pen changes nothing.
    readers = [_begun(read_file(path)) for path in files]
    total = AddReport()
    with Library.open(settings.library_dir, settings.embeddings, create=True) as library:
        try:
            with bar("adding") as progress:
                task = progress.add_task("adding", total=None)
                for reader in readers:
                    total.take(library.add(reader, advance(progress, task, total.read)))
        except KeyboardInterrupt:
            print(
                f"Interrupted: the library holds {len(library):,} papers; all that were reported as "
                "added are kept, and adding the same files again goes on from there.",
                file=sys.stderr,
            )
            raise typer.Exit(130) from None
    print_report(total, as_json=as_json)


app.command()(fetch)
app.command()(sync)
app.command()(search)
app.command()(similar)
app.command()(remove)


@app.command()
def show(paper: str, as_json: AsJson = False) -> None:
    """One paper: an id, link, handle or title."""
    with open_library() as library:
        found = library.require(paper)
        card = library.card(found.id)
    facets = {
        str(facet.value): [{"sentence": x.sentence, "text": x.text} for x in lines]
        for facet, lines in card.facets.items()
    }
    if as_json:
        told = {
            "roles": [role.value for role in card.roles],
            "figures": [asdict(figure) for figure in card.figures],
            "datasets": list(card.datasets),
            "methods": list(card.methods),
        }
        print_json({**_record(found), "card": facets, **told})
        return
    out.print(f"{readable(found.title)}", style="bold", markup=False)
    derived = " · title from its own words" if found.title_derived else ""
    flag = "" if found.status is Status.ACTIVE else f" · {found.status.value.upper()}"
    out.print(f"{found.handle} · {found.id}{derived}{flag}", markup=False)
    byline = ", ".join(found.authors) or "authors unknown"
    out.print(byline + (" et al." if found.authors_truncated else ""), markup=False)
    dates = f"first posted {found.published}" if found.published else ""
    if found.updated and found.updated != found.published:
        dates += f", revised {found.updated}" + (f" (v{found.version})" if found.version else "")
    out.print(" · ".join(x for x in (found.venue, dates, *found.links) if x), markup=False)
    out.print("")
    out.print(readable(found.abstract) or "no abstract is available", markup=False)


@app.command()
def info(as_json: AsJson = False) -> None:
    """The library in figures."""
    with open_library() as library:
        facts = library.info()
    rows = {
        "directory": str(facts.directory),
        "papers": facts.papers,
        "bundled": facts.bundled,
        "embeddings": facts.embeddings,
        "sources": facts.sources,
        "years": facts.years,
        "last_added": facts.last_added,
    }
    if as_json:
        print_json(rows)
        return
    for name, value in rows.items():
        shown = (
            ", ".join(f"{k}: {v}" for k, v in value.items()) if isinstance(value, dict) else value
        )
        out.print(f"{name.replace('_', ' ')}: {shown}", markup=False)


@app.command()
def check(as_json: AsJson = False) -> None:
    """Whether the files of the library are whole and agree with each other."""
    with open_library() as library:
        problems = library.check()
        count = len(library)
    if as_json:
        print_json({"papers": count, "problems": problems})
    else:
        out.print("\n".join(problems) or f"{count:,} papers, no problems.", markup=False)
    if problems:
        raise typer.Exit(2)


@app.command()
def rebuild() -> None:
    """Make the vectors and the full-text index again, with the embeddings now set."""
    from index.rebuild import rebuild as make_again

    settings = load_index_settings()
    with bar("embedding") as progress:
        task = progress.add_task("embedding", total=None)
        count = make_again(settings.library_dir, settings.embeddings, advance(progress, task))
    out.print(f"{count:,} papers embedded with {settings.embeddings}.")


@app.command()
def evaluate(
    directories: list[Path],
    cache: Annotated[
        Path | None, typer.Option(help="Folder to keep the vectors of collections in.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Search quality over collections: corpus.jsonl, queries.jsonl and qrels.tsv in a folder."""
    from index.evaluate import evaluate as measure

    settings = load_index_settings()
    results: list[dict[str, Any]] = []
    for directory in directories:
        with bar(directory.name) as progress:
            task = progress.add_task(directory.name, total=None)
            results.append(
                measure(
                    directory,
                    settings.embeddings,
                    advance(progress, task),
                    cache,
                )
            )
    if as_json:
        print_json(results[0] if len(results) == 1 else results)
        return
    for result in results:
        out.print("  ".join(f"{name} {value}" for name, value in result.items()), markup=False)


@app.command()
def export(
    form: Annotated[str, typer.Option("--format", help="bibtex, ris, csv or jsonl.")] = "bibtex",
) -> None:
    """Write the whole library to stdout."""
    from index.export import FORMATS

    if form not in FORMATS:
        raise BadInput(f"--format {form!r} is not known; write one of {', '.join(FORMATS)}")
    with open_library() as library:
        for text in FORMATS[form](library.papers()):
            sys.stdout.write(text)


def _begun(records: Iterator[Paper | Skipped]) -> Iterator[Paper | Skipped]:
    """The same records, the first one already read."""
    return chain([next(records)], records)


def _record(paper: Paper) -> dict[str, Any]:
    return {
        "id": paper.id,
        "handle": paper.handle,
        "title": paper.title,
        "title_derived": paper.title_derived,
        "authors": list(paper.authors),
        "published": paper.published,
        "updated": paper.updated,
        "venue": paper.venue,
        "categories": list(paper.categories),
        "links": list(paper.links),
        "status": paper.status.value,
        "source": paper.source,
        "abstract": paper.abstract,
    }


def entry() -> None:
    """Run the command line."""
    sys.exit(run(app, "python -m index", (LibraryError, SourceError)))


if __name__ == "__main__":
    entry()
