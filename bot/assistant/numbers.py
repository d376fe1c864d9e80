"""Figures in a sentence, and whether a source gives them of the same quantity."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from bot.assistant.quantities import concept, measures_work
from bot.assistant.wording import GENERIC, Word, content, tokens

PLAIN, PERCENT, FACTOR = "plain", "percent", "factor"


@dataclass(frozen=True, slots=True)
class Number:
    """A figure of a flat text."""

    value: float
    kinds: frozenset[str]
    start: int
    end: int
    text: str
    step: float = 0.0
    """The unit of its last digit."""
    rounded: str = ""
    """`near`, `over` or `under` where the text says so."""


_NUM = r"(?:\d+(?:\.\d+)?|\.\d+)"
_FIGURE = re.compile(
    r"(?<![\w.])(?<![A-Za-z]-)(?<![A-Za-z]_)"
    rf"(?P<number>{_NUM})(?:\s*[×x*·]\s*10\s*\^\s*\(?(?P<power>[-+]?\d+)\)?|\^\(?(?P<exponent>[-+]?\d+)\)?|[eE](?P<e>[-+]?\d+)(?!\w))?"
    r"(?P<scale>\s?[kKMBT](?![\w])|[\s-]?(?:thousand|million|billion|trillion|hundred|bn)\b)?"
    r"(?P<unit>\s*(?:%|percent\b|per cent\b|percentage\b|pp\b)|\s?[×x](?![\w]|\s*\d)|\s*times\b|[\s-]?folds?\b(?!\s+cross))?"
    r"(?P<rest>(?:st|nd|rd|th|[Dd])\b)?"
)
_SCALES = {"k": 3, "m": 6, "b": 9, "t": 12, "hundred": 2, "thousand": 3, "million": 6, "billion": 9, "bn": 9, "trillion": 12}  # fmt: skip
_ONES = {word: value for value, word in enumerate(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen".split())}  # fmt: skip
_TENS = {word: 10 * value for value, word in enumerate(
    "twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}  # fmt: skip
_SMALL = "|".join([*_TENS, *sorted(_ONES, key=len, reverse=True)])
_SPELT = re.compile(
    rf"\b(?P<first>a|{_SMALL})(?:[\s-](?P<second>{'|'.join(list(_ONES)[1:10])}))?"
    r"(?P<scale>[\s-](?:hundred|thousand|million|billion|trillion|dozen))?"
    r"(?P<unit>\s*(?:%|percent\b|per cent\b|percentage\b)|\s+times\b|-?folds?\b(?!\s+cross))?(?![A-Za-z])",
    re.IGNORECASE,
)
_WORDS = (
    (re.compile(r"\b(?:twice|doubl(?:e|es|ed|ing)|two-?fold)\b", re.IGNORECASE), 2.0, FACTOR),
    (re.compile(r"\b(?:thrice|tripl(?:e|es|ed|ing)|three-?fold)\b", re.IGNORECASE), 3.0, FACTOR),
    (re.compile(r"\b(?:ten-?fold)\b", re.IGNORECASE), 10.0, FACTOR),
    (re.compile(r"\b(?:half|halves|halved|halving)\b", re.IGNORECASE), 50.0, PERCENT),
)
_NEAR = re.compile(r"(?:\b(?:about|around|roughly|approximately|nearly|almost|circa|some|close to|an estimated)\s|[~≈]\s?)[$<>=]*$", re.IGNORECASE)  # fmt: skip
_OVER = re.compile(r"(?:\b(?:over|above|more than|at least|beyond|exceed(?:s|ing)?)\s|[>≥]\s?)$", re.IGNORECASE)  # fmt: skip
_UNDER = re.compile(r"(?:\b(?:under|below|less than|fewer than|at most|up to)\s|[<≤]\s?)$", re.IGNORECASE)  # fmt: skip
_RANGE = re.compile(r"\s*(?:-|to|through|and|or|,)\s*")


@lru_cache(maxsize=4096)
def numbers(text: str) -> tuple[Number, ...]:
    """The figures of a flat text in order: digits, spelt ones, percentages, ranges, powers, `7B`."""
    found = sorted([*_figures(text), *_spelt(text)], key=lambda number: number.start)
    found = [n for i, n in enumerate(found) if not i or n.start >= found[i - 1].end]
    # In `84-88%` and `2 to 3 million` the sign at the end is meant for both.
    for place in range(len(found) - 1, 0, -1):
        first, last = found[place - 1], found[place]
        between = text[first.end : last.start]
        if _RANGE.fullmatch(between) and first.kinds == {PLAIN} and last.kinds != {PLAIN}:
            close = "-" in between or "to" in between
            kinds = last.kinds if close else first.kinds | last.kinds
            found[place - 1] = replace(first, kinds=kinds)
        if re.fullmatch(r"\s*(?:-|to)\s*", between) and last.value >= 1e3 and first.value < 1e3:
            scale = re.search(r"(?:[kKMBT]|thousand|million|billion|trillion)\b", last.text)
            if scale:
                factor = 10 ** _SCALES[scale[0].casefold()]
                found[place - 1] = replace(found[place - 1], value=first.value * factor)
    return tuple(found)


def _figures(text: str) -> Iterator[Number]:
    for match in _FIGURE.finditer(text):
        glued = match["e"] is None and re.match(r"[A-Za-z]*\d", text[match.end() :])
        if match["rest"] or glued:
            continue
        value = float(match["number"])
        decimals = len(match["number"].partition(".")[2])
        step = 10.0**-decimals
        power = match["power"] or match["e"]
        try:
            if power:
                value, step = value * 10.0 ** int(power), step * 10.0 ** int(power)
            elif match["exponent"]:
                value = value ** int(match["exponent"])
        except (OverflowError, ZeroDivisionError):
            continue
        if match["scale"]:
            factor = 10 ** _SCALES[match["scale"].strip(" -").casefold()]
            value, step = value * factor, step * factor
        if math.isfinite(value):
            kind = _kind(match["unit"])
            yield Number(
                value, frozenset({kind}), match.start(), match.end(), match[0].strip(), step,
                _rounded(text[: match.start()]),
            )  # fmt: skip
    for pattern, value, kind in _WORDS:
        for match in pattern.finditer(text):
            yield Number(value, frozenset({kind}), match.start(), match.end(), match[0], 1.0)


def _spelt(text: str) -> Iterator[Number]:
    for match in _SPELT.finditer(text):
        first, second = match["first"].casefold(), (match["second"] or "").casefold()
        scale = (match["scale"] or "").strip(" -").casefold()
        if first in {"a", "one", "zero"} and not scale and (first != "one" or not match["unit"]):
            continue
        value = float(1 if first == "a" else {**_ONES, **_TENS}[first])
        if second and first in _TENS:
            value += _ONES[second]
        elif second:
            continue
        if scale:
            value *= 12 if scale == "dozen" else 10 ** _SCALES[scale]
        yield Number(
            value, frozenset({_kind(match["unit"])}), match.start(), match.end(), match[0], 1.0,
            _rounded(text[: match.start()]),
        )  # fmt: skip


def _kind(unit: str | None) -> str:
    unit = (unit or "").strip(" -").casefold()
    if not unit:
        return PLAIN
    return PERCENT if unit[0] in "%p" else FACTOR


def _rounded(before: str) -> str:
    if _NEAR.search(before):
        return "near"
    if _OVER.search(before):
        return "over"
    return "under" if _UNDER.search(before) else ""


def equal(said: Number, given: Number) -> bool:
    """Whether two figures are the same value, 0.873 and 87.3 % too, or rounded where it is said."""
    return any(_near(said, value, step) for value, step in _readings(said, given))


def _readings(said: Number, given: Number) -> Iterator[tuple[float, float]]:
    """The given value as the said one's kind would write it."""
    if said.kinds & given.kinds:
        yield given.value, given.step
    if PERCENT in said.kinds and PLAIN in given.kinds:
        if given.value <= 1:
            yield given.value * 100, given.step * 100
        # Tables write "50.2" for a percentage.
        if given.step < 1:
            yield given.value, given.step
    if PLAIN in said.kinds and PERCENT in given.kinds:
        if said.value <= 1:
            yield given.value / 100, given.step / 100
        if given.step < 1:
            yield given.value, given.step


