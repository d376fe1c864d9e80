"""Whether a paper is about a thing: its word or phrase in singular and plural, or what it is short for.

Stems alone are too coarse to leave papers out by: Porter takes `transformers` and `transformation`
for one word, and `survey` for `surveying`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial

from index.lexical import fold
from index.paper import Paper
from index.papers import Papers
from index.query.acronyms import other_names
from index.query.memory import remembered

_WORD = re.compile(r"[^\W_]+")
_GAP = r"[\s\u2010-\u2015/-]*"
_NEGATED = re.compile(
    r"(?:\b(?:without|no|non|not|neither|nor|never|avoid(?:s|ing)?|instead\s+of|rather\s+than|free\s+of|lack(?:s|ing)?|"
    r"in\s+place\s+of|replac(?:e|es|ing)|beyond|unlike|eliminat(?:e|es|ing)|dispens(?:e|es|ing)\s+with|"
    r"do(?:es)?\s+not\s+(?:use|need|require|rely\s+on|involve))\b[\s\u2010-\u2015-]*"
    r"(?:(?:any|an?|the|use\s+of|using|need\s+for|need\s+of|on|about|relying\s+on|explicit|standard|costly|expensive)\s+){0,3})$",
    re.IGNORECASE,
)
_FREE = re.compile(r"[\s\u2010-\u2015-]+free\b", re.IGNORECASE)

_SURVEY = (
    r"(?:survey|overview|literature\s+review|tutorial|primer|meta-analysis"
    r"|(?<!peer\s)(?<!code\s)(?<!online\s)(?<!product\s)(?<!customer\s)(?<!paper\s)review)"
)
_KIND_TITLE = re.compile(
    rf"(?:^|[:.?!\u2010-\u2015-]\s*)(?:\w+\s+){{0,1}}(?:an?|the|our)?\s*(?:[\w-]+\s+){{0,4}}?{_SURVEY}s?\s*(?:$|[:.,]|\s(?:of|on|and|for|from|in)\b)"
    r"|\b(?:systematic|literature|scoping|critical|comprehensive|brief|short)\s+(?:\w+\s+)?(?:reviews?|surveys?|overviews?)\b"
    r"|\bstate\s+of\s+the\s+art\s+and\s+(?:\w+\s+)?(?:challenges|directions|trends)\b",
    re.IGNORECASE,
)
_KIND_ABSTRACT = re.compile(
    rf"\b(?:this|our|the\s+present|present|presents|provide|provides|offer|offers|conduct|conducts|give|gives)\s+"
    rf"(?:an?\s+|the\s+)?(?:[\w-]+[,\s]+){{0,3}}?{_SURVEY}\b(?!\s+(?:data|responses?|questions?|participants?|respondents?|among|with\s+\d))"
    r"|\bwe\s+(?:systematically\s+|comprehensively\s+|briefly\s+)?(?:survey|review)\b(?!\w)"
    r"|\bthis\s+(?:paper|article|work|chapter|study|survey|review)\s+(?:\w+ly\s+)?(?:surveys|reviews|summari[sz]es\s+recent)\b",
    re.IGNORECASE,
)
_KINDS = frozenset(
    "survey surveys review reviews overview overviews tutorial tutorials survey-paper".split()
)
_KIND_WORDS = "survey OR review OR overview OR tutorial OR primer OR meta OR summarize OR summarise"


def is_kind(term: str) -> bool:
    """True where a thing is a kind of paper (surveys, reviews), and not what papers are on."""
    return re.sub(r"\s+(?:papers?|articles?)$", "", fold(term).strip()) in _KINDS


def is_survey(title: str, abstract: str) -> bool:
    """True where a paper says of itself that it surveys or reviews others' work."""
    return bool(_KIND_TITLE.search(title) or _KIND_ABSTRACT.search(abstract))


def forms(term: str) -> tuple[str, ...]:
    """A word or phrase with its last word in singular and plural; one in -ing as the verb too."""
    words = _WORD.findall(fold(term))
    if not words:
        return ()
    head, last = words[:-1], words[-1]
    ends = {last, *_numbers(last)}
    if re.fullmatch(r"\w{3,}ing", last) and (len(words) == 1 or "-" in term):
        ends |= _verb(last)
    return tuple(" ".join([*head, end]) for end in sorted(ends))


