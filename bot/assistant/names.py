"""Which paper a name, a description or a question means; a name is never guessed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from bot.assistant.floor import Floor, close, floor_of
from bot.assistant.lexicon import contains, contains_title, handle_form, name_like, plain
from bot.assistant.remembered import Searches
from index.lexical import STOP_WORDS, fold
from index.library import Hit, Library
from index.paper import Paper
from index.text.names import method_name

SCANNED = 20_000
"""Papers looked through for a name that no index finds; a larger library is not scanned."""

COMMON = 4
"""Papers that may have an abbreviation while it still points at the one that brought it."""

_LEAD = re.compile(
    r"^(?:(?:the|a|an|this|that|your|paper|article|work|study|method|approach|algorithm|one|called|"
    r"named|titled|entitled|on|about)\s+)+",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"\s+(?:papers?|article|work|study|one|abstract|method|approach|algorithm|framework|model|"
    r"preprint|technique|system)$",
    re.IGNORECASE,
)
_DEFINES = (
    r"(?:propose|introduce|present|develop|call|named|dub|term|release|describe|study)\w*\s+"
    r"(?:\w+\s+){{0,4}}?[\W_]*{name}"
)


def defines(paper: Paper, name: str) -> bool:
    """True where the paper brings the name into the world rather than mentions it."""
    key = re.escape(plain(name))
    title = plain(paper.title)
    own = method_name("" if paper.title_derived else paper.title, paper.abstract) or ""
    return bool(
        (handle_form(name) and handle_form(name) == handle_form(own))
        or re.match(rf"{key}\s*[:\-]", title)
        or re.search(_DEFINES.format(name=key) + r"(?!\w)", plain(paper.abstract))
        or re.search(rf"\(\s*{key}\s*\)", plain(paper.abstract))
    )


@dataclass(frozen=True, slots=True)
class Meant:
    """What a reference was taken to mean."""

    paper: Paper | None = None
    named: bool = False
    """True where the paper goes by those words; False where it is only near them."""
    candidates: tuple[Hit, ...] = ()


class Names:
    """Finds papers by what people call them."""

    def __init__(self, library: Library, floor: Floor | None = None) -> None:
        self.library = library
        self.search = Searches(library)
        """The library's search, remembered."""
        self.floor = floor or floor_of(str(library.model.fingerprint.get("name", "")))

    def exact(self, words: str) -> Paper | None:
        """The paper of that id, link, handle, full title or own name, or None."""
        for name in _shorter(words):
            if found := self.library.get(name):
                return None if self._is_ordinary(name, found) else found
            titled = self.library.find(name, 5)
            same = [paper for paper in titled if plain(paper.title) == plain(name)]
            if len(same) == 1:
                return same[0]
            if len(titled) == 1 and len(name.split()) >= 3:
                return titled[0]
            found = self.library.get(handle_form(name)) if len(name.split()) <= 4 else None
            if found and not self._is_ordinary(name, found):
                return found
        return None

    def _is_ordinary(self, name: str, paper: Paper) -> bool:
        """True where a handle happens to be a word that many papers use: `transformers`."""
        if not name.isalpha() or not name.islower() or defines(paper, name):
            return False
        return sum(paper.id != other.id for other in self.having(name, 6)) >= 2

    def called(self, words: str) -> Paper | None:
        """As `exact`, and also the one paper that defines these words, or alone has such a name."""
        if found := self.exact(words):
            return found
        for name in _shorter(words):
            if not _could_be_name(name):
                continue
            having = self.having(name)
            defining = [paper for paper in having if defines(paper, name)]
            if len(defining) == 1:
                return defining[0]
            if len(having) == 1 and (name_like(name) or contains_title(having[0], name)):
                return having[0]
            if not having and name.isupper() and 2 <= len(name) <= 6:
                return self._initials(name)
        return None

    def having(self, name: str, k: int = 12) -> list[Paper]:
        """Papers whose text has the name, best first."""
        return [h.paper for h in self.search(name, k) if contains(h.paper, name)]

    def meant(self, words: str) -> Meant:
        """The paper a reference means: by name, else the nearest above the floor."""
        if found := self.called(words):
            return Meant(found, named=True)
        topic = _shorter(words)[-1]
        hits = self.search(topic, 5)
        near = close(self.library, topic, hits, self.floor)
        return Meant(near[0].paper if near else None, candidates=tuple(hits))

    def in_text(self, text: str) -> dict[str, Paper]:
        """The words of a question that name or describe one paper, each with it."""
        found: dict[str, Paper] = dict(self._entitled(text))
        quoted = [] if found else re.findall(r"[\"“”]([^\"“”]{2,200})[\"“”]", text)
        if found:
            # What stands in a title names nothing by itself.
            for title in found:
                text = text.replace(title, " ")
        for name in (*quoted, *name_like(text), *_titled(text)):
            if paper := self._named(name):
                found.setdefault(name, paper)
        if not found:
            # A name that one paper alone mentions points at it, if nothing points better.
            for name in name_like(text):
                having = self.having(name, 3)
                if len(having) == 1:
                    found.setdefault(name, having[0])
        for phrase in _described(text):
            if paper := self.meant(phrase).paper:
                found.setdefault(phrase, paper)
        return found

    def _entitled(self, text: str) -> Iterable[tuple[str, Paper]]:
        """Whole titles that stand in a text, as they are written there; those of one or two words in quotation marks."""
        for quoted in re.findall(r"[\"“”]([^\"“”]{4,300})[\"“”]", text):
            titled = [p for p in self.library.find(quoted, 2) if plain(p.title) == plain(quoted)]
            if len(titled) == 1:
                yield quoted, titled[0]
        if len(text.split()) < 4:
            return
        for hit in self.search(text, 8):
            words = re.findall(r"[^\W_]+", hit.paper.title)
            if hit.paper.title_derived or len(words) < 3:
                continue
            written = re.search(r"[\W_]+".join(map(re.escape, words)), text, re.IGNORECASE)
            if written:
                yield written[0], hit.paper

    def _named(self, name: str) -> Paper | None:
        """The one paper that brought a name into the world."""
        having = self.having(name)
        if known := self.library.get(name) or self.library.get(handle_form(name)):
            having = [known, *(p for p in having if p.id != known.id)]
        defining = [paper for paper in having if defines(paper, name)]
        if name.isupper() and len(having) > COMMON:
            # GPS is the name of a paper's method, and everybody's word for something else.
            return None
        return defining[0] if len(defining) == 1 else None

    def _initials(self, name: str) -> Paper | None:
        """The one paper that has words in capitals with these initials: GAS, Generalized A… S…."""
        if len(self.library) > SCANNED:
            return None
        pattern = re.compile(r"[\s-]+".join(rf"\b{letter}[\w\u2010-\u2015]*" for letter in name))
        having = []
        for paper in self.library.papers():
            if pattern.search(f"{paper.title} {paper.abstract}"):
                having.append(paper)
                if len(having) > 1:
                    return None
        return having[0] if having else None


