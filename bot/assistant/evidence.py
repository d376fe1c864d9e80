"""Evidence: the sentences that answer a question, or the finding that none does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.assistant.asked import (
    COUNTRIES,
    VAGUE,
    Asked,
    Said,
    counts,
    has_number,
    take_apart,
)
from bot.assistant.floor import nearness
from bot.assistant.lexicon import contains, handle_form, name_like, plain
from bot.assistant.names import Names, defines
from bot.assistant.summary import summary_lines
from index.card import Facet, Line
from index.library import Library, Passage
from index.paper import Paper
from index.text.abbreviations import ABBREVIATIONS
from index.text.names import method_name
from index.text.sentences import split

CANDIDATES = 6
"""Papers a question without a name is looked up in."""
SHOWN = 3
"""Sentences an answer quotes at most."""


@dataclass(frozen=True, slots=True)
class Support:
    """Least support of a sentence; calibrated with `Floor`, on questions half of which have no answer."""

    named: float = 0.34
    """Where the question names its paper."""
    open: float = 0.50
    """Where the paper was found by the question itself."""
    meaning: float = 0.2
    """Least cosine of a sentence there: "in light of this" does not give the speed of light."""
    paper: float = 0.45
    """Least nearness of such a paper."""
    share: float = 0.3
    """Least share of the question's words in the sentence and its neighbours."""
    next: float = 0.8
    """Further sentences are shown down to this part of the best one's support."""


SUPPORT = Support()


@dataclass(frozen=True, slots=True)
class Found:
    """What a question came to."""

    passages: tuple[Passage, ...] = ()
    """Sentences that answer, best first; empty where none does."""
    papers: tuple[Paper, ...] = ()
    """The papers looked at, nearest first."""
    named: bool = False
    best: float = 0.0
    """Support of the best sentence, answering or not."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """A paper's sentences, read once for a question."""

    paper: Paper
    passages: Sequence[Passage]
    said: dict[int, Said] = field(default_factory=dict)
    hinted: frozenset[int] = frozenset()

    def nearby(self, number: int) -> Said:
        """A sentence with the one before and the one after it."""
        texts = [p.text for p in self.passages if abs(p.sentence - number) <= 1]
        return Said.of(" ".join(texts))

    def weights(self, words: Sequence[str]) -> dict[str, float]:
        """How much each word tells within the paper: what every sentence says tells little."""
        return {
            word: 1.0 / max(1, sum(said.has(word) for said in self.said.values())) ** 0.5
            for word in words
        }


def look_up(
    names: Names, question: str, papers: Sequence[Paper] = (), limits: Support = SUPPORT
) -> Found:
    """Find the sentences that answer a question, in these papers or in the whole library."""
    named = names.in_text(question)
    inside = list(papers) or list({paper.id: paper for paper in named.values()}.values())
    # "What about QLoRA-8?" asks the last question again: the paper it named then is not meant.
    known = _known(question, inside)
    for words, paper in named.items():
        # A description ("the softmax theory paper") asks nothing; a mere mention may.
        if " " in words or paper not in inside:
            known.append(words)
    asked = take_apart(question, known)
    if inside:
        return _in_named(names, asked, inside, limits)
    hits = names.search(question, CANDIDATES)
    scores = nearness(names.library, question, hits, names.floor)
    near = {hit.paper.id: score for hit, score in zip(hits, scores, strict=True)}
    usable = [hit.paper for hit in hits if near[hit.paper.id] >= limits.paper]
    supported = _supported(names.library, asked, usable)
    supported = [(s, p) for s, p in supported if p.cosine >= limits.meaning]
    # Among papers, the one that is about the question goes before one that merely has its words.
    top = max(near.values(), default=0.0)
    supported = [(s - 0.3 * (top - near[p.paper_id]), p) for s, p in supported]
    # A name that the paper has makes sure that it is meant.
    floor = limits.named if asked.names else limits.open
    found = _chosen(supported, usable, floor, limits, named=False)
    rest = [hit.paper for hit in hits if hit.paper not in found.papers]
    return Found(found.passages, (*found.papers, *rest), named=False, best=found.best)


