"""Text for a reader's eye: simple TeX and Markdown become Unicode; what is not simple stays."""

from __future__ import annotations

import re
from collections.abc import Callable

from index.text.maths import spans, symbol, to_unicode

_ADDRESS = re.compile(r"https?://[^\s{}<>\"'`)\]]+(?<![.,;:!?*$\\])")
_KEPT = re.compile("\ue000(\\d+)\ue001")
_STYLES = (
    r"\\(?:textbf|textit|textsc|texttt|textsf|textrm|textnormal|textsl|emph|underline|uline|text|mbox|"
    r"mathbf|mathrm|mathit|mathtt|mathsf|bm|tsc|uppercase)\s*\{([^{}]*)\}"
)
_SWITCH = r"\{\\(?:bf|it|em|tt|sc|rm|sl|sf|bfseries|itshape|scshape)(?![A-Za-z])\s*([^{}]*)\}"
_RULES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), put)
    for pattern, put in (
        (r"\\textcolor\s*\{[^{}]*\}\s*\{([^{}]*)\}", r"\1"),
        (_STYLES, r"\1"),
        (_SWITCH, r"\1"),
        (_STYLES, r"\1"),
        (r"\*\*\*(\S(?:[^*]*\S)?)\*\*\*", r"\1"),
        (r"\*\*(\S(?:[^*]*\S)?)\*\*", r"\1"),
        (r"(?<![\w*\\])\*(\S(?:[^*]*[^\s*])?)\*(?![\w*])", r"\1"),
        (r"(?<![\w\\/])_([^\W_](?:[^_]*[^\W_])?)_(?![\w/])", r"\1"),
        (r"``([^`']*(?:'[^`']+)*)''", r"“\1”"),
        (r"(?<=[\w)\]])\s?---\s?(?=[\w(])", "—"),
        (r"(?<=\w)--(?=\w)", "–"),
        # TeX's tie; a tilde before a figure means "about".
        (
            r"(?<=[^\W\d_])\\?~(?=[^\W_])|(?<=[.,)%])~(?=[\w\ue000(])|(?<=[\w%)])~(?=\ue000)|(?<=\ue001)~",
            " ",
        ),
        (r"\\[,;](?=\S)", " "),
        (r"\\([%&_#$'\"])", r"\1"),
        (r"\\(?=[ ])", ""),
    )
)


def readable(text: str) -> str:
    """The text for display: `10.7\\%` -> `10.7%`, `\\textsc{X}` -> `X`, `$\\times$` -> `×`.

    Addresses, prices, `snake_case`, hard formulas and unknown macros stay as they are. Not for
    quotation checks: those use the stored text.
    """
    # The second: signs of private use stand for kept pieces below.
    if not re.search(r"[\\$*_~`\[]|--", text) or re.search("[\ue000\ue001]", text):
        return text
    kept: list[str] = []

    def keep(piece: str) -> str:
        kept.append(piece)
        return f"\ue000{len(kept) - 1}\ue001"

    text = _links(text)
    text = _ADDRESS.sub(lambda match: keep(match[0]), text)
    text = _formulas(text, keep)
    for pattern, put in _RULES:
        text = pattern.sub(put, text)
    text = re.sub(r"\{\\([A-Za-z]+)\}|\\([A-Za-z]+)(?:\{\})?", _word, text)
    # Kept pieces may hold kept pieces: an address inside a formula.
    while _KEPT.search(text):
        text = _KEPT.sub(lambda match: kept[int(match[1])], text)
    return text


def _word(match: re.Match[str]) -> str:
    return symbol(match[1] or match[2]) or match[0]


def _links(text: str) -> str:
    """Links of TeX and Markdown as `words (address)`, or the address alone."""
    text = re.sub(r"\\url\s*\{([^{}]*)\}", r"\1", text)

    def show(words: str, address: str) -> str:
        same = words.strip().rstrip("/") in {address.rstrip("/"), ""}
        return address if same else f"{words} ({address})"

    text = re.sub(
        r"\\href\s*\{([^{}]*)\}\s*\{([^{}]*)\}", lambda match: show(match[2], match[1]), text
    )
    return re.sub(
        r"\[([^\[\]]+)\]\((https?://[^()\s]+)\)", lambda match: show(match[1], match[2]), text
    )


def _formulas(text: str, keep: Callable[[str], str]) -> str:
    parts, end = [], 0
    for start, after in spans(text):
        raw = text[start:after]
        width = 2 if raw.startswith(("$$", "\\")) else 1
        shown = to_unicode(raw[width:-width])
        parts += [text[end:start], keep(raw if shown is None else shown)]
        end = after
    return "".join([*parts, text[end:]])