def _shorter(words: str) -> list[str]:
    """The words as written, then without what people put around a name."""
    words = " ".join(words.split()).strip(" .?!,:;\"'“”")
    out = [words]
    while True:
        shorter = _TAIL.sub("", _LEAD.sub("", out[-1])).strip(" .?!,:;\"'“”")
        if not shorter or shorter == out[-1]:
            return out
        out.append(shorter)


def _could_be_name(name: str) -> bool:
    return bool(name_like(name)) or len(name.split()) >= 2 or name[:1].isupper()


def _titled(text: str) -> Iterable[str]:
    """Words with a capital that do not open the sentence: `the Navigation framework`."""
    for match in re.finditer(r"(?<=[a-z,] )[A-Z][a-z]{2,}\w*(?:[ -][A-Z][a-z]+\w*)*", text):
        yield match[0]


def _described(text: str) -> Iterable[str]:
    """`the law of data reconstruction paper`, `the paper called X`, `in X,`."""
    for match in re.finditer(
        r"\bthe\s+((?:[\w‐-―-]+\s+){1,6}?)(?:paper|article|preprint|study)\b"
        r"|\b(?:paper|method|work)\s+(?:called|named|titled)\s+([\w‐-―.-]+)",
        text,
        re.IGNORECASE,
    ):
        words = (match[1] or match[2]).strip()
        if words and fold(words) not in STOP_WORDS:
            yield words