_SPELLED = re.compile(
    r"\b(?:stands?\s+for|short\s+for|abbreviat\w+|acronym|spelled\s+out|full\s+(?:name|form))\b",
    re.IGNORECASE,
)


def _spelled_out(papers: Sequence[Paper]) -> Found:
    """Where a paper's name is spelled out: beside its brackets, else where it first stands."""
    out = []
    for paper in papers:
        name = plain(next(iter(_own_names(paper)), paper.handle))
        spans = [(n, s) for n, s in enumerate(split(paper.abstract), 1) if name in plain(s.text)]
        spans.sort(key=lambda pair: f"({name})" not in plain(pair[1].text).replace(" ", ""))
        out += [Passage(paper.id, n, s.text, s.start, s.end, 1.0, 1.0, 1.0) for n, s in spans[:1]]
    return Found(tuple(out), tuple(papers), named=True, best=1.0)


def _in_named(names: Names, asked: Asked, papers: Sequence[Paper], limits: Support) -> Found:
    if _SPELLED.search(asked.text):
        return _spelled_out(papers)
    if asked.open_ended:
        return Found(tuple(_introduction(names.library, papers)), tuple(papers), named=True)
    if facet := _facet(asked):
        lines = tuple(
            p for paper in papers for p in _facet_lines(names.library, paper, facet, asked)
        )
        if not lines and _COLLECTIONS & set(asked.words):
            lines = tuple(p for paper in papers for p in _on_names(paper))
        if lines or facet is Facet.LIMITS:
            return Found(lines, tuple(papers), named=True, best=1.0)
    return _chosen(
        _supported(names.library, asked, papers), papers, limits.named, limits, named=True
    )


def _supported(
    library: Library, asked: Asked, papers: Sequence[Paper]
) -> list[tuple[float, Passage]]:
    usable = [
        p
        for p in papers
        if p.abstract
        and all(_has(p, name) for name in asked.names)
        and all(_has(p, name) or name in ", ".join(p.authors) for name in asked.proper)
    ]
    readings = [_read(library, asked, paper) for paper in usable]
    words = (*asked.words, *asked.names)
    weights = {reading.paper.id: reading.weights(words) for reading in readings}
    # To embed a sentence takes longer than all else here: those that cannot answer, however near
    # they may be in meaning, are left alone.
    only = {
        reading.paper.id: {
            p.sentence
            for p in reading.passages
            if support_of(asked, p, reading, weights[reading.paper.id]) > 0
        }
        for reading in readings
    }
    core = " ".join(dict.fromkeys(words)) or asked.text
    ranked = library.passages(core, [key for key, some in only.items() if some], k=200, only=only)
    out = []
    for reading in readings:
        for passage in (p for p in ranked if p.paper_id == reading.paper.id):
            support = support_of(asked, passage, reading, weights[reading.paper.id])
            if support > 0:
                out.append((support, passage))
    return out


def _read(library: Library, asked: Asked, paper: Paper) -> _Reading:
    """A paper's sentences, each taken to be as near to the question as can be."""
    passages = [
        Passage(paper.id, number, span.text, span.start, span.end, 1.0, 1.0, 1.0)
        for number, span in enumerate(split(paper.abstract), 1)
    ]
    said = {p.sentence: Said.of(p.text) for p in passages}
    return _Reading(paper, passages, said, _hinted(library, asked, paper))


