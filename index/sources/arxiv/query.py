"""Queries of arXiv's API, and its windows by time of submission."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

FIRST_DAY = date(1991, 7, 1)
"""Before arXiv's first paper."""
_FIELD = re.compile(r"\b(?:ti|au|abs|co|jr|cat|rn|id|all|submittedDate):")
_MINUTE = timedelta(minutes=1)
_FORM = "%Y%m%d%H%M"


@dataclass(frozen=True, slots=True)
class Window:
    """Times of submission in UTC, to the minute, both ends included."""

    first: datetime
    last: datetime

    @classmethod
    def of_days(cls, first: date, last: date) -> Window:
        """Whole days: a range of one day holds what was submitted at 23:59."""
        return cls(datetime.combine(first, time(0), UTC), datetime.combine(last, time(23, 59), UTC))

    @classmethod
    def from_json(cls, pair: object) -> Window:
        """What `to_json` gave.

        Raises ValueError: it is nothing of the kind.
        """
        if not (isinstance(pair, Sequence) and len(pair) == 2):
            raise ValueError("a window has two ends")
        first, last = (datetime.strptime(str(end), _FORM).replace(tzinfo=UTC) for end in pair)
        return cls(first, last)

    def to_json(self) -> list[str]:
        """Both ends as the API writes them."""
        return [self.first.strftime(_FORM), self.last.strftime(_FORM)]

    def halves(self) -> list[Window]:
        """Two windows that share no minute; none where there is but one minute."""
        minutes = (self.last - self.first) // _MINUTE
        if minutes < 1:
            return []
        middle = self.first + _MINUTE * (minutes // 2)
        return [Window(self.first, middle), Window(middle + _MINUTE, self.last)]

    def term(self) -> str:
        """The clause of a query."""
        first, last = self.to_json()
        return f"submittedDate:[{first} TO {last}]"


def query_of(words: str = "", *, categories: Sequence[str] = (), author: str = "") -> str:
    """A query in which all that was said must hold.

    Words are looked for anywhere, those in quotation marks as a phrase; a query in arXiv's own
    language (`ti:eel AND abs:sea`) goes as it is.

    >>> query_of("eel migration", categories=["q-bio.PE"])
    'all:eel AND all:migration AND cat:q-bio.PE'
    """
    terms = []
    if _FIELD.search(words):
        terms.append(f"({words.strip()})")
    else:
        for phrase, word in re.findall(r'"([^"]+)"|([^\s"]+)', words):
            plain = " ".join(re.sub(r"[^\w\s.+*-]", " ", phrase or word).split())
            if plain and plain not in {"AND", "OR", "ANDNOT"}:
                terms.append(f'all:"{plain}"' if " " in plain else f"all:{plain}")
    if author.strip():
        name = " ".join(re.sub(r"[\"():]", " ", author).split())
        terms.append(f'au:"{name}"' if " " in name else f"au:{name}")
    cats = [f"cat:{one}" for one in categories if one]
    if cats:
        terms.append(cats[0] if len(cats) == 1 else "(" + " OR ".join(cats) + ")")
    return " AND ".join(terms)
