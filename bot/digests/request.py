"""What a person writes after `/digest`."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from zoneinfo import available_timezones

MAX_TOPIC = 200
"""Characters of a topic; a longer one is no topic but a text."""

EXAMPLE = "/digest 08:00 diffusion policies"

_REGIONS = frozenset(
    [
        "africa",
        "america",
        "antarctica",
        "arctic",
        "asia",
        "atlantic",
        "australia",
        "europe",
        "indian",
        "pacific",
        "etc",
    ]
)

_ABBREVIATIONS = {
    "CET": "Europe/Berlin",
    "CEST": "Europe/Berlin",
    "BST": "Europe/London",
    "EST": "America/New_York",
    "EDT": "America/New_York",
    "PST": "America/Los_Angeles",
    "PDT": "America/Los_Angeles",
}
"""Names of half a year's clock, and a place that keeps it; rarer ones may be words of a topic."""

_CLOCK = r"(?P<hour>\d{1,3})(?:[:.h](?P<minute>\d{1,3}))?(?P<odd>[:.]\d+)*"
_HALF = r"(?:\s*(?P<half>[ap])\.?m\b\.?)?"
_LEADING = re.compile(
    rf"(?:(?:every\s*day|daily|at)\s+)*{_CLOCK}{_HALF}(?=\s|,|;|$)[,;]?\s*", re.IGNORECASE
)
_TRAILING = re.compile(
    rf"(?:^|\s)(?:(?:every\s*day|daily)\s+)?at\s+{_CLOCK}{_HALF}$", re.IGNORECASE
)
_OFFSET = re.compile(r"(?:UTC|GMT)[+-]\d{1,2}(?::?\d\d)?|[+-]\d\d:?\d\d", re.IGNORECASE)


CROSS = "+cross"
"""Ends a topic that wants papers cross-listed into the followed categories, too."""
_LISTS = r"cross[-\s]?list(?:s|ing|ings|ed)?"
_CROSS = re.compile(
    rf"[\s,;]*(?:\+\s*(?:{_LISTS}|cross)|(?:and|with|including|plus)\s+{_LISTS})$", re.IGNORECASE
)


class RequestError(ValueError):
    """What was written cannot be understood; the message is one line that says what to write."""


@dataclass(frozen=True, slots=True)
class Show:
    """Nothing was written: show what is set, and preview it."""


@dataclass(frozen=True, slots=True)
class Stop:
    """`/digest off`."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is wanted; a part not written is None or empty, and stays as it is."""

    topic: str = ""
    time: tuple[int, int] | None = None
    """Hour and minute on the person's clock."""
    zone: str | None = None
    """IANA name."""


def parse(text: str) -> Show | Stop | Wish:
    """Read the words after `/digest`.

    Raises:
        RequestError: no such time or zone, or a topic that is none.
    """
    rest = " ".join(unicodedata.normalize("NFKC", text).split())
    rest = "".join(letter for letter in rest if unicodedata.category(letter)[0] != "C")
    if not rest:
        return Show()
    if rest.casefold() in {"off", "stop", "none", "cancel"}:
        return Stop()
    zone, rest = _leading_zone(rest)
    match = _LEADING.match(rest)
    # In "2 player games at 08:00" the two is no hour.
    if match and not (match["minute"] or match["half"]) and _TRAILING.search(rest[match.end() :]):
        match = None
    time: tuple[int, int] | None
    if match:
        time = _time(match)
        rest = rest[match.end() :]
        if zone is None:
            zone, rest = _leading_zone(rest)
    else:
        time, zone, rest = _trailing(rest, zone)
    return Wish(_topic(rest), time, zone)


def _trailing(rest: str, zone: str | None) -> tuple[tuple[int, int] | None, str | None, str]:
    """`diffusion policies at 08:00 Europe/Berlin`."""
    before, _, last = rest.rpartition(" ")
    said = _zone(last) if zone is None and before else None
    match = _TRAILING.search(before if said else rest)
    if match is None:
        return None, zone, rest
    return _time(match), said or zone, rest[: match.start()]


def _time(match: re.Match[str]) -> tuple[int, int]:
    said = match.group(0).strip(" ,;")
    hour, minute = int(match["hour"]), int(match["minute"] or 0)
    half = (match["half"] or "").lower()
    odd = match["odd"] or len(match["minute"] or "00") != 2
    if odd or minute > 59 or hour > 23 or (half and not 1 <= hour <= 12):
        raise RequestError(f"“{said}” is no time of day; write it as in {EXAMPLE}.")
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return hour, minute


def _leading_zone(text: str) -> tuple[str | None, str]:
    first, _, rest = text.partition(" ")
    zone = _zone(first.strip("(),;"))
    return (zone, rest) if zone else (None, text)


def _zone(word: str) -> str | None:
    """The zone a word names, None where it is a word of the topic.

    Raises:
        RequestError: it looks like a zone and is none.
    """
    if word.upper() in {"UTC", "GMT"}:
        return "UTC"
    if place := _ABBREVIATIONS.get(word):
        raise RequestError(f"“{word}” is only half of a year; write a place, as in {place}.")
    if _OFFSET.fullmatch(word):
        raise RequestError(f"“{word}” knows no summer time; write a place, as in Europe/Berlin.")
    region, slash, _ = word.partition("/")
    if not slash:
        return None
    if found := _zones().get(word.casefold()):
        return found
    if region.casefold() not in _REGIONS:
        return None
    near = get_close_matches(word.casefold(), _zones(), n=1, cutoff=0.75)
    hint = _zones()[near[0]] if near else "Europe/Berlin"
    raise RequestError(f"“{word}” is no time zone I know; write one as in {hint}.")


@cache
def _zones() -> dict[str, str]:
    return {name.casefold(): name for name in sorted(available_timezones()) if "/" in name}


def without_cross(topic: str) -> tuple[str, bool]:
    """The topic's words, and whether it wants cross-lists."""
    words = topic.removesuffix(CROSS).rstrip()
    return words, words != topic


def _topic(text: str) -> str:
    text, cross = _CROSS.subn("", text)
    topic = re.sub(r"^about\s+", "", text.strip(" ,;"), flags=re.IGNORECASE)
    topic = topic.strip(" ,;\"'“”„«»")
    if len(topic) > MAX_TOPIC:
        raise RequestError(
            f"A topic has at most {MAX_TOPIC} characters and this has {len(topic):,}; "
            "name it in a few words."
        )
    if topic and not any(letter.isalpha() for letter in topic):
        raise RequestError(f"“{topic}” names no topic; write it in words, as in {EXAMPLE}.")
    return f"{topic} {CROSS}" if cross and topic else topic
