"""Figures of an abstract with what they measure: `accuracy`, `6.2`, `cm`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from index.text.words import words


@dataclass(frozen=True, slots=True)
class Figure:
    """A number as the abstract writes it: `value` stands at `abstract[start:]`."""

    value: str
    unit: str
    """`%`, `×`, `points`, `ms`, what is counted (`datasets`), or an empty string."""
    quantity: str
    """The words around that tell what is measured, or an empty string."""
    sentence: int
    """1-based number of the sentence in the abstract."""
    start: int


_NUMBER = re.compile(
    r"(?<![\w.\-‐‑–/^_{#])[~≈]?(?P<value>\$?[+−-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[+−-]?\d+(?:\.\d+)?(?:\s?(?:-|–|to)\s?\d+(?:\.\d+)?(?=\s?\\?%))?)"
    r"(?P<unit>\s?\\?%|\s?\$?\\times\$?|\s?[×x](?![\w])|[\s-]?fold\b|\s(?:percent(?:age points?)?|(?:absolute )?points?|pp|times)\b"
    r"|\s?(?:dB|ms|µs|ns|GB|MB|KB|TB|GHz|MHz|kHz|Hz|cm|mm|km|nm|kg|mW|kW|FPS|fps|TFLOPS|GFLOPs|FLOPs|BLEU|ROUGE)\b"
    r"|[\s-](?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|milliseconds?|meters?|metres?|degrees?)\b"
    r"|\s?(?:million|billion|trillion|thousand)\b|[kKMBT](?![\w])|\s?[sm](?=[\s,.;)])|\$?(?=[\s,.;:)\]]|$))"
)
_YEAR = re.compile(r"(?:19|20)\d\d")
# `Section 3`, `GPT 4`, `Figure 2`: numbers of things, not of quantities.
_LABEL = re.compile(
    r"(?:\b(?:sections?|figures?|tables?|equations?|theorems?|chapters?|steps?|versions?|levels?|phases?|types?|class|categor\w+|task|track|ICLR|NeurIPS|ICML|ACL|CVPR|SemEval)|[A-Z][\w-]*)\s$"
)
_STOP = words(
    "a an the this that these those its our their and or but while with without on in at for from to "
    "by of than as is are was were be been which who when where over under up only about "
    "approximately nearly roughly almost around least most more less respectively using we it they "
    "can could may compared respectively into across between per both all each every then also not if"
)
_JOINS = re.compile(
    r"^(?:of|by|to|in|from|is|was|are|were|at|reach(?:es|ed|ing)?|equals?|up|about|around|approximately|nearly|roughly|almost|over|only|average|least|more|less|than|as|much|many|an?|the|additional|=|≈|~|:|\()$",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z][\w@+/’'-]*")
# `improves F1 by`: what changes is measured, not that it does.
_CHANGE = re.compile(
    r"(?:improv|reduc|increas|decreas|lower|rais|boost|cut|slash|achiev|reach|outperform|gain|exceed|surpass|deliver|yield|"
    r"obtain|attain|report|drop|fall|ris|span|cover|compris|contain)(?:e|es|s|ed|ing|ning)?$",
    re.IGNORECASE,
)


def figures(sentence: str, number: int, offset: int) -> list[Figure]:
    """The figures of one sentence that begins at `offset` of its abstract, in order."""
    found = []
    for match in _NUMBER.finditer(sentence):
        value, unit = match["value"].strip("$"), _unit(match["unit"])
        before, after = sentence[: match.start()], sentence[match.end() :]
        if not unit and (
            _LABEL.search(before) or (re.fullmatch(r"\d", value) and before.endswith("("))
        ):
            continue
        if not unit and _YEAR.fullmatch(value):
            continue
        counted = _run(after) if re.match(r"\s", after) else []
        part = re.match(r"\s+of (?:the |our |all |its )?", after)
        # `a 7B model`: what is in front of a size tells nothing of it.
        quantity = (
            counted
            or ([] if unit in {"K", "k", "M", "B", "T"} else _measured(before))
            or (_run(after[part.end() :]) if part else [])
        )
        if not unit and counted and "." not in value:
            unit = counted[-1] if counted[-1].endswith("s") else ""
        if not unit and not quantity:
            continue
        start = offset + match.start("value") + match["value"].startswith("$")
        found.append(Figure(value, unit, " ".join(quantity), number, start))
    return found


def _unit(written: str) -> str:
    plain = written.strip(" -$").replace("\\%", "%")
    return "×" if plain in {"\\times", "x", "×"} else plain


def _run(after: str) -> list[str]:
    """The words that follow at once, up to one that joins: `accuracy`, `labelled pairs`."""
    run = []
    for token in re.split(r"\s+", after.strip())[:4]:
        word = re.match(r"[A-Za-z][\w’'-]*", token)
        if not word or word[0].casefold() in _STOP:
            break
        run.append(word[0])
        if word[0] != token:
            break
    return _bare(run)


def _measured(before: str) -> list[str]:
    """The words in front that it is a figure of: `error` of `an error of`, `improves F1 by`."""
    clause = re.split(r"[,;:()]\s|\b(?:and|while|but|which|that)\s", before)[-1]
    tokens = re.split(r"\s+", clause.strip())
    while tokens and _JOINS.match(tokens[-1]):
        tokens.pop()
    run: list[str] = []
    for token in reversed(tokens[-4:]):
        if not _WORD.fullmatch(token) or token.casefold() in _STOP:
            break
        run.insert(0, token)
    return _bare(run)


def _bare(run: list[str]) -> list[str]:
    """What is behind a verb of change, and no such verb at the end."""
    for place in range(len(run) - 2, -1, -1):
        if _CHANGE.match(run[place]):
            run = run[place + 1 :]
            break
    while len(run) > 1 and _CHANGE.match(run[-1]) and not run[-1].endswith("s"):
        run = run[:-1]
    return run
