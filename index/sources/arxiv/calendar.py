"""When arXiv announces: https://info.arxiv.org/help/availability.html

Papers that arrive until 14:00 US Eastern come out at 20:00 from Sunday to Thursday; none on
Friday and Saturday evening. A batch goes by the date of its list, the morning after.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

EASTERN = ZoneInfo("America/New_York")
DEADLINE = time(14)
ANNOUNCED = time(20)
IN_FEEDS = time(1)
"""The feeds are made anew at midnight; an hour later they should be there."""
_DAY = timedelta(days=1)

Closed = Callable[[date], bool]
"""Whether there is no announcement on the evening of a day, although it is one for it."""


def us_holidays(evening: date) -> bool:
    """Holidays on whose evening arXiv does not announce; others it names each year anew.

    New Year, Martin Luther King, Memorial Day, Juneteenth, Independence Day, Labor Day,
    Thanksgiving with the day after, Christmas with the day before and after, New Year's Eve.
    """
    month, day, weekday = evening.month, evening.day, evening.weekday()
    fixed = {(1, 1), (6, 19), (7, 4), (12, 24), (12, 25), (12, 26), (12, 31)}
    third_monday, last_monday = 15 <= day <= 21, day >= 25
    thanksgiving = month == 11 and weekday == 3 and 22 <= day <= 28
    return (
        (month, day) in fixed
        or (weekday == 0 and month == 1 and third_monday)
        or (weekday == 0 and month == 5 and last_monday)
        or (weekday == 0 and month == 9 and day <= 7)
        or thanksgiving
    )


def announcement_for(submitted: datetime, closed: Closed = us_holidays) -> datetime:
    """When a paper submitted then comes out, in US Eastern.

    Raises ValueError: the time has no zone.
    """
    if submitted.tzinfo is None:
        raise ValueError("a time of submission needs its zone")
    local = submitted.astimezone(EASTERN)
    day = local.date()
    if local.time() >= DEADLINE:
        day += _DAY
    # Until Monday's deadline, what comes after Friday's waits.
    while day.weekday() > 4:
        day += _DAY
    evening = day + 2 * _DAY if day.weekday() == 4 else day
    while not _announces(evening, closed):
        evening += _DAY
    return datetime.combine(evening, ANNOUNCED, EASTERN)


def batch_for(submitted: datetime, closed: Closed = us_holidays) -> date:
    """The date of the list a paper submitted then is in."""
    return announcement_for(submitted, closed).date() + _DAY


def submitted_for(batch: date, closed: Closed = us_holidays) -> tuple[datetime, datetime]:
    """The first and the last minute of submission for a list, in UTC.

    Raises ValueError: there is no list of that date.
    """
    days = [batch - _DAY * back for back in range(1, 15)]
    noon = [datetime.combine(day, time(12), EASTERN) for day in days if day.weekday() < 5]
    own = [one.date() for one in noon if batch_for(one, closed) == batch]
    if not own:
        raise ValueError(f"arXiv makes no list on {batch}")
    before = min(own) - _DAY
    while before.weekday() > 4:
        before -= _DAY
    first = datetime.combine(before, DEADLINE, EASTERN).astimezone(UTC)
    last = datetime.combine(max(own), DEADLINE, EASTERN).astimezone(UTC)
    return first, last - timedelta(minutes=1)


def expected_batch(now: datetime, closed: Closed = us_holidays) -> date:
    """The latest list that the feeds should hold by now."""
    local = now.astimezone(EASTERN)
    day = local.date() if local.time() >= IN_FEEDS else local.date() - _DAY
    while not _announces(day - _DAY, closed):
        day -= _DAY
    return day


def batches_between(after: date, before: date, closed: Closed = us_holidays) -> Iterator[date]:
    """The lists after one and before another."""
    day = after + _DAY
    while day < before:
        if _announces(day - _DAY, closed):
            yield day
        day += _DAY


def why_none(now: datetime, closed: Closed = us_holidays) -> str:
    """`weekend` or `holiday` where there is no list today, else an empty string."""
    day = now.astimezone(EASTERN).date()
    if day.weekday() > 4:
        return "weekend"
    return "" if _announces(day - _DAY, closed) else "holiday"


def _announces(evening: date, closed: Closed) -> bool:
    return evening.weekday() not in {4, 5} and not closed(evening)