def _near(said: Number, value: float, step: float) -> bool:
    off = abs(said.value - value)
    if off <= 1e-9 * max(1.0, abs(value)) or math.isclose(said.value, value, rel_tol=1e-9):
        return True
    if not said.rounded or (step >= said.step > 0 and said.rounded != "near"):
        return False
    if said.rounded == "over":
        return 0 < value - said.value <= said.step
    if said.rounded == "under":
        return 0 < said.value - value <= said.step
    return off <= max(said.step / 2 * (step < said.step), 0.02 * abs(value))


_REACH = 7


def _family(figure: Number) -> str:
    """Figures of one family compete for a word: shares, factors, and counts and measures."""
    if PERCENT in figure.kinds or (
        figure.kinds == {PLAIN} and figure.value <= 100 and figure.step < 1
    ):
        return PERCENT
    return FACTOR if FACTOR in figure.kinds else PLAIN


_PREDICATE = re.compile(r"\b(?:is|are|was|were|be|been|has|have|had)\b")
_APART = re.compile(r"[;:()]|, |\b(?:and|but|while|whereas|versus|vs)\b")


@dataclass(frozen=True, slots=True)
class _Near:
    """How far the figures of a text stand from its words."""

    text: str
    words: tuple[Word, ...]
    figures: tuple[Number, ...]

    def distance(self, word: Word, figure: Number) -> float:
        """Words between the two; what parts clauses counts for more."""
        start, end = min(word.end, figure.end), max(word.start, figure.start)
        between = self.text[start:end]
        steps = len(tokens(between)) if between.strip() else 0
        return 1 + steps + 3 * len(_APART.findall(between))

    def measures(self, word: Word, figure: Number) -> bool:
        """Whether the word may be what the figure is of: `seven tasks`, `F1 of 0.81`."""
        if word.start > figure.end:
            parted = _PREDICATE.search(self.text[figure.end : word.start])
            return not parted and self.distance(word, figure) <= 4
        counted = figure.kinds == {PLAIN} and figure.step == 1
        between = self.text[word.end : figure.start]
        linked = re.fullmatch(
            r"\s*(?:(?:\w+\s+)?(?:of|is|are|was|were|to|by|at|only|about)\b)*\s*[$<>=~≈(:]*",
            between,
        )
        return bool(linked) if counted else self.distance(word, figure) <= 5

    def nearest(self, word: Word, family: str = "") -> Number | None:
        """The nearest figure, of one family where that is given."""
        figures = [figure for figure in self.figures if not family or _family(figure) == family]
        return min(figures, key=lambda figure: self.distance(word, figure), default=None)

    def around(self, figure: Number) -> list[Word]:
        """Content words that this figure is the nearest to."""
        return [
            word
            for word in self.words
            if self.distance(word, figure) <= _REACH and self.nearest(word) is figure
        ]


