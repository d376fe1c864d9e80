"""Surveying: what several papers say of a thing, how they use a word, and who goes another way."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from bot.assistant.artifacts import Artifact, FoundPaper, Quote, Remark
from bot.assistant.floor import close
from bot.assistant.lexicon import contains
from bot.assistant.names import Names
from bot.assistant.side_by_side import quote_of
from bot.assistant.wording import GENERIC, content, flat, opposed
from index.card import Facet, Line
from index.library import Hit, Library
from index.paper import Paper
from index.text.abbreviations import ABBREVIATIONS
from index.text.readable import readable
from index.text.sentences import split

LOOKED_AT = 24
"""Papers a survey looks at."""
QUOTED = 6
"""Papers it quotes."""
MEANING, WORDS = 0.3, 0.34
"""Least cosine and least share of the words of a sentence that speaks to a topic."""
SAME_PROBLEM = 0.3
"""Least cosine of the problems of two papers that go different ways."""


def survey(names: Names, topic: str) -> Artifact:
    """A sentence of each paper that speaks to a topic, how many do, and where two differ."""
    library = names.library
    hits = library.search(topic, LOOKED_AT)
    near = close(library, topic, hits, names.floor)
    artifact = Artifact(tool="survey", query=topic)
    ids = [hit.paper.id for hit in near]
    for hit in near:
        best = next(iter(library.passages(topic, [hit.paper.id], k=1)), None)
        if best and best.sentence and (best.cosine >= MEANING or best.coverage >= WORDS):
            line = Line(best.sentence, best.text, best.start, best.end, best.score)
            artifact.passages.append(quote_of(hit.paper, line))
    spoken = len(artifact.passages)
    artifact.passages = artifact.passages[:QUOTED]
    by_id = {hit.paper.id: hit.paper for hit in near}
    artifact.papers = [FoundPaper.of(by_id[quote.paper_id]) for quote in artifact.passages]
    if not artifact.passages:
        artifact.abstained = True
        artifact.nearest = [FoundPaper.of(hit.paper) for hit in hits[:3]]
        return artifact
    artifact.remarks = _differences(artifact.passages, topic)
    speak = "1 paper speaks" if spoken == 1 else f"{spoken} papers speak"
    most = f"; the nearest {QUOTED} are quoted" if spoken > QUOTED else ""
    apart = (
        f" {_count(len(artifact.remarks))} they plainly differ."
        if artifact.remarks
        else " None of them plainly contradicts another."
        if spoken > 1
        else ""
    )
    artifact.notices.append(f"Of {len(ids)} papers near “{topic}”, {speak} to it{most}.{apart}")
    return artifact


def _count(number: int) -> str:
    return "In one place" if number == 1 else f"In {number} places"


def _differences(quotes: Sequence[Quote], topic: str) -> list[Remark]:
    """Pairs of quotations on the same thing in which one says the opposite of a word of the other.

    The same thing: two telling words in common besides the topic. "Costs grow" and "errors fall"
    contradict nothing.
    """
    apart = {word.stem for word in content(flat(topic))} | GENERIC
    said = [{word.stem for word in content(flat(q.text))} - apart for q in quotes]
    found = []
    for (one, mine_said), (other, theirs_said) in combinations(zip(quotes, said, strict=True), 2):
        if len(mine_said & theirs_said) < 2:
            continue
        if pair := opposed(flat(one.text), flat(other.text)):
            mine, theirs = pair
            text = f"{one.handle} says “{mine}” where {other.handle} says “{theirs}”."
            found.append(Remark(text=text, quotes=[one, other]))
    return found[:3]


def explain(names: Names, term: str) -> Artifact:
    """How papers use a word: those that explain it first, each in its own sentence."""
    library = names.library
    wanted = _spellings(term)
    papers = [h.paper for h in library.search(term, LOOKED_AT) if _holds(h.paper, wanted)]
    artifact = Artifact(tool="explain", query=term)
    lines = [(paper, *_use(paper, wanted)) for paper in papers]
    lines.sort(key=lambda row: not row[2])
    explained = sum(row[2] for row in lines)
    for paper, line, _ in lines[:4]:
        artifact.papers.append(FoundPaper.of(paper))
        artifact.passages.append(quote_of(paper, line))
    if not lines:
        artifact.abstained = True
        artifact.nearest = [FoundPaper.of(hit.paper) for hit in library.search(term, 3)]
        return artifact
    many = f"At least {len(lines)}" if len(papers) == LOOKED_AT else str(len(lines))
    use = "paper uses" if len(lines) == 1 else "papers use"
    said = "none says what it means" if not explained else f"{explained} say what it means"
    said = "1 says what it means" if explained == 1 else said
    artifact.notices.append(f"{many} {use} “{term}”; {said}.")
    return artifact


def _spellings(term: str) -> list[str]:
    plain = term.strip(" \"'“”")
    long = ABBREVIATIONS.get(plain.casefold(), "")
    return [plain, *([long] if long else [])]


def _holds(paper: Paper, wanted: Sequence[str]) -> bool:
    return any(contains(paper, word) for word in wanted) and any(
        re.search(_word(word), paper.abstract, re.IGNORECASE) for word in wanted
    )


def _word(word: str) -> str:
    return rf"(?<!\w){re.escape(word)}(?:s|es)?(?!\w)"


def _use(paper: Paper, wanted: Sequence[str]) -> tuple[Line, bool]:
    """The sentence that explains a word, else the first that uses it; and whether it explains."""
    first: Line | None = None
    for number, span in enumerate(split(paper.abstract), 1):
        for word in wanted:
            here = _word(word)
            if not re.search(here, span.text, re.IGNORECASE):
                continue
            line = Line(number, span.text, span.start, span.end, 0.0)
            first = first or line
            if re.search(
                rf"{here}[^.;]{{0,12}}\b(?:is|are|means?|refers? to|denotes?|stands? for|describes?|i\.e\.)\b"
                rf"|\b(?:called|termed|named|known as|refer(?:red)? to as)\s+(?:the\s+|an?\s+)?[“\"']?{here}"
                rf"|\w\s*\(\s*{here}\s*\)|{here}\s*[,(]\s*(?:i\.e\.|that is|an?\s|the\s|or\s|where|which)",
                span.text,
                re.IGNORECASE,
            ):
                return line, True
    assert first is not None  # noqa: S101 - the abstract holds the word
    return first, False


def contrast(library: Library, seed: Paper, hits: Sequence[Hit], k: int = 5) -> list[FoundPaper]:
    """Papers on the problem of one that go about it another way, the most different first."""
    papers = [seed, *(hit.paper for hit in hits)]
    texts = [text for paper in papers for text in _problem_and_method(library, paper)]
    vectors = library.model.encode_documents([readable(text) for text in texts])
    problems, methods = vectors[0::2], vectors[1::2]
    same = problems[1:] @ problems[0]
    alike = methods[1:] @ methods[0]
    order = np.argsort(-(same - alike), kind="stable")
    found = []
    for place in order.tolist():
        paper = papers[1 + place]
        line = library.card(paper.id).best(Facet.METHOD)
        if same[place] < SAME_PROBLEM or line is None:
            continue
        way = readable(line.text)
        reason = f"a like problem, another way: “{way if len(way) < 200 else way[:197] + '…'}”"
        found.append(FoundPaper.of(paper, reason=reason, score=float(same[place] - alike[place])))
    return found[:k]


def _problem_and_method(library: Library, paper: Paper) -> tuple[str, str]:
    card = library.card(paper.id)
    spans = split(paper.abstract)
    first = spans[0].text if spans else paper.title
    problem, method = card.best(Facet.PROBLEM), card.best(Facet.METHOD)
    return (problem.text if problem else first, method.text if method else paper.title)