def _chosen(
    supported: list[tuple[float, Passage]],
    papers: Sequence[Paper],
    floor: float,
    limits: Support,
    *,
    named: bool,
) -> Found:
    supported.sort(key=lambda pair: -pair[0])
    best = supported[0][0] if supported else 0.0
    if best < floor:
        return Found((), tuple(papers), named, best)
    chosen = [p for s, p in supported if s >= max(floor, limits.next * best)][:SHOWN]
    order = list(dict.fromkeys(p.paper_id for p in chosen))
    first = sorted(papers, key=lambda p: order.index(p.id) if p.id in order else len(order))
    return Found(tuple(chosen), tuple(first), named, best)


def support_of(
    asked: Asked, passage: Passage, reading: _Reading, weights: dict[str, float]
) -> float:
    """How well one sentence answers, 0..1; 0 where it cannot.

    Half the words of the question that it says, half its nearness in meaning. A sentence that
    gives no number answers no question for one, and what is asked for must be spoken of.
    """
    said, nearby = reading.said[passage.sentence], reading.nearby(passage.sentence)
    own, near = said.weighted(weights), nearby.weighted(weights)
    if not _speaks_of(asked, said, nearby, passage):
        return 0.0
    if asked.country and not COUNTRIES.search(passage.text):
        return 0.0
    counted = counts(passage.text, asked.counted) if asked.counted else 0.0
    if asked.counted and (not counted or nearby.share(asked.words) < 0.55):
        return 0.0
    if asked.number and not counted and not has_number(passage.text, asked.names):
        return 0.0
    if near < SUPPORT.share and not asked.country:
        return 0.0
    support = 0.5 * max(own, 0.8 * near) + 0.5 * max(0.0, passage.cosine)
    bonus = 0.25 * counted + 0.4 * asked.country
    if asked.duration:
        bonus += 0.15 if asked.duration.search(passage.text) else -0.5
    return support + bonus + 0.08 * (passage.sentence in reading.hinted)


def _speaks_of(asked: Asked, said: Said, nearby: Said, passage: Passage) -> bool:
    """Whether the noun that is asked for ("batch size", "optimizer") is there."""
    if not asked.head or asked.country:
        return True
    *before, last = asked.head
    if last in _MEASURES:
        # "Learning rate" needs both words; a lone "score" may go without saying.
        return not before or (said.names(before[-1]) and said.has(last))
    if last in VAGUE:
        return not before or said.names(before[-1])
    if last in _COLLECTIONS and _ON_A_NAME.search(passage.text):
        # "trained on LAION-400M" answers for the dataset without calling it one.
        return True
    if nearby.names(last):
        return sum(nearby.has(word) for word in before) >= len(before) / 2
    return bool(before) and said.names(before[0]) and passage.cosine >= 0.3


_MEASURES = frozenset({"rate", "size", "level", "ratio"})
_COLLECTIONS = frozenset("dataset datasets benchmark benchmarks corpus corpora".split())
_ON_A_NAME = re.compile(r"\b(?:[Oo]n|[Aa]cross)\s+(?:the\s+)?(?=[A-Z])")
_HINTS = (
    (re.compile(r"^\s*how\s+(?!many|much|large|big|long|far|fast)", re.IGNORECASE), Facet.METHOD),
    (
        re.compile(r"\b(?:find|found|findings?|results?|conclu\w+|show|outcome)\b", re.IGNORECASE),
        Facet.RESULTS,
    ),
    (re.compile(r"^\s*why\b|\b(?:problem|challenge|motivat\w+)\b", re.IGNORECASE), Facet.PROBLEM),
    (re.compile(r"\b(?:datasets?|benchmarks?|evaluated|tested)\b", re.IGNORECASE), Facet.DATA),
)


def _hinted(library: Library, asked: Asked, paper: Paper) -> frozenset[int]:
    """Sentences of the facet that the wording of a question hints at."""
    facets = [facet for pattern, facet in _HINTS if pattern.search(asked.text)]
    if not facets:
        return frozenset()
    card = library.card(paper.id)
    return frozenset(line.sentence for f in facets for line in card.facets.get(f, ()))