@lru_cache(maxsize=4096)
def _near_of(text: str) -> _Near:
    figures = numbers(text)
    spans = [(figure.start, figure.end) for figure in figures]
    said = [w for w in content(text) if not any(a <= w.start < b for a, b in spans)]
    return _Near(text, tuple(said), figures)


def mismatch(sentence: str, figure: Number, source: Sequence[str]) -> str:
    """Why the source does not give this figure of the sentence; "" where it does.

    `source` holds the flat sentences of the cited abstracts, titles among them.
    """
    near = _near_of(sentence)
    candidates = [
        (_near_of(text), given, source[place - 1] if place else "")
        for place, text in enumerate(source)
        for given in numbers(text)
        if equal(figure, given)
    ]
    if not candidates:
        return f"{figure.text} is not in the cited abstract"
    around = near.around(figure)
    reasons = [
        _other_quantity(around, near, figure, there, given, before)
        or _other_setting(around, near, figure, (there, given, before), source)
        for there, given, before in candidates
    ]
    if "" in reasons:
        return ""
    return next((reason for reason in reasons if reason), "")


def _other_quantity(
    around: list[Word], near: _Near, figure: Number, there: _Near, given: Number, before: str
) -> str:
    """Why the two figures are of different quantities, in words; "" where they agree.

    What is measured may have been said in the sentence `before`.
    """
    said = {concept(word.text): word.text for word in around}
    close = {concept(word.text): word.text for word in around if near.measures(word, figure)}
    known: dict[str, list[Word]] = {}
    for word in there.words:
        known.setdefault(concept(word.text), []).append(word)
    implied = {concept(word.text) for word in content(before)}
    for key, name in close.items():
        unmet = key not in known and key not in implied
        if unmet and key.startswith("#") and not _vague(key, figure):
            return f"the cited abstract does not give {figure.text} as the {name}"
    partners = _partners(near, figure)
    if "respectively" not in there.text and not _compared(said, known, there, given):
        for key, name in said.items():
            if key in known and _belongs_elsewhere(known[key], there, given, partners):
                return f"the cited abstract gives another figure for {name} than {figure.text}"
    everything = {concept(word.text) for word in near.words}
    overlap = {key for key in everything & known.keys() if key not in GENERIC}
    if everything and known and not overlap and not (set(said) & known.keys()):
        return f"the cited abstract gives {figure.text} of something else"
    return ""