def _numbers(word: str) -> set[str]:
    """Singular and plural of a noun."""
    if re.search(r"[^s]sis$", word):
        return {word[:-2] + "es"}
    if re.search(r"(?:ss|us|is)$", word) or len(word) < 3:
        return {word + "es"} if word.endswith("ss") else set()
    if word.endswith("ies") and len(word) > 4:
        return {word[:-3] + "y"}
    if re.search(r"(?:x|ch|sh|ss|z)es$", word):
        return {word[:-2]}
    if word.endswith("s"):
        return {word[:-1]}
    if re.search(r"[^aeiou]y$", word):
        return {word[:-1] + "ies"}
    if re.search(r"(?:x|ch|sh|z)$", word):
        return {word + "es", word + "s"}
    return {word + "s"}


def _verb(word: str) -> set[str]:
    """`prune`, `prunes` and `pruned` for `pruning`, `plan` for `planning`."""
    stem = word[:-3]
    out = {stem + "e", stem + "es", stem + "ed", stem, stem + "s"}
    if re.search(r"([^aeiouls])\1$", stem):
        out |= {stem[:-1], stem[:-1] + "s"}
    return out


@lru_cache(maxsize=512)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    out = []
    for name in names:
        # A short abbreviation is a word of its own only in capitals: IT, US, ICE.
        short = name.isupper() and len(name) <= 3
        spelled = [[name], [name + "s"]] if short else [form.split() for form in forms(name)]
        case = "-i:" if short else ":"
        out += [rf"(?{case}{_GAP.join(map(re.escape, words))})" for words in spelled]
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(out) or '(?!)'})(?![^\W_])", re.IGNORECASE)


def about(names: tuple[str, ...], title: str, abstract: str, *, literal: bool = False) -> bool:
    """True where title or abstract has one of the names, and not only to say that it goes without.

    `literal` counts that too.
    """
    pattern = _pattern(names)
    for text in (title, abstract):
        # Folding an accent away would fold the capitals of IT and US away too.
        plain = text if text.isascii() or any(map(str.isupper, names)) else fold(text)
        for match in pattern.finditer(plain):
            before = plain[max(0, match.start() - 60) : match.start()]
            if literal or (not _NEGATED.search(before) and not _FREE.match(plain, match.end())):
                return True
    return False


def rows_about(papers: Papers, terms: Iterable[str]) -> list[int]:
    """Rows of the papers that are about any of these things, ascending; `-x` is any mention of x."""
    rows: set[int] = set()
    for term in terms:
        # A common word has thousands of abstracts to be read.
        rows |= remembered(papers, "about", term, partial(_rows, papers, term))
    return sorted(rows)


class Barred:
    """Papers that are about any of these things, one at a time; `-x` is any mention of x."""

    def __init__(self, papers: Papers, terms: Sequence[str]) -> None:
        self._surveys = any(is_kind(term.removeprefix("-")) for term in terms)
        self._things = [
            (_names(papers, term), term.startswith("-"))
            for term in terms
            if not is_kind(term.removeprefix("-"))
        ]

    def __bool__(self) -> bool:
        return self._surveys or bool(self._things)

    def bars(self, paper: Paper) -> bool:
        """True where the paper is about one of them."""
        if self._surveys and is_survey(paper.title, paper.abstract):
            return True
        return any(
            about(names, paper.title, paper.abstract, literal=literal)
            for names, literal in self._things
        )


def _names(papers: Papers, term: str) -> tuple[str, ...]:
    bare = term.removeprefix("-")
    return (bare, *other_names(papers, bare))


def _rows(papers: Papers, term: str) -> Iterator[int]:
    literal, term = term.startswith("-"), term.removeprefix("-")
    if is_kind(term):
        yield from (r for r, title, text in _having(papers, _KIND_WORDS) if is_survey(title, text))
        return
    names = _names(papers, term)
    query = " OR ".join(f'"{form}"' for form in _spellings(names))
    if query:
        for row, title, text in _having(papers, query):
            if about(names, title, text, literal=literal):
                yield row


def _spellings(names: Sequence[str]) -> list[str]:
    """Phrases to look up: each form in words, and in one word where a hyphen joins it."""
    out: dict[str, None] = {}
    for name in names:
        for form in forms(name):
            out[form] = None
            if len(form.split()) == 2:
                out[form.replace(" ", "")] = None
    return list(out)


def _having(papers: Papers, query: str) -> list[tuple[int, str, str]]:
    found = papers.connection.execute(
        "SELECT row, title, abstract FROM papers WHERE row IN"
        " (SELECT rowid FROM words WHERE words MATCH ?)",
        (f"{{title abstract}} : ({query})",),
    )
    return [(int(row), str(title), str(abstract)) for row, title, abstract in found]
