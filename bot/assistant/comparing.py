"""Messages that ask to compare papers."""

from __future__ import annotations

import re

from bot.assistant import screen as on_screen
from bot.assistant.needs import need_of
from bot.assistant.references import EDGE, Known, Route, references, refers
from bot.assistant.screen import Screen

# --- compare ---------------------------------------------------------------------------------

_COMPARE = re.compile(r"^(?:compare|contrast|put)\s+(?P<rest>.+)$", re.IGNORECASE)
_COMPARE_NOUN = re.compile(
    r"^(?:(?:what(?:'s|\s+is|\s+are)|show|give|list|explain|describe|find|tell|me|the|a|main|key|any|some|is|are|"
    r"there|about|do|you|see|biggest)\s+)*(?:comparison|differences?|similarit(?:y|ies)|contrast|distinction)\s+"
    r"(?:between|of|among|to|with)\s+(?P<rest>.+)$",
    re.IGNORECASE,
)
_DIFFER = re.compile(
    r"^(?:how|in\s+what\s+way|where)\s+(?:do|does|is|are|did)\s+(?P<a>.+?)\s+"
    r"(?:differ(?:s|ent)?|different|compare[sd]?|stand|relate[sd]?)\s*"
    r"(?:from|to|with|against|than)?\s*(?P<b>.*)$"
    r"|^what\s+(?:distinguishes|separates|sets)\s+(?P<c>.+?)\s+(?:apart\s+)?from\s+(?P<d>.+)$"
    r"|^what\s+do(?:es)?\s+(?P<e>.+?)\s+(?:and|share\s+with|have\s+in\s+common\s+with)\s+(?P<f>.+?)"
    r"(?:\s+(?:have\s+in\s+common|share))?$",
    re.IGNORECASE,
)
_EITHER = re.compile(
    r"^(?P<a>.{2,80}?)\s+(?:or|and|vs\.?)\s+(?P<b>.{2,80}?)\s*[:,?;-]+\s*(?:and\s+)?(?:what|how|where|which)\b"
    r".*\b(?:differ\w*|compar\w*|in\s+common)\b.*$",
    re.IGNORECASE,
)
_VERSUS = re.compile(r"^(?P<a>.{2,80}?)\s+(?:vs\.?|versus|v\.)\s+(?P<b>.{2,80}?)$", re.IGNORECASE)
MOST_JOINTS = 8
"""Places at which the words of a comparison may be parted; what follows stays together."""
_OPERANDS = re.compile(
    r"\s*;\s*|\s*,\s*(?:and\s+|with\s+)?|\s+(?:vs\.?|versus|against)\s+"
    r"|\s+(?:and|with|to|&)\s+",
    re.IGNORECASE,
)


def compare(said: str, screen: Screen, known: Known) -> Route | None:
    """`compare A with B`, `how does A differ from B`, `A vs B` where both are papers."""
    text = said.strip(EDGE)
    shown = screen.listed or screen.focus
    if (need := need_of(said)) and len(shown) > 1:
        return Route("compare", {"papers": [p.handle for p in shown[:6]], "need": need})
    match = _COMPARE.match(text)
    if match and (not text.casefold().startswith("put") or "side by side" in text.casefold()):
        rest = re.sub(r"\bside\s+by\s+side\b", "", match["rest"], flags=re.IGNORECASE)
        return _comparison(operands(rest, screen, known), screen)
    if match := _COMPARE_NOUN.search(text):
        return _comparison(operands(match["rest"], screen, known), screen)
    if match := _DIFFER.match(text):
        first = match["a"] or match["c"] or match["e"] or ""
        second = match["b"] or match["d"] or match["f"] or ""
        parts = [first, second] if second else operands(first, screen, known)
        # "How does it differ from dense retrieval?" asks one paper, not two.
        if not _distinct(parts, screen, known):
            return None
        return _comparison(parts, screen) if len(parts) > 1 else None
    match = _EITHER.match(text) or _VERSUS.match(text)
    if match and _distinct([match["a"], match["b"]], screen, known):
        return _comparison([match["a"], match["b"]], screen)
    return None


def _distinct(parts: list[str], screen: Screen, known: Known) -> bool:
    """True where each part refers to a paper, and no two to the same one."""
    handles = [known(part.strip(EDGE)) for part in parts]
    refers = all(
        handle or on_screen.by_place(part, screen) is not None or _SAYS_PAPER.search(part)
        for handle, part in zip(handles, parts, strict=True)
    )
    named = [handle for handle in handles if handle]
    return refers and len(set(named)) == len(named)


_SAYS_PAPER = re.compile(r"\b(?:paper|article|study|preprint|one)\s*$", re.IGNORECASE)


def operands(text: str, screen: Screen, known: Known) -> list[str]:
    """The papers of a comparison, as written; a title with "and" in it is not taken apart."""
    text = text.strip(EDGE)
    quoted = re.findall(r"[\"“]([^\"“”]+)[\"”]", text)
    if len(quoted) > 1:
        return quoted
    if on_screen.by_place(text, screen) is not None or known(text):
        return [text]
    if match := re.match(
        r"^(?:to|with)\s+(?P<b>.+)$|^(?P<a>it|this|that)\s+(?:to|with)\s+(?P<c>.+)$",
        text,
        re.IGNORECASE,
    ):
        return ["it", match["b"] or match["c"]]
    pieces = _OPERANDS.split(text, maxsplit=MOST_JOINTS)
    joints = _OPERANDS.findall(text)[:MOST_JOINTS]
    # Join pieces again where the whole goes by a name: "speech and language processing".
    best = pieces
    for place in range(len(joints)):
        left = _rejoin(pieces[: place + 1], joints[:place])
        right = _rejoin(pieces[place + 1 :], joints[place + 1 :])
        if refers(left, screen, known) and refers(right, screen, known):
            return [left, right]
        strong = re.search(r"with|vs|versus|against|;", joints[place], re.IGNORECASE)
        if strong and best is pieces:
            best = [left, right]
    if best is pieces and len(pieces) > 2 and not all(refers(p, screen, known) for p in pieces):
        # "A and B": parted at the first joint unless more names are known.
        known_pieces = [p for p in pieces if refers(p, screen, known)]
        best = pieces if len(known_pieces) > 1 else [pieces[0], _rejoin(pieces[1:], joints[1:])]
    return [piece for piece in best if piece.strip()]


def _rejoin(pieces: list[str], joints: list[str]) -> str:
    out = pieces[0] if pieces else ""
    for joint, piece in zip(joints, pieces[1:], strict=False):
        out += joint + piece
    return out


def _comparison(parts: list[str], screen: Screen) -> Route:
    names: list[str] = []
    for part in parts:
        found, ask = references(part, screen)
        if ask:
            return Route(say=ask, asks=True)
        names += [name for name in found if name not in names]
    if len(names) == 1:
        other = [p.handle for p in screen.focus if p.handle not in names]
        if len(other) == 1:
            names.insert(0, other[0])
    return Route("compare", {"papers": names})
