"""`python -m index fetch` and `sync`: papers from services, by hand and from cron."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from index.library import Library
from index.reports import AddReport
from index.settings import IndexSettings, load_index_settings
from index.shell import AsJson, BadInput, bar, out, print_json, print_report

if TYPE_CHECKING:
    # Imported where they are used, so that a search need not load what speaks HTTP.
    from rich.progress import Progress, TaskID

    from index.sources.source import Source
    from index.sync import Outcome

FAILED = 1
INTERRUPTED = 130


def fetch(
    source: Annotated[
        str,
        typer.Argument(
            help='arxiv:cs.CL,cs.LG (today\'s lists), arxiv:"words" or arxiv:2510.23127 (ids), '
            'openreview:ICLR.cc/2026/Conference, openalex:"words", s2:"words", '
            "zotero:users/123, or a file or folder."
        ),
    ],
    since: Annotated[str, typer.Option(help="Papers from this day on, as in 2026-01-31.")] = "",
    until: Annotated[str, typer.Option(help="Papers up to this day.")] = "",
    limit: Annotated[int, typer.Option(min=0, help="At most so many papers; 0 sets none.")] = 0,
    submissions: Annotated[
        bool, typer.Option("--submissions", help="OpenReview: all submissions, not the accepted.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Fetch papers from arXiv, OpenReview, OpenAlex, Semantic Scholar, Zotero or your own files."""
    from index.sources.catalogue import Wish, sources_of

    settings = load_index_settings()
    wish = Wish(since=since, until=until, limit=limit, submissions=submissions)
    outcomes = _run(settings, sources_of(source, settings, wish), "fetching")
    total = AddReport()
    for outcome in outcomes:
        total.take(
            AddReport(
                outcome.fetched,
                outcome.new,
                outcome.updated,
                outcome.unchanged,
                list(outcome.skipped),
            )
        )
    print_report(total, as_json=as_json)
    for outcome in outcomes:
        for said in (outcome.why, outcome.note, outcome.alarm):
            if said:
                typer.echo(f"{outcome.source}: {said}", err=True)
    _exit_if_failed(outcomes)


def sync(as_json: AsJson = False) -> None:
    """Bring everything in SOURCES up to date: new papers, from where the last time stopped."""
    from index.sources.catalogue import followed
    from index.sync import in_a_line

    settings = load_index_settings()
    logging.basicConfig(
        level=settings.log_level,
        stream=sys.stderr,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    # They log each address they call, and an address may hold a key.
    for name in ("httpx", "httpcore"):
        logging.getLogger(name).setLevel(logging.WARNING)
    sources = followed(settings)
    if not sources:
        raise BadInput(
            "SOURCES is empty; write what to follow into .env, as in SOURCES=arxiv:cs.CL,cs.LG"
        )
    outcomes = _run(settings, sources, "syncing")
    if as_json:
        print_json([outcome.to_json() for outcome in outcomes])
    else:
        for outcome in outcomes:
            out.print(in_a_line(outcome), markup=False)
    _exit_if_failed(outcomes)


def _run(settings: IndexSettings, sources: Sequence[Source], what: str) -> list[Outcome]:
    from index.sources.catalogue import web_of
    from index.sync import Interrupted, Sync, SyncBusy, WaitingClock

    stop = threading.Event()
    clock = WaitingClock(stop)
    with (
        Library.open(settings.library_dir, settings.embeddings, create=True) as library,
        web_of(settings, clock) as web,
        bar(what) as progress,
    ):
        task = progress.add_task(what, total=None)
        watch = _Counted(progress, task)
        try:
            return Sync(library, sources, web, clock=clock, stop=stop, watch=watch).run()
        except SyncBusy as busy:
            typer.echo(f"python -m index: {busy}", err=True)
            raise typer.Exit(FAILED) from None
        except (KeyboardInterrupt, Interrupted):
            progress.stop()
            typer.echo(
                f"Interrupted: {watch.stored:,} records were taken and are kept; the library "
                f"holds {len(library):,} papers, and the same command goes on from there.",
                err=True,
            )
            raise typer.Exit(INTERRUPTED) from None


class _Counted:
    """Moves the bar on by what all sources together have brought."""

    def __init__(self, progress: Progress, task: TaskID) -> None:
        self._progress = progress
        self._task = task
        self._fetched: dict[str, int] = {}

    @property
    def stored(self) -> int:
        return sum(self._fetched.values())

    def __call__(self, outcome: Outcome) -> None:
        self._fetched[outcome.source] = outcome.fetched
        self._progress.update(self._task, completed=self.stored)


def _exit_if_failed(outcomes: Sequence[Outcome]) -> None:
    if any(outcome.failed for outcome in outcomes):
        raise typer.Exit(FAILED)
