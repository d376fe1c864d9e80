"""People: the author a request names. Whether the library has one is checked before it counts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from index.query.namesakes import AND
from index.query.parts import Kind, Part

_PAPERS = (
    r"(?:papers?|works?|articles?|research|literature|studies|publications?|preprints?|anything|something|everything|stuff|"
    r"written|authored|co-?authored|published|ones?|that)"
)
_STRONG = re.compile(
    rf"(?:\b{_PAPERS}\s+(?:(?:written|authored|co-?authored|published)\s+)?by|^\s*by|\bauthor(?:ed)?\s+by|\bby\s+(?:the\s+)?authors?)\s+(?=\S)",
    re.IGNORECASE,
)
_WEAK = re.compile(r"\b(?:by|from)\s+(?=\S)", re.IGNORECASE)
_FIELD = re.compile(
    r"\b(?:authors?|au|by)\s*[:=]\s*(?:\"(?P<quoted>[^\"]+)\"|(?=\S))", re.IGNORECASE
)
_OWNS = re.compile(
    rf"^\s*(?:(?:the|all|any|find|show|list|me|give|get)\s+)*(?P<name>\S.*?)(?:'s|’s|s'|s’)\s+(?:(?:newest|latest|most\s+recent|recent|new|other)\s+)?(?={_PAPERS}\b)",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"\s*(?P<word>[^\W\d_][\w'’.‐-]*)(?P<comma>,)?")
_PARTICLES = frozenset(
    "de da do dos das del della der den van von zu zur la le les du di el al bin ibn ben st ter ten af av".split()
)
_STOPS = frozenset(
    "on about in since from at with without before after until published that which and or not excluding except but between "
    "for regarding concerning using only to the via during of as is are was were who whose by newest latest last this past "
    "et please sorted".split()
)


_AND = re.compile(r"\s*,?\s+(?:and|&)\s+(?:by\s+)?(?=[^\W\d_a-z])")
_ET_AL = re.compile(r"(?P<name>[^\W\d_a-z][\w'’-]+)\s+et\s+al\b\.?(?:['’]s)?")


def authors(text: str) -> Iterator[Part]:
    """The authors a request names, the surest first."""
    for match in _FIELD.finditer(text):
        if match["quoted"]:
            yield _part(match.start(), match.end(), match["quoted"])
        elif found := _name(text, match.end(), lower=True):
            yield _part(match.start(), found[1], found[0])
    owner = _OWNS.match(text)
    if owner and _reads_as_name(owner["name"]):
        yield _part(owner.start("name"), owner.end(), owner["name"], sure=False)
    for match in _ET_AL.finditer(text):
        yield _part(match.start(), match.end(), match["name"], sure=False)
    for match in _STRONG.finditer(text):
        lead = re.search(r"(?:(?:written|authored|co-?authored|published)\s+)?\S*\s*$", match[0])
        start = match.start() + (lead.start() if lead else 0)
        if found := _name(text, match.end(), lower=True):
            # "Papers by Ana Pérez" are none where the library has none of hers.
            full = len(found[0].split()) > 1 and found[0][0].isupper()
            yield _part(start, found[1], found[0], sure=full)
    for match in _WEAK.finditer(text):
        found = _name(text, match.end(), lower=False)
        alone = match[0].casefold().startswith("by") and found and len(found[0]) > 2
        if found and (alone or len(found[0].replace(",", " ").split()) >= 2):
            yield _part(match.start(), found[1], found[0], sure=False)


def _name(text: str, start: int, *, lower: bool) -> tuple[str, int] | None:
    """The name that begins there and where it ends, with those it is joined to by "and"."""
    found = _one_name(text, start, lower=lower)
    if not found:
        return None
    names, at = [found[0]], found[1]
    while match := _AND.match(text, at):
        further = _one_name(text, match.end(), lower=False)
        if not further or len(names) > 3:
            break
        names.append(further[0])
        at = further[1]
    return AND.join(names), at


def _one_name(text: str, start: int, *, lower: bool) -> tuple[str, int] | None:
    """The name that begins there and where it ends; `lower`: also one without capitals."""
    taken: list[str] = []
    at = start
    comma_at = -1
    while (match := _TOKEN.match(text, at)) and len(taken) < 5:
        word = match["word"]
        bare = word.rstrip(".'’")
        folded = bare.casefold()
        particle = folded in _PARTICLES and (taken or word[0].islower() or True)
        if folded in _STOPS and not (particle and word[0].isupper()):
            break
        if not particle and not word[0].isupper() and not lower:
            break
        if (
            taken
            and not particle
            and not word[0].isupper()
            and taken[0][0].isupper()
            and taken[0].casefold() not in _PARTICLES
        ):
            # "by Yu Chen graph networks": the capitals end the name.
            break
        # A full stop ends a sentence unless it follows an initial.
        stops = word.endswith(".") and len(bare) > 2
        taken.append(bare + "." if word.endswith(".") and not stops else bare)
        at = match.end("word") - (1 if stops else 0)
        if stops:
            break
        if match["comma"]:
            if comma_at >= 0 or not _follows(text, match.end(), lower=lower):
                break
            comma_at = len(taken)
            at = match.end()
    if not taken or all(word.casefold() in _PARTICLES for word in taken):
        return None
    if comma_at > 0:
        return f"{' '.join(taken[:comma_at])}, {' '.join(taken[comma_at:])}".rstrip(", "), at
    return " ".join(taken), at


def _follows(text: str, at: int, *, lower: bool) -> bool:
    """True where a given name follows the comma of `Chen, Yu` or `Müller, J.`."""
    match = _TOKEN.match(text, at)
    if not match or match["word"].casefold().rstrip(".") in _STOPS:
        return False
    return match["word"][0].isupper() or lower


def _reads_as_name(words: str) -> bool:
    parts = words.split()
    return 1 <= len(parts) <= 4 and all(
        part[0].isupper() or part.casefold() in _PARTICLES for part in parts
    )


def _part(start: int, end: int, value: str, *, sure: bool = True) -> Part:
    return Part(kind=Kind.AUTHOR, start=start, end=end, value=" ".join(value.split()), sure=sure)
