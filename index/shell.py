"""What the commands of `python -m index` share: how they print, and how they show progress."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)

from index.errors import LibraryError
from index.reports import AddReport

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON alone on stdout.")]

out = Console(soft_wrap=True, highlight=False)
err = Console(stderr=True, highlight=False)

SHOWN = 20
"""Skipped records that are named; the rest is counted."""


class BadInput(LibraryError):
    """What was written cannot be used; the message says what to write instead."""


def bar(what: str) -> Progress:
    """A progress bar on stderr, where that is a terminal."""
    return Progress(
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=err,
        transient=True,
        disable=not err.is_terminal,
    )


def advance(progress: Progress, task: TaskID, before: int = 0) -> Callable[[int, int | None], None]:
    """A callback that moves the bar on to `before` and what is done since."""
    return lambda done, _total: progress.update(task, completed=before + done)


def print_json(value: object) -> None:
    """Print JSON on stdout."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))


def report_json(report: AddReport) -> dict[str, Any]:
    """The object `add --json` and `fetch --json` print."""
    return {
        "read": report.read,
        "added": report.added,
        "updated": report.updated,
        "unchanged": report.unchanged,
        "skipped": [{"where": s.where, "reason": s.reason} for s in report.skipped],
    }


def print_report(report: AddReport, *, as_json: bool) -> None:
    """Print what became of the records."""
    if as_json:
        print_json(report_json(report))
        return
    out.print(
        f"{report.read:,} read: {report.added:,} added, {report.updated:,} updated, "
        f"{report.unchanged:,} unchanged, {len(report.skipped):,} skipped."
    )
    for skipped in report.skipped[:SHOWN]:
        out.print(f"  skipped {skipped.where}: {skipped.reason}", markup=False)
    if len(report.skipped) > SHOWN:
        out.print(f"  and {len(report.skipped) - SHOWN:,} more; --json lists them all")
