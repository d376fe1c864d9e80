"""When a digest is due: pure functions of a local time, an IANA zone and a moment."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def next_due(after: datetime, hour: int, minute: int, zone: str) -> datetime:
    """The first moment (UTC) later than `after` at which the clocks of `zone` show that time.

    Once a local date, whatever the clocks do: a time that a change skips falls as long after the
    change as it would have been (02:30 in Berlin on 29 March 2026 is 03:30), and one that comes
    twice counts the first time. `fold=0` means just that in both cases (PEP 495).

    Raises:
        ZoneInfoNotFoundError: no such zone is known here.
    """
    place = ZoneInfo(zone)
    today = after.astimezone(place).date()
    # A zone that crosses the date line skips a whole day (Samoa, 30 December 2011).
    for days in range(-1, 4):
        day = today + timedelta(days=days)
        local = datetime(day.year, day.month, day.day, hour, minute, tzinfo=place)
        moment = local.astimezone(UTC)
        if moment > after:
            return moment
    raise AssertionError("a local time comes at least once in four days")


def local_date(due: datetime, zone: str) -> date:
    """The date the person's calendar shows when the digest is due."""
    return due.astimezone(ZoneInfo(zone)).date()


def in_words(due: datetime, zone: str) -> str:
    """`Wed 2 Dec, 08:00 Europe/Berlin`; English whatever the machine's locale."""
    local = due.astimezone(ZoneInfo(zone))
    return f"{_DAYS[local.weekday()]} {day_in_words(local.date())}, {local:%H:%M} {zone}"


def day_in_words(day: date) -> str:
    """`30 Nov`."""
    return f"{day.day} {_MONTHS[day.month - 1]}"


def date_in_words(iso: str) -> str:
    """`4 Mar 2026`, `Mar 2026` or `2026`, as precise as the ISO date is."""
    year, _, rest = iso[:10].partition("-")
    month, _, day = rest.partition("-")
    if not month.isdigit() or not 1 <= int(month) <= 12:
        return year
    name = f"{_MONTHS[int(month) - 1]} {year}"
    return f"{int(day)} {name}" if day.isdigit() else name
