"""Evidence: the sentences that answer a question, or the finding that none does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.assistant.asked import VAGUE, Asked, Said, counts, has_number, take_apart
from bot.assistant.floor import close
from bot.assistant.names import Names, contains, name_like
from index.library import Hit, Passage
from index.paper import Paper

CANDIDATES = 6
"""Papers a question without a name is looked up in."""
SHOWN = 3
"""Sentences an answer quotes at most."""


@dataclass(frozen=True, slots=True)
class Answering:
    """Least support of a sentence; see `Floor` for how it was chosen."""

    named: float = 0.40
    """Where the question names its paper."""
    open: float = 0.52
    """Where the paper was found by the question itself."""
    share: float = 0.34
    """Least share of the question's words in the sentence and its neighbours."""
    next: float = 0.8
    """Further sentences are shown down to this part of the best one's support."""


ANSWERING = Answering()


@dataclass(frozen=True, slots=True)
class Found:
    """What a question came to."""

    passages: tuple[Passage, ...] = ()
    """Sentences that answer, best first; empty where none does."""
    papers: tuple[Paper, ...] = ()
    """The papers looked at, nearest first."""
    named: bool = False
    asked: Asked = field(default_factory=lambda: take_apart(""))


def look_up(
    names: Names, question: str, papers: Sequence[Paper] = (), limits: Answering = ANSWERING
) -> Found:
    """Find the sentences that answer a question, in these papers or in the whole library."""
    inside = list(papers) or names.in_text(question)
    known = _known(question, inside)
    asked = take_apart(question, known)
    if inside:
        return _in(names, asked, inside, limits, named=True)
    hits = names.library.search(question, CANDIDATES)
    near = [hit for hit in hits if _near(names, asked, hit)]
    found = _in(names, asked, [hit.paper for hit in near], limits, named=False)
    shown = [*found.papers, *(hit.paper for hit in hits if hit.paper not in found.papers)]
    return Found(found.passages, tuple(shown), named=False, asked=asked)


def _known(question: str, papers: Sequence[Paper]) -> list[str]:
    """The words of the question that name one of these papers."""
    from bot.assistant.names import defines, handle_form

    words = []
    for word in {*name_like(question), *question.replace("?", " ").split()}:
        clean = word.strip(" .,:;!?\"'“”()").removesuffix("'s").removesuffix("’s")
        if len(clean) < 2:
            continue
        for paper in papers:
            own = handle_form(clean) == paper.handle and len(clean) > 2
            if own or (name_like(clean) and defines(paper, clean)):
                words.append(clean)
    return list(dict.fromkeys(words))


def _near(names: Names, asked: Asked, hit: Hit) -> bool:
    if any(not contains(hit.paper, name) for name in asked.names):
        return False
    paper = Said.of(f"{hit.paper.title} {hit.paper.abstract}")
    return close(asked.text, hit, names.floor) or paper.share(asked.words) >= 0.75


def _in(
    names: Names, asked: Asked, papers: Sequence[Paper], limits: Answering, *, named: bool
) -> Found:
    usable = [p for p in papers if p.abstract and all(_has(p, asked, n) for n in asked.names)]
    if not usable:
        return Found((), tuple(papers), named, asked)
    if named and asked.open_ended:
        return Found(tuple(_introduction(names, usable)), tuple(papers), named, asked)
    core = " ".join((*asked.head, *asked.words, *asked.names)) or asked.text
    ranked = names.library.passages(core, [p.id for p in usable], k=60)
    abstracts = {p.id: p for p in usable}
    supported = [
        (support, passage)
        for passage in ranked
        if (support := support_of(asked, passage, abstracts[passage.paper_id], ranked)) > 0
    ]
    supported.sort(key=lambda pair: -pair[0])
    floor = limits.named if named else limits.open
    if not supported or supported[0][0] < floor:
        return Found((), tuple(papers), named, asked)
    best = supported[0][0]
    chosen = [p for s, p in supported if s >= max(floor, limits.next * best)][:SHOWN]
    order = list(dict.fromkeys(p.paper_id for p in chosen))
    first = sorted(papers, key=lambda p: order.index(p.id) if p.id in order else len(order))
    return Found(tuple(chosen), tuple(first), named, asked)


def _has(paper: Paper, asked: Asked, name: str) -> bool:
    return contains(paper, name) or Said.of(paper.abstract).has(name)


def support_of(
    asked: Asked, passage: Passage, paper: Paper, around: Sequence[Passage], share: float = 0.34
) -> float:
    """How well one sentence answers, 0..1; 0 where it cannot.

    Half the words of the question that it says, half its nearness in meaning. A sentence that
    gives no number answers no question for one, and what is asked for must be spoken of.
    """
    said = Said.of(passage.text)
    nearby = Said.of(
        " ".join(
            p.text
            for p in around
            if p.paper_id == passage.paper_id and abs(p.sentence - passage.sentence) <= 1
        )
    )
    wanted = (*asked.words, *asked.names)
    own, near = said.share(wanted), nearby.share(wanted)
    head = [word for word in asked.head if word not in VAGUE]
    if head and not nearby.has(head[-1]):
        return 0.0
    if asked.counted and not counts(passage.text, asked.counted):
        return 0.0
    if asked.number and not asked.counted and not has_number(passage.text, asked.names):
        return 0.0
    if near < share and passage.cosine < 0.5:
        return 0.0
    if len(head) > 1 and not all(nearby.has(word) for word in head[-2:]):
        return 0.0
    del paper
    return 0.5 * max(own, 0.8 * near) + 0.5 * max(0.0, passage.cosine)


def _introduction(names: Names, papers: Sequence[Paper]) -> list[Passage]:
    """The sentences that say what a paper is, for a question that asks nothing more."""
    from bot.assistant.summary import summary_lines

    out = []
    for paper in papers:
        out += [
            Passage(paper.id, line.sentence, line.text, line.start, line.end, 1.0, 1.0, 1.0)
            for _, line in summary_lines(names.library, paper)[:SHOWN]
        ]
    return out[: 2 * SHOWN]
