"""A reader learns which sources a digest could not cover, and why nothing came."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.digests.coverage import WHOLE, Coverage, coverage, followed_ledgers
from index.ledger import Ledger, State

NOW = datetime(2026, 12, 2, 7, 0, tzinfo=UTC)
SINCE = datetime(2026, 12, 1, 7, 0, tzinfo=UTC)


def _coverage(**ledgers: Ledger) -> Coverage:
    named = {name.replace("__", ":").replace("_", "."): ledger for name, ledger in ledgers.items()}
    return coverage(named, NOW, "Europe/Berlin")


def ledger(state: State, **more: object) -> Ledger:
    return Ledger(state=state, asked=NOW, **more)  # type: ignore[arg-type]


def failed(kind: str = "timeout") -> Ledger:
    return ledger(State.FAILED, failing=SINCE, kind=kind)


def test_where_everything_was_read_nothing_is_said() -> None:
    whole = _coverage(arxiv__cs_CL=ledger(State.FRESH), arxiv__cs_LG=ledger(State.QUIET))
    assert (whole.notice, whole.late) == ("", False)
    assert coverage({}, NOW, "UTC") == WHOLE


def test_a_source_that_failed_is_named_with_the_time_it_failed_first_on_the_readers_clock() -> None:
    told = _coverage(arxiv__cs_CL=failed(), arxiv__cs_LG=ledger(State.FRESH))
    assert told.notice == (
        "arXiv could not be reached for cs.CL since 08:00 on 1 Dec, so this digest covers what "
        "came before; the rest follows."
    )
    assert told.late


def test_sources_of_one_service_share_a_sentence_and_services_do_not() -> None:
    told = _coverage(
        arxiv__cs_CL=failed(), arxiv__cs_LG=failed(), openreview__X_cc=failed("bad-answer")
    )
    assert told.notice == (
        "arXiv could not be reached for cs.CL and cs.LG since 08:00 on 1 Dec. "
        "OpenReview could not be read for X.cc since 08:00 on 1 Dec, so this digest covers what "
        "came before; the rest follows."
    )


def test_what_is_late_partial_or_has_stalled_is_said() -> None:
    assert _coverage(arxiv__cs_CL=ledger(State.WAITING)) == Coverage(
        remarks=("arXiv has not announced the latest papers of cs.CL yet.",), late=True
    )
    stalled = _coverage(arxiv__cs_CL=ledger(State.STALLED, done="2026-11-25"))
    assert stalled.notice == (
        "arXiv has announced nothing for cs.CL since 25 Nov, which is longer than usual."
    )
    assert not stalled.late
    partial = _coverage(arxiv__cs_CL=ledger(State.PARTIAL, failing=NOW))
    assert partial.notice.startswith("Only a part of what arXiv gave for cs.CL could be read, so")


def test_sources_that_nobody_asked_for_days_are_told() -> None:
    old = Ledger(state=State.QUIET, asked=NOW - timedelta(days=5))
    assert coverage({"arxiv:cs.CL": old}, NOW, "UTC").notice == (
        "The sources were last asked at 07:00 on 27 Nov."
    )


@pytest.mark.parametrize(
    ("note", "quiet"),
    [
        ("no announcement today (weekend)", "arXiv made no announcement today (weekend)."),
        ("nothing yet.", "arXiv: nothing yet."),
        ("", ""),
    ],
)
def test_a_day_without_announcement_has_its_reason(note: str, quiet: str) -> None:
    assert _coverage(arxiv__cs_CL=ledger(State.QUIET, note=note)).quiet == quiet


def test_a_weekend_explains_nothing_where_another_source_failed() -> None:
    weekend = ledger(State.QUIET, note="no announcement today (weekend)")
    assert _coverage(arxiv__cs_CL=weekend, openreview__X_cc=failed()).quiet == ""


def test_sources_that_are_followed_no_longer_say_nothing() -> None:
    states = {"arxiv:cs.CL": failed().to_json(), "arxiv:cs.LG": failed().to_json()}
    assert set(followed_ledgers(states, ["arxiv:cs.CL", "arxiv:cs.CV"])) == {"arxiv:cs.CL"}
