"""A digest comes at the person's own hour, once a day, whatever the clocks do."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.digests.schedule import date_in_words, in_words, local_date, next_due

BERLIN = "Europe/Berlin"


def _utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[arg-type, misc]


@pytest.mark.parametrize(
    ("after", "zone", "due"),
    [
        (_utc(2026, 12, 1, 6, 59), BERLIN, _utc(2026, 12, 1, 7, 0)),
        (_utc(2026, 12, 1, 7, 0), BERLIN, _utc(2026, 12, 2, 7, 0)),
        (_utc(2026, 7, 1, 5, 0), BERLIN, _utc(2026, 7, 1, 6, 0)),
        (_utc(2026, 12, 1, 22, 0), "Asia/Tokyo", _utc(2026, 12, 1, 23, 0)),
        (_utc(2026, 12, 1, 23, 30), "Asia/Tokyo", _utc(2026, 12, 2, 23, 0)),
        (_utc(2026, 12, 1, 3, 0), "America/Los_Angeles", _utc(2026, 12, 1, 16, 0)),
        (_utc(2026, 12, 1, 0, 0), "Asia/Kathmandu", _utc(2026, 12, 1, 2, 15)),
    ],
)
def test_eight_in_the_morning_is_eight_where_the_person_lives(
    after: datetime, zone: str, due: datetime
) -> None:
    assert next_due(after, 8, 0, zone) == due


def test_a_time_the_clocks_skip_in_spring_comes_right_after_the_change() -> None:
    due = next_due(_utc(2026, 3, 28, 12), 2, 30, BERLIN)
    assert due.astimezone(ZoneInfo(BERLIN)).isoformat() == "2026-03-29T03:30:00+02:00"
    assert next_due(due, 2, 30, BERLIN) == _utc(2026, 3, 30, 0, 30)


def test_a_time_the_clocks_show_twice_in_autumn_comes_the_first_time_only() -> None:
    due = next_due(_utc(2026, 10, 24, 12), 2, 30, BERLIN)
    assert due == _utc(2026, 10, 25, 0, 30)
    assert next_due(due, 2, 30, BERLIN) == _utc(2026, 10, 26, 1, 30)
    assert next_due(_utc(2026, 10, 25, 1, 0), 2, 30, BERLIN) == _utc(2026, 10, 26, 1, 30)


def test_a_day_that_a_zone_skips_brings_no_second_digest() -> None:
    first = next_due(_utc(2011, 12, 29, 12), 8, 0, "Pacific/Apia")
    second = next_due(first, 8, 0, "Pacific/Apia")
    third = next_due(second, 8, 0, "Pacific/Apia")
    assert [local_date(due, "Pacific/Apia") for due in (first, second, third)] == [
        date(2011, 12, 29),
        date(2011, 12, 31),
        date(2012, 1, 1),
    ]


@settings(max_examples=60, deadline=None)
@given(
    zone=st.sampled_from(
        [BERLIN, "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "America/Sao_Paulo"]
    ),
    start=st.datetimes(datetime(2015, 1, 1), datetime(2030, 1, 1)),  # noqa: DTZ001
    hour=st.integers(0, 23),
    minute=st.integers(0, 59),
)
def test_every_local_date_has_exactly_one_due(
    zone: str, start: datetime, hour: int, minute: int
) -> None:
    due = next_due(start.replace(tzinfo=UTC), hour, minute, zone)
    for _ in range(370):
        following = next_due(due, hour, minute, zone)
        assert local_date(following, zone) == local_date(due, zone) + timedelta(days=1)
        due = following


def test_the_next_time_is_said_in_words() -> None:
    assert in_words(_utc(2026, 12, 2, 7, 0), BERLIN) == "Wed 2 Dec, 08:00 Europe/Berlin"
    assert in_words(_utc(2026, 12, 1, 23, 0), "Asia/Tokyo") == "Wed 2 Dec, 08:00 Asia/Tokyo"


@pytest.mark.parametrize(
    ("iso", "words"),
    [
        ("2026-03-04", "4 Mar 2026"),
        ("2026-03", "Mar 2026"),
        ("2026", "2026"),
        ("2026-03-04T05:06:07Z", "4 Mar 2026"),
        ("2026-99", "2026"),
    ],
)
def test_a_date_is_as_precise_as_the_record(iso: str, words: str) -> None:
    assert date_in_words(iso) == words
