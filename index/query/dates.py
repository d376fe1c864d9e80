"""Dates: the days that words like `last month`, `since March` and `Q1 2025` mean.

All ranges are of whole days, both ends inclusive, in the zone that `today` was read in. A bare
month is the latest one that has begun. `last month` is the calendar month before this one;
`the past month` and `in the last month` reach back from today.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from datetime import MAXYEAR, date, timedelta

from index.query.parts import Days, Kind, Part

_MONTHS = (
    "january february march april may june july august september october november december".split()
)
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_NUMBERS = {
    **{word: n for n, word in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)},
    "a": 1, "an": 1, "couple": 2, "few": 3, "several": 3,
}  # fmt: skip
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4}

_YEAR = r"(?:19|20)\d\d"
_MONTH = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
_UNIT = r"(?:day|week|fortnight|month|quarter|year|decade)"
_COUNT = rf"(?:\d{{1,3}}|{'|'.join(_NUMBERS)})(?:\s+of)?"

_Range = tuple[date, date]
_Reader = Callable[[re.Match[str], date], "_Range | None"]


def _month_of(word: str) -> int:
    return next(n for n, name in enumerate(_MONTHS, 1) if name.startswith(word.casefold()[:3]))


def _months(year: int, first: int, last: int) -> _Range:
    return date(year, first, 1), date(year, last, monthrange(year, last)[1])


def _day(year: int, month: int, day: int) -> _Range | None:
    try:
        there = date(year, month, day)
    except ValueError:
        return None
    return there, there


def _back(today: date, count: int, unit: str) -> date:
    """The day so many units before today; the 31st becomes the last day of a shorter month."""
    unit = unit.casefold()
    days = {"day": 1, "week": 7, "fortnight": 14}.get(unit)
    if days:
        return today - timedelta(days=days * min(count, 20_000))
    months = count * {"month": 1, "quarter": 3, "year": 12, "decade": 120}[unit]
    number = max(12, today.year * 12 + today.month - 1 - months)
    year, month = divmod(number, 12)
    return date(year, month + 1, min(today.day, monthrange(year, month + 1)[1]))


def _around(there: date, unit: str) -> _Range:
    """The calendar unit a day lies in; weeks begin on Monday."""
    match unit.casefold():
        case "week":
            monday = there - timedelta(days=there.weekday())
            return monday, monday + timedelta(days=6)
        case "month":
            return _months(there.year, there.month, there.month)
        case "quarter":
            first = there.month - (there.month - 1) % 3
            return _months(there.year, first, first + 2)
        case "year":
            return _months(there.year, 1, 12)
        case "decade":
            return date(there.year // 10 * 10, 1, 1), date(there.year // 10 * 10 + 9, 12, 31)
        case _:
            return there, there


def _relative(match: re.Match[str], today: date) -> _Range:
    which, unit = match[1].casefold(), match[2]
    if which in {"this", "current"}:
        return _around(today, unit)
    first, _ = _around(today, unit)
    return _around(first - timedelta(days=1), unit)


def _weekday(match: re.Match[str], today: date) -> _Range:
    """The latest day of that name before today."""
    back = (today.weekday() - _DAYS.index(match[1].casefold()) - 1) % 7 + 1
    return (today - timedelta(days=back),) * 2


def _count(word: str) -> int:
    word = word.casefold().split()[0]
    return int(word) if word.isdigit() else _NUMBERS[word]


def _bare_month(match: re.Match[str], today: date) -> _Range | None:
    if match[1].isupper():
        return None
    month = _month_of(match[1])
    return _months(today.year - (month > today.month), month, month)


def _part_of_year(match: re.Match[str], _: date) -> _Range:
    first = {"early": 1, "mid": 5, "late": 9}[match[1].casefold()]
    return _months(int(match[2]), first, first + 3)


def _season(match: re.Match[str], _: date) -> _Range:
    first = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9}[match[1].casefold()]
    return _months(int(match[2]), first, first + 2)


_PERIODS: tuple[tuple[str, _Reader], ...] = (
    (rf"({_YEAR})-(\d\d)-(\d\d)", lambda m, _: _day(int(m[1]), int(m[2]), int(m[3]))),
    (rf"({_YEAR})-(0[1-9]|1[0-2])", lambda m, _: _months(int(m[1]), int(m[2]), int(m[2]))),
    (rf"(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?({_MONTH}),?\s+({_YEAR})",
     lambda m, _: _day(int(m[3]), _month_of(m[2]), int(m[1]))),
    (rf"({_MONTH})\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+({_YEAR})",
     lambda m, _: _day(int(m[3]), _month_of(m[1]), int(m[2]))),
    (rf"({_MONTH}),?\s+(?:of\s+)?({_YEAR})", lambda m, _: _months(int(m[2]), _month_of(m[1]), _month_of(m[1]))),
    (rf"q([1-4])[\s/-]*(?:of\s+)?({_YEAR})", lambda m, _: _months(int(m[2]), int(m[1]) * 3 - 2, int(m[1]) * 3)),
    (rf"({_YEAR})[\s/-]*q([1-4])", lambda m, _: _months(int(m[1]), int(m[2]) * 3 - 2, int(m[2]) * 3)),
    (rf"(?:the\s+)?({'|'.join(_ORDINALS)})\s+quarter\s+(?:of\s+)?({_YEAR})",
     lambda m, _: _months(int(m[2]), _ORDINALS[m[1].casefold()] * 3 - 2, _ORDINALS[m[1].casefold()] * 3)),
    (rf"h([12])[\s/-]*(?:of\s+)?({_YEAR})", lambda m, _: _months(int(m[2]), int(m[1]) * 6 - 5, int(m[1]) * 6)),
    (rf"(?:the\s+)?(first|second)\s+half\s+(?:of\s+)?({_YEAR})",
     lambda m, _: _months(int(m[2]), 1, 6) if m[1].casefold() == "first" else _months(int(m[2]), 7, 12)),
    (rf"(early|mid|late)[\s-]+({_YEAR})", _part_of_year),
    (rf"(spring|summer|autumn|fall)\s+(?:of\s+)?({_YEAR})", _season),
    (r"(?:the\s+)?((?:19|20)\d)0'?s", lambda m, _: (date(int(m[1]) * 10, 1, 1), date(int(m[1]) * 10 + 9, 12, 31))),
    (rf"(?:the\s+year\s+)?({_YEAR})", lambda m, _: _months(int(m[1]), 1, 12)),
    (rf"(this|current|last|previous)\s+({_UNIT})", _relative),
    (rf"(?:last\s+|past\s+)?({'|'.join(_DAYS)})", _weekday),
    (r"yesterday", lambda _, today: (today - timedelta(days=1),) * 2),
    (r"today", lambda _, today: (today, today)),
    (rf"({_COUNT})\s+({_UNIT})s?\s+ago",
     lambda m, today: _around(_back(today, _count(m[1]), m[2]), m[2])),
    (rf"(?:early\s+|late\s+|mid[\s-]+)?({_MONTH})", _bare_month),
)  # fmt: skip
_READ = tuple((re.compile(form, re.IGNORECASE), reader) for form, reader in _PERIODS)
_READ += (
    (re.compile(r"now|(?:the\s+)?present|date", re.IGNORECASE), lambda _, today: (today, today)),
)
_P = "|".join(re.sub(r"\((?!\?)", "(?:", form) for form, _ in _PERIODS)
# What may stand without a preposition: a bare month or year is a word of many topics.
_CLEAR = "|".join(re.sub(r"\((?!\?)", "(?:", form) for form, _ in _PERIODS[:13])
_AGO = re.sub(r"\((?!\?)", "(?:", _PERIODS[-2][0])
_SAID = (
    r"(?:(?:only|just)\s+)?(?:(?:that\s+(?:were|was|are|is|have\s+been)\s+|which\s+(?:were|was|are)\s+)?"
    r"(?:published|posted|submitted|written|released|dated|out|added|announced|appearing|appeared|uploaded)\s+)?"
)
_TO = r"\s*(?:\.\.+|-|–|—|to|until|till|through|and)\s*"
_END = r"(?![\w'’]|-\w)"


def _range(first: _Range, last: _Range) -> Days | None:
    if first[0] > last[1]:
        first, last = last, first
    return first[0], last[1]


_FORMS: tuple[tuple[re.Pattern[str], Callable[[list[_Range]], Days | None]], ...] = tuple(
    (re.compile(rf"(?<![\w-]){_SAID}{form}{_END}", re.IGNORECASE), make)
    for form, make in (
        (rf"(?:between|from|in|during)\s+(?:the\s+years?\s+)?(?P<a>{_P}){_TO}(?P<b>{_P}|now|(?:the\s+)?present|date)",
         lambda p: _range(p[0], p[1])),
        (rf"(?P<a>{_YEAR}|{_CLEAR})\s*(?:\.\.+|-|–|—|to)\s*(?P<b>{_YEAR}|{_CLEAR})",
         lambda p: _range(p[0], p[1])),
        (rf"(?:since|from|as\s+of|starting(?:\s+(?:in|from|on))?)\s+(?P<a>{_P})\s*(?:on(?:wards?)?|and\s+(?:later|after|newer))",
         lambda p: (p[0][0], None)),
        (rf"(?:(?:ever\s+)?since|as\s+of|starting(?:\s+(?:in|from|on))?|>=|not\s+(?:before|older\s+than|earlier\s+than))\s*(?P<a>{_P})",
         lambda p: (p[0][0], None)),
        (rf"(?P<a>{_P})\s*(?:\+|\.\.+|onwards?|(?:or|and)\s+(?:later|newer|after|more\s+recent))",
         lambda p: (p[0][0], None)),
        (rf"(?:after|(?:newer|later|more\s+recent|younger)\s+than|>)\s*(?P<a>{_P})",
         lambda p: (p[0][1] + timedelta(days=1), None)),
        (rf"(?:before|prior\s+to|(?:older|earlier)\s+than|pre|<(?!=))[\s-]*(?P<a>{_P})",
         lambda p: (None, p[0][0] - timedelta(days=1))),
        (rf"(?:until|till|up\s+(?:to|until)|through|no\s+later\s+than|not\s+(?:after|newer\s+than)|<=|\.\.+)\s*(?P<a>{_P})",
         lambda p: (None, p[0][1])),
        (rf"(?P<a>{_P})\s*(?:or|and)\s+(?:earlier|older|before)", lambda p: (None, p[0][1])),
        (rf"(?:in|from|during|of|on|within|throughout|for|year:?)\s+(?P<a>{_P})", lambda p: p[0]),
        (rf"(?P<a>{_CLEAR}|{_AGO}|yesterday)", lambda p: p[0]),
        (rf"(?P<a>(?:this|last|previous|current)\s+{_UNIT})", lambda p: p[0]),
        (rf"(?<=\()(?P<a>{_YEAR})(?=\))", lambda p: p[0]),
    )
)  # fmt: skip
_ROLLING = re.compile(
    rf"(?<![\w-]){_SAID}(?:(?P<in>(?:in|over|within|during|from|of|for)\s+(?:the\s+)?|the\s+)?(?P<which>last|past|previous|recent)"
    rf"\s+(?P<count>{_COUNT}\s+)?(?P<unit>{_UNIT})(?P<many>s)?){_END}",
    re.IGNORECASE,
)
_AGE = re.compile(
    rf"(?<![\w-]){_SAID}(?P<which>older|more|longer|newer|younger|less|fewer|at\s+most|no\s+older|not\s+older)\s*(?:than\s+)?"
    rf"(?P<count>{_COUNT})\s+(?P<unit>{_UNIT})s?(?:\s+(?:ago|old|back))?{_END}",
    re.IGNORECASE,
)
_TODAY = re.compile(
    rf"(?:\b(?:published|posted|submitted|added|announced|out|from|of|new)\s+today|^\s*today){_END}",
    re.IGNORECASE,
)
_BARE_YEAR = re.compile(
    rf"^\s*(?:only\s+|just\s+)?(?P<a>{_YEAR})(?=\s*$|\s+(?:papers?|works?|articles?|preprints?|research|ones?|publications?)\b)"
    rf"|(?<=[a-z,)\"”])\s+(?:only\s+|just\s+)?(?P<b>{_YEAR})(?=[\s.?!]*$|\s+(?:only|papers?|ones?)\b)",
)
# After a year that is one, the sentence ends or goes on like this; "in 2024 images" counts images.
_GOES_ON = re.compile(
    r"\s*(?:$|[,;:.!?()\"”]|(?:on|about|at|in|for|by|with|without|but|and|or|not|no|that|which|who|whose|from|of|to|"
    r"excluding|except|using|only|please|papers?|works?|articles?|research|preprints?|publications?|literature|studies|"
    r"published|until|till|before|after|since|between|is|are|was|were|ones?|newest|latest|most|sorted|first)\b|-\w)",
    re.IGNORECASE,
)


def period(words: str, today: date) -> tuple[date, date] | None:
    """First and last day of one date, month, quarter, year or relative day, or None."""
    words = " ".join(words.split())
    for form, reader in _READ:
        if match := form.fullmatch(words):
            found = reader(match, today)
            if found and 1900 <= found[0].year <= min(today.year + 1, MAXYEAR - 1):
                return found
            return None
    return None


def dates(text: str, today: date) -> Iterator[Part]:
    """The ranges a text names, in no order; they may overlap, the better ones first."""
    yield from _rolling(text, today)
    for form, make in _FORMS:
        for match in form.finditer(text):
            said = [words for words in match.groupdict().values() if words]
            periods = [period(words, today) for words in _with_year(said)]
            if all(periods) and (len(said) > 1 or _ends_well(text, match)):
                days = make([p for p in periods if p])
                if days:
                    yield _part(match, days)
    for match in _TODAY.finditer(text):
        yield _part(match, (today, today))
    for match in _BARE_YEAR.finditer(text):
        if found := period(match["a"] or match["b"], today):
            yield _part(match, found)


def _rolling(text: str, today: date) -> Iterator[Part]:
    """Ranges that reach back from today: `the past two weeks`, `older than a year`."""
    for match in _ROLLING.finditer(text):
        plain = not match["count"] and not match["many"]
        if plain and (
            not match["in"] and match["which"].casefold() in {"last", "previous", "recent"}
        ):
            continue
        if plain and match["which"].casefold() in {"previous", "recent"}:
            continue
        if (
            plain
            and match["in"]
            and "the" not in match["in"].casefold()
            and match["which"].casefold() == "last"
        ):
            continue
        count = _count(match["count"]) if match["count"] else 1
        if plain or match["many"] or count == 1:
            yield _part(match, (_back(today, count, match["unit"]), today))
    for match in _AGE.finditer(text):
        then = _back(today, _count(match["count"]), match["unit"])
        old = match["which"].casefold() in {"older", "more", "longer"}
        yield _part(match, (None, then - timedelta(days=1)) if old else (then, None))


def _with_year(said: list[str]) -> list[str]:
    """`January` takes the year of `March 2024` in a range of the two."""
    year = re.search(rf"{_YEAR}$", said[-1])
    if len(said) == 2 and year and re.fullmatch(_MONTH, said[0], re.IGNORECASE):
        return [f"{said[0]} {year[0]}", said[1]]
    return said


def _ends_well(text: str, match: re.Match[str]) -> bool:
    if not re.search(rf"{_YEAR}$", match[0]):
        return True
    return bool(_GOES_ON.match(text, match.end()))


def _part(match: re.Match[str], days: Days) -> Part:
    lead = len(match[0]) - len(match[0].lstrip())
    return Part(kind=Kind.DATE, start=match.start() + lead, end=match.end(), days=days)