_SETTING = re.compile(r"\b(?:on|for|of|in|at|with)\s+(?:the\s+)?$", re.IGNORECASE)


def _other_setting(
    around: list[Word],
    near: _Near,
    figure: Number,
    candidate: tuple[_Near, Number, str],
    source: Sequence[str],
) -> str:
    """Why the figure is of another data set: the one named beside it has figures of its own."""
    there, given, before = candidate
    here = f"{before} {there.text}".casefold()
    for word in around:
        name = word.text
        named = name[:1].isupper() and _SETTING.search(near.text[: word.start])
        if not named or near.distance(word, figure) > 6 or name.casefold() in here:
            continue
        for text in source:
            other = _near_of(text)
            has_own = any(_family(one) == _family(given) for one in other.figures)
            if has_own and any(w.text == name for w in other.words):
                return f"the cited abstract gives {figure.text} for something else than {name}"
    return ""


def _vague(key: str, figure: Number) -> bool:
    """Quantities that a percentage or a factor may leave unsaid: the thing measured, not counted."""
    return figure.kinds != {PLAIN} and measures_work(key)


_COMPARES = re.compile(r"\b(?:compared (?:with|to)|versus|vs|against|than|over|for|instead of)\b")


def _compared(
    said: dict[str, str], known: dict[str, list[Word]], there: _Near, given: Number
) -> bool:
    """Whether the source gives this figure for a rival that the sentence names: "0.045 for SchNet"."""
    if not _COMPARES.search(there.text):
        return False
    for key, name in said.items():
        if not name[:1].isupper():
            continue
        for word in known.get(key, ()):
            nearest = there.nearest(word)
            if nearest and nearest.value == given.value and there.distance(word, nearest) <= 4:
                return True
    return False


_OF = re.compile(r"\s*(?:of|out of|/)(?: the)?\s*")


def _partners(near: _Near, figure: Number) -> frozenset[float]:
    """The other side of `17 of 29`."""
    return frozenset(
        other.value
        for other in near.figures
        if other is not figure
        and _OF.fullmatch(near.text[min(other.end, figure.end) : max(other.start, figure.start)])
    )


def _belongs_elsewhere(
    places: list[Word], there: _Near, given: Number, partners: frozenset[float]
) -> bool:
    """Whether a word of the source clearly stands by a figure of another value each time."""
    for word in places:
        nearest = there.nearest(word, _family(given))
        if nearest is None or nearest.value == given.value or word.stem in GENERIC:
            return False
        beside = there.distance(word, nearest)
        if not there.measures(word, nearest) or nearest.value in partners:
            return False
        if beside > 4 or there.distance(word, given) - beside < 2:
            return False
    return True
