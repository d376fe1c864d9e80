"""Messages about many papers at once, and about how something is to be told."""

from __future__ import annotations

import re

from bot.assistant.references import EDGE, Known, Route, on_paper
from bot.assistant.screen import Screen

_STYLES = (
    ("line", r"in\s+(?:a|one|1)\s+(?:single\s+)?(?:line|sentence)|in\s+a\s+tweet|as\s+a\s+one[- ]liner"),
    ("paragraph", r"in\s+(?:a|one|1)\s+(?:short\s+)?paragraph"),
    (
        "newcomer",
        (r"(?:for|to)\s+(?:a\s+|an\s+|the\s+|some\s+)?(?:complete\s+|absolute\s+)?(?:newcomers?|beginners?|lay(?:person|man|people)?|"
        r"non[- ]?(?:experts?|specialists?)|novices?|outsiders?|child|kid|students?|five[- ]year[- ]old|general\s+audience)"
        r"|in\s+(?:plain|simple|easy)\s+(?:words|terms|english|language)|simply\s+put|eli5"),
    ),
)  # fmt: skip
_STYLED = [
    (name, re.compile(rf"[\s,]+(?:{pattern})\b|^(?:{pattern})[\s,:]+", re.IGNORECASE))
    for name, pattern in _STYLES
]
_TELLS = re.compile(
    r"\b(?:summar|explain|describe|gist|sum\s+up|tl;?dr|tell|about|overview)", re.IGNORECASE
)


def styled(said: str) -> tuple[str, str]:
    """(the message without it, how a summary is to be told or an empty string).

    >>> styled("summarise LoRA in one line")
    ('summarise LoRA', 'line')
    """
    for style, pattern in _STYLED:
        if _TELLS.search(said) and (match := pattern.search(said)):
            rest = f"{said[: match.start()]} {said[match.end() :]}"
            return " ".join(rest.split()).strip(" ,"), style
    return said, ""


_USED = r"(?:as|how)\s+(?:it\s+is\s+|they\s+|(?:the|these|my|those)\s+(?:\w+\s+)?(?:papers?|authors|abstracts)\s+)(?:used?|uses?|understand|define|mean)s?(?:\s+(?:it|here|by\s+(?:it|them)))?"
_IN_THEM = r"(?:in|across|among)\s+(?:the|these|my|those)\s+(?:papers|abstracts|library)"
_TERM = re.compile(
    rf"^(?:explain|define|clarify)\s+(?:(?:what\s+)?(?:the\s+)?(?:terms?|words?|notion|concept)(?:\s+of)?\s+)?(?P<a>.+?)"
    rf"(?:\s+(?:{_USED}|{_IN_THEM}))\W*$"
    rf"|^(?:explain|define|clarify)\s+(?:the\s+)?(?:terms?|words?|notion|concept)(?:\s+of)?\s+(?P<b>.+?)\W*$"
    rf"|^(?:define|definition\s+of)\s+(?P<c>.+?)\W*$"
    rf"|^how\s+(?:do|does|is|are)\s+(?:the|these|my|those)\s+(?:papers|authors|abstracts)\s+(?:use|understand|define)\s+(?P<d>.+?)\W*$"
    rf"|^what\s+(?:is|are)\s+meant\s+by\s+(?P<e>.+?)(?:\s+{_IN_THEM})?\W*$"
    rf"|^what\s+do\s+(?:the|these|my|those)\s+(?:papers|authors|abstracts)\s+mean\s+by\s+(?P<f>.+?)\W*$",
    re.IGNORECASE,
)
_SURVEY = re.compile(
    r"^(?:do|does)\s+(?:all\s+(?:of\s+)?)?(?:the|these|my|those|any|most)?\s*(?:papers|authors|abstracts|library|literature)\s+"
    r"(?:agree|disagree|concur|differ)\s*(?:that|on|about|whether|over|if|as\s+to)?\s*(?P<a>.*)$"
    r"|^(?:where|on\s+what|what)\s+do\s+(?:the|these|my|those)?\s*(?:papers|authors)\s+(?:agree|disagree|differ)(?:\s+(?:and\s+disagree\s+)?(?:on|about|over))?\s*(?P<b>.*)$"
    r"|^what\s+(?:do|does)\s+(?:all\s+)?(?:the|these|my|those)?\s*(?:papers|authors|abstracts|library|literature)\s+"
    r"(?:say|think|find|report|claim|conclude)\s+(?:about|on|of|regarding)\s+(?P<c>.+)$"
    r"|^how\s+many\s+(?:of\s+(?:the|these|my)\s+)?papers\s+(?:say|find|report|claim|show|use|study|mention|are\s+(?:on|about)|discuss|deal\s+with)\s+(?:that\s+)?(?P<d>.+)$"
    r"|^(?:is\s+there\s+(?:a\s+)?)?(?:consensus|agreement|disagreement|debate)\s+(?:on|about|over|whether)\s+(?P<e>.+)$",
    re.IGNORECASE,
)
_CONTRAST = re.compile(
    r"^(?:(?:find|show|list|give|any|are\s+there)\s+(?:me\s+)?)?(?:which\s+|what\s+|some\s+|any\s+)?(?:papers?|works?|ones?|something)?\s*"
    r"(?:that\s+|which\s+)?(?:contrast(?:s|ing)?(?:\s+with)?|(?:are\s+|is\s+)?(?:the\s+)?opposite\s+(?:of|to)|"
    r"(?:do|does|go|goes|work|works)\s+(?:it\s+)?(?:the\s+opposite\s+(?:of|to)|against|differently\s+(?:from|than|to))|"
    r"(?:take|takes|taking|with)\s+(?:a|another|an)\s+(?:different|opposite|other)?\s*(?:approach|way|view|route)\s*(?:from|to|than|as)|"
    r"disagree(?:s|ing)?\s+with|contradict(?:s|ing)?|challeng(?:e|es|ing)|(?:an\s+)?alternatives?\s+to|unlike)\s+(?P<rest>.+)$",
    re.IGNORECASE,
)


def term(said: str, screen: Screen, known: Known) -> Route | None:
    """`explain dropout as the papers use it`, `what is meant by X`."""
    del screen, known
    match = _TERM.match(said.strip(EDGE))
    words = next((group for group in match.groups() if group), "").strip(EDGE) if match else ""
    return Route("explain", {"term": words}) if words else None


def survey(said: str, screen: Screen, known: Known) -> Route | None:
    """`do the papers agree that X`, `what do the papers say about X`."""
    del known
    match = _SURVEY.match(said.strip(EDGE))
    if not match:
        return None
    words = next((group for group in match.groups() if group), "").strip(EDGE)
    words = re.sub(r"^(?:this|that|it)$", screen.query, words, flags=re.IGNORECASE)
    return Route("survey", {"topic": words}) if words else None


def contrast(said: str, screen: Screen, known: Known) -> Route | None:
    """`papers contrasting with X`, `alternatives to the second one`."""
    del known
    text = said.strip(EDGE)
    match = _CONTRAST.match(text)
    # "Contrast A and B" puts two side by side.
    if not match or re.match(r"contrast\b", text, re.IGNORECASE):
        return None
    return on_paper("contrast", match["rest"], screen)
