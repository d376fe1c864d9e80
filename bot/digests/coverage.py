"""Coverage: what a digest can know of, given how its sources stand; said in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from zoneinfo import ZoneInfo

from bot.digests.schedule import day_in_words
from index.ledger import Ledger, State

OLD = timedelta(days=4)
"""Sources not asked for so long are a fault of the set-up, and a reader should know."""

_SERVICES = {
    "arxiv": "arXiv",
    "openreview": "OpenReview",
    "semantic_scholar": "Semantic Scholar",
    "openalex": "OpenAlex",
    "zotero": "Zotero",
}
_UNREACHED = frozenset({"", "limited", "unreachable", "timeout"})
"""Kinds of failure that are of the network; after others the service was there."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How far what is new is known."""

    missing: tuple[str, ...] = ()
    """Sentences on what could not be read."""
    remarks: tuple[str, ...] = ()
    """Sentences on what is late, or has not been looked at for long."""
    quiet: str = ""
    """Why nothing came where nothing was to come, as on a weekend; else empty."""
    late: bool = False
    """Whether more is expected soon, so that it is worth looking again today."""

    @property
    def notice(self) -> str:
        """All sentences as one paragraph; empty where everything was read."""
        missing = " ".join(self.missing)
        if missing:
            missing = f"{missing[:-1]}, so this digest covers what came before; the rest follows."
        return " ".join(part for part in (missing, *self.remarks) if part)


WHOLE = Coverage()
"""Nothing is followed, or everything was read."""


def coverage(ledgers: Mapping[str, Ledger], now: datetime, zone: str) -> Coverage:
    """What the ledgers of the followed sources come to."""
    known = dict(ledgers)
    failed = {name: ledger for name, ledger in known.items() if ledger.state is State.FAILED}
    partial = {n: x for n, x in known.items() if x.state is State.PARTIAL}
    waiting = {n: x for n, x in known.items() if x.state is State.WAITING}
    stalled = {n: x for n, x in known.items() if x.state is State.STALLED}
    return Coverage(
        missing=(
            *_failures(failed, zone),
            *(
                f"Only a part of what {service} gave for {names} could be read."
                for service, names, _ in _by_service(partial)
            ),
        ),
        remarks=(
            *(
                f"{_capital(service)} has not announced the latest papers of {names} yet."
                for service, names, _ in _by_service(waiting)
            ),
            *(
                f"{_capital(service)} has announced nothing for {names}{_since_batch(pages)}, which is "
                "longer than usual."
                for service, names, pages in _by_service(stalled)
            ),
            *_unasked(known.values(), now, zone),
        ),
        quiet=_quiet(known),
        late=bool(failed or partial or waiting),
    )


def _failures(failed: Mapping[str, Ledger], zone: str) -> Iterator[str]:
    for service, names, pages in _by_service(failed):
        moments = [page.failing or page.reached for page in pages]
        told = [moment for moment in moments if moment]
        since = f" since {_moment_in_words(min(told), zone)}" if told else ""
        verb = "reached" if all(page.kind in _UNREACHED for page in pages) else "read"
        yield f"{_capital(service)} could not be {verb} for {names}{since}."


def _by_service(ledgers: Mapping[str, Ledger]) -> Iterator[tuple[str, str, list[Ledger]]]:
    """(service, its parts in words, their pages) of each service."""
    for scheme, named in groupby(sorted(ledgers), key=lambda name: name.partition(":")[0]):
        names = list(named)
        parts = [name.partition(":")[2] or name for name in names]
        service = _SERVICES.get(scheme, "your own files" if scheme == "file" else scheme)
        yield service, _listed(parts), [ledgers[name] for name in names]


def _since_batch(pages: Iterable[Ledger]) -> str:
    batches = [page.done for page in pages if page.done]
    try:
        return f" since {day_in_words(datetime.fromisoformat(min(batches)).date())}"
    except ValueError:
        return ""


def _unasked(ledgers: Iterable[Ledger], now: datetime, zone: str) -> Iterator[str]:
    asked = [ledger.asked for ledger in ledgers if ledger.asked]
    if asked and now - max(asked) > OLD:
        yield f"The sources were last asked at {_moment_in_words(max(asked), zone)}."


def _quiet(ledgers: Mapping[str, Ledger]) -> str:
    """The sources' own words, where each of them is quiet and one says why."""
    if not ledgers or any(ledger.state is not State.QUIET for ledger in ledgers.values()):
        return ""
    said = [
        f"{_capital(service)}{' made ' if notes[0].startswith('no ') else ': '}{notes[0].rstrip('.')}."
        for service, _, pages in _by_service(ledgers)
        if (notes := [page.note for page in pages if page.note])
    ]
    return " ".join(said)


def _moment_in_words(moment: datetime, zone: str) -> str:
    local = moment.astimezone(ZoneInfo(zone))
    return f"{local:%H:%M} on {day_in_words(local.date())}"


def _capital(words: str) -> str:
    return words if words in _SERVICES.values() else words[:1].upper() + words[1:]


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def followed_ledgers(
    states: Mapping[str, Mapping[str, object]], names: Collection[str]
) -> dict[str, Ledger]:
    """The pages of the sources that are followed now; those of others say nothing of today."""
    return {name: Ledger.from_json(states[name]) for name in names if name in states}