_FACETS = {
    Facet.PROBLEM: "problem problems issue issues challenge challenges motivation motivated gap tackle tackles "
    "address addresses solve solves solved motivates",
    Facet.METHOD: "contribution contributions idea ideas novelty innovation innovations method",
    Facet.DATA: "dataset datasets data benchmark benchmarks evaluated evaluate tested test testing experiments "
    "experiment evaluation trained",
    Facet.RESULTS: "result results finding findings outcome outcomes conclusion conclusions conclude performance "
    "perform performs takeaway figure figures number numbers score scores metric metrics",
    Facet.LIMITS: "limitation limitations weakness weaknesses drawback drawbacks caveat caveats shortcoming "
    "shortcomings future downside downsides",
}


def _facet(asked: Asked) -> Facet | None:
    """The facet that is all a question asks for: `what problem does it solve?`"""
    if asked.number or asked.names:
        return None
    for facet, cues in _FACETS.items():
        if asked.words and set(asked.words) <= set(cues.split()):
            return facet
    return None


_FIGURES = frozenset({"figure", "figures", "number", "numbers", "score", "scores"})


def _facet_lines(library: Library, paper: Paper, facet: Facet, asked: Asked) -> list[Passage]:
    lines = library.card(paper.id).facets.get(facet, ())
    if _FIGURES & set(asked.words):
        spans = enumerate(split(paper.abstract), 1)
        every = [Line(n, s.text, s.start, s.end, 0.0) for n, s in spans if has_number(s.text)]
        given = [line for line in lines if has_number(line.text)]
        lines = tuple(given or every[: 2 * SHOWN] or lines)
    return [Passage(paper.id, x.sentence, x.text, x.start, x.end, 1.0, 1.0, 1.0) for x in lines]


def _on_names(paper: Paper) -> list[Passage]:
    """Sentences that say on what something was done by name alone: "on BEIR and MAIR"."""
    spans = enumerate(split(paper.abstract), 1)
    given = [(n, s) for n, s in spans if _ON_A_NAME.search(s.text)][:SHOWN]
    return [Passage(paper.id, n, s.text, s.start, s.end, 1.0, 1.0, 1.0) for n, s in given]


def _known(question: str, papers: Sequence[Paper]) -> list[str]:
    """The words of the question that name one of these papers."""
    # "Rainbow Padding": the name before the colon of a title, or the method's own.
    own = {name for paper in papers for name in _own_names(paper)}
    words = [name for name in own if name.casefold() in question.casefold()]
    for word in dict.fromkeys((*name_like(question), *question.split())):
        clean = word.strip(" .,:;!?\"'“”()").removesuffix("'s").removesuffix("’s")
        if len(clean) > 1 and any(
            (handle_form(clean) == paper.handle and len(clean) > 2)
            or ((name_like(clean) or clean[:1].isupper()) and defines(paper, clean))
            for paper in papers
        ):
            words.append(clean)
    return words


def _own_names(paper: Paper) -> list[str]:
    head, colon, _ = paper.title.partition(":")
    names = [method_name("" if paper.title_derived else paper.title, paper.abstract) or ""]
    if colon and len(head.split()) <= 4:
        names.append(head)
    return [name.strip() for name in names if len(name.strip()) > 2]


def _has(paper: Paper, name: str) -> bool:
    spelled = ABBREVIATIONS.get(name.casefold(), "")
    return contains(paper, name) or bool(spelled and contains(paper, spelled))


def _introduction(library: Library, papers: Sequence[Paper]) -> list[Passage]:
    """The sentences that say what a paper is, for a question that asks nothing more."""
    out = []
    for paper in papers:
        lines = summary_lines(library, paper)
        lines.sort(key=lambda pair: pair[0] is not Facet.METHOD)
        out += [
            Passage(paper.id, line.sentence, line.text, line.start, line.end, 1.0, 1.0, 1.0)
            for _, line in lines[:SHOWN]
        ]
    return out[: 2 * SHOWN]
