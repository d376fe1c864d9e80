"""What the agent can do: thin functions over the library.

Each returns text for the model and an artifact for us. They only read: nothing a paper says, and
nothing a model says, can change anything through them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.tools import BaseTool, StructuredTool

from bot.assistant.artifacts import Artifact, FoundPaper, Quote, Row
from bot.assistant.data import as_data, harmless, listed, quoted
from bot.assistant.evidence import look_up
from bot.assistant.floor import close
from bot.assistant.names import Meant, Names
from bot.assistant.summary import summary_lines
from index.card import Line
from index.compare import compare as side_by_side
from index.lexical import stems
from index.library import Filters, Hit, Library, Passage, Status
from index.paper import Paper
from index.text.sentences import split
from prompts import prompt

MOST = 10
"""Papers of one list at most."""
MOST_COMPARED = 5
SIMILAR_FLOOR = 0.3
"""Least cosine of a paper that is offered as like another."""

Result = tuple[str, dict[str, Any]]


def make_tools(library: Library) -> list[BaseTool]:
    """The six tools over one library."""
    tools = Tools(library)
    functions: tuple[Callable[..., Result], ...] = (
        tools.search,
        tools.show,
        tools.answer,
        tools.summarise,
        tools.compare,
        tools.similar,
    )
    return [
        StructuredTool.from_function(
            func=function,
            name=function.__name__,
            description=prompt(f"tool_{function.__name__}"),
            response_format="content_and_artifact",
        )
        for function in functions
    ]


class Tools:
    """The tools' functions; blocking, so LangChain runs them in threads."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.names = Names(library)

    def search(
        self,
        query: str,
        k: int = 5,
        year: str | None = None,
        author: str | None = None,
        venue: str | None = None,
        newest: bool = False,
        papers: list[str] | None = None,
    ) -> Result:
        """Find papers by topic or name; an empty query lists the newest."""
        k = max(1, min(k, MOST))
        among = [found.id for name in papers or [] if (found := self.library.get(name))]
        filters = Filters(
            years=years_of(year),
            author=author or None,
            venue=venue or None,
            ids=frozenset(among) if among else None,
        )
        scope = {"year": year, "author": author, "venue": venue, "newest": newest}
        scope = {name: value for name, value in scope.items() if value}
        if not query.strip():
            return self._newest(k, filters, scope)
        hits = self.library.search(query, 30 if newest else MOST, filters)
        near = close(self.library, query, hits, self.names.floor)
        for wording in () if near else alternatives(query):
            near = near or close(
                self.library, wording, self.library.search(wording, MOST, filters), self.names.floor
            )
        if author and set(stems(query)) <= set(stems(author)):
            # Who wrote a paper is in its record, not in its text.
            near = hits
        near.sort(key=lambda hit: (not hit.exact, hit.paper.status is not Status.ACTIVE))
        if newest:
            near.sort(key=lambda hit: hit.paper.published or "", reverse=True)
        artifact = Artifact(tool="search", query=query, scope=scope)
        if not near:
            artifact.abstained = True
            artifact.nearest = [_found(hit) for hit in hits[:3]]
            return self._nothing(artifact, f"Nothing in the library is about “{query}”")
        artifact.papers = [_found(hit) for hit in near[:k]]
        return self._list(artifact, "Papers found, best first.")

    def _newest(self, k: int, filters: Filters, scope: dict[str, Any]) -> Result:
        papers = [paper for _, paper in self.library.since(max(0, self.library.sequence - 500))]
        allowed = {p.id for p in papers}
        first, last = filters.years or (None, None)
        papers = [
            p
            for p in papers
            if p.id in allowed
            and (not first or p.published[:4] >= str(first))
            and (not last or "" < p.published[:4] <= str(last))
            and (not filters.venue or filters.venue.casefold() in p.venue.casefold())
        ]
        papers.reverse()
        papers.sort(key=lambda p: p.published, reverse=True)
        artifact = Artifact(tool="search", query="", scope={**scope, "newest": True})
        if not papers:
            artifact.abstained = True
            return self._nothing(artifact, "Nothing of that kind is in the library")
        artifact.papers = [FoundPaper.of(p) for p in papers[:k]]
        artifact.heading = "Newest in the library"
        return self._list(artifact, "The newest papers.")

    def show(self, paper: str) -> Result:
        """Show a record and its abstract."""
        meant = self.names.meant(paper)
        if not meant.paper:
            return self._unknown("show", paper, meant)
        found = meant.paper
        artifact = Artifact(tool="show", query=paper, papers=[FoundPaper.of(found)])
        self._took(artifact, paper, meant)
        artifact.passages = [
            quote_of(found, Line(number, span.text, span.start, span.end, 0.0))
            for number, span in enumerate(split(found.abstract), 1)
        ]
        lines = [*listed(artifact.papers), *quoted(artifact.passages)]
        return as_data("The record of one paper.", lines), artifact.dump()

    def answer(
        self, question: str, papers: list[str] | None = None, elsewhere: bool = False
    ) -> Result:
        """Find the sentences that answer; with `elsewhere` the whole library follows `papers`."""
        inside: list[Paper] = []
        for name in papers or []:
            meant = self.names.meant(name)
            if meant.paper is None:
                return self._unknown("answer", name, meant)
            inside.append(meant.paper)
        found = look_up(self.names, question, inside)
        if not found.passages and inside and elsewhere:
            anywhere = look_up(self.names, question)
            found = anywhere if anywhere.passages else found
        artifact = Artifact(tool="answer", query=question)
        if not found.passages:
            artifact.abstained = True
            artifact.nearest = [FoundPaper.of(p) for p in found.papers[:3]]
            if found.named and found.papers:
                artifact.scope = {"within": [p.handle for p in found.papers[:3]]}
                titles = " and ".join(f"“{p.title}”" for p in found.papers[:3])
                return self._nothing(
                    artifact, f"The abstract of {titles} does not say", within=True
                )
            return self._nothing(artifact, "No abstract in the library answers that")
        by_id = {p.id: p for p in found.papers}
        artifact.passages = [_quote(by_id[p.paper_id], p) for p in found.passages]
        order = list(dict.fromkeys(p.paper_id for p in found.passages))
        artifact.papers = [FoundPaper.of(by_id[paper_id]) for paper_id in order]
        lines = [*quoted(artifact.passages), "", *listed(artifact.papers)]
        return as_data("The sentences nearest to the question.", lines), artifact.dump()

    def summarise(self, paper: str) -> Result:
        """Read one paper and return its main sentences."""
        meant = self.names.meant(paper)
        if not meant.paper:
            return self._unknown("summarise", paper, meant)
        found = meant.paper
        artifact = Artifact(tool="summarise", query=paper, papers=[FoundPaper.of(found)])
        self._took(artifact, paper, meant)
        artifact.passages = [
            quote_of(found, line, facet.value) for facet, line in summary_lines(self.library, found)
        ]
        if not artifact.passages:
            artifact.notices.append(
                "The library has no abstract of it, so there is nothing to sum up."
            )
        lines = [*listed(artifact.papers), *quoted(artifact.passages)]
        return as_data("The main sentences of one paper.", lines), artifact.dump()

    def compare(self, papers: list[str]) -> Result:
        """Put papers side by side, each read alone."""
        chosen: list[Paper] = []
        artifact = Artifact(tool="compare", query="; ".join(papers))
        for name in papers[:MOST_COMPARED]:
            meant = self.names.meant(name)
            found = meant.paper
            if found in chosen and not meant.named:
                others = [h.paper for h in meant.candidates if h.paper not in chosen]
                found = others[0] if others else None
            if found is None:
                return self._unknown("compare", name, meant)
            if found not in chosen:
                chosen.append(found)
                self._took(artifact, name, meant)
        artifact.papers = [FoundPaper.of(p) for p in chosen]
        if len(chosen) < 2:
            known = f"“{chosen[0].title}”" if chosen else "it"
            artifact.asks = f"Compare {known} with which other paper?"
            return artifact.asks, artifact.dump()
        table = side_by_side(chosen)
        artifact.rows = [
            Row(
                facet=row.facet.value,
                cells=[
                    quote_of(p, cell, row.facet.value) if cell else None
                    for p, cell in zip(chosen, row.cells, strict=True)
                ],
            )
            for row in table.rows
            if any(row.cells)
        ]
        artifact.passages = [cell for row in artifact.rows for cell in row.cells if cell]
        lines = listed(artifact.papers)
        for row in artifact.rows:
            lines.append(f"{row.facet}:")
            lines += [
                quoted([cell])[0] if cell else f"({paper.handle}: not stated)"
                for cell, paper in zip(row.cells, artifact.papers, strict=True)
            ]
        return as_data("Each paper was read alone.", lines), artifact.dump()

    def similar(self, paper: str, k: int = 5) -> Result:
        """Find papers like one."""
        meant = self.names.meant(paper)
        if not meant.paper:
            return self._unknown("similar", paper, meant)
        found = meant.paper
        hits = self.library.similar(found.id, max(1, min(k, MOST)))
        artifact = Artifact(tool="similar", query=paper, scope={"seed": found.id})
        artifact.heading = f"Like “{found.title}” [{found.handle}]"
        artifact.papers = [_found(h) for h in hits if h.cosine >= SIMILAR_FLOOR]
        if not artifact.papers:
            artifact.abstained = True
            artifact.nearest = [_found(h) for h in hits[:3]]
            return self._nothing(artifact, f"Nothing in the library is like “{found.title}”")
        return self._list(artifact, f"Papers like [{found.handle}:0] {harmless(found.title)}.")

    def _list(self, artifact: Artifact, lead: str) -> Result:
        lines = listed(artifact.papers)
        return as_data(lead, lines), artifact.dump()

    def _nothing(self, artifact: Artifact, said: str, *, within: bool = False) -> Result:
        """Say what was searched; the model is not asked after this."""
        count = len(self.library)
        if not count:
            said = "The library is empty: `python -m index add FILE` puts papers into it."
        elif within:
            said += "."
        else:
            narrowed = {k: v for k, v in artifact.scope.items() if k in {"year", "author", "venue"}}
            asked = "".join(f", {name} {value}" for name, value in narrowed.items())
            said += f"; I searched {count} paper{'s' if count > 1 else ''}{asked}."
        artifact.notices.append(said)
        return f"Nothing found. {harmless(said)}", artifact.dump()

    def _unknown(self, tool: str, words: str, meant: Meant) -> Result:
        artifact = Artifact(tool=tool, query=words, abstained=True)
        artifact.nearest = [_found(hit) for hit in meant.candidates[:3]]
        return self._nothing(artifact, f"No paper in the library goes by “{words}”")

    def _took(self, artifact: Artifact, words: str, meant: Meant) -> None:
        if meant.paper and not meant.named:
            artifact.notices.append(f"I took “{words}” to mean “{meant.paper.title}”.")


def quote_of(paper: Paper, line: Line, facet: str = "") -> Quote:
    """A sentence of a paper."""
    return Quote(
        paper_id=paper.id,
        handle=paper.handle,
        title=paper.title,
        sentence=line.sentence,
        text=line.text,
        start=line.start,
        end=line.end,
        facet=facet,
    )


def _quote(paper: Paper, passage: Passage) -> Quote:
    return Quote(
        paper_id=paper.id,
        handle=paper.handle,
        title=paper.title,
        sentence=passage.sentence,
        text=passage.text,
        start=passage.start,
        end=passage.end,
        score=round(passage.score, 4),
    )


def _found(hit: Hit) -> FoundPaper:
    return FoundPaper.of(hit.paper, score=hit.score)


def alternatives(query: str) -> list[str]:
    """A topic with an "or" in it, once with each side of it: `proteins or DNA in models`."""
    match = re.search(r"([\w-]+)\s+or\s+([\w-]+)", query)
    if not match:
        return []
    return [query[: match.start()] + side + query[match.end() :] for side in match.groups()]


def years_of(text: str | None) -> tuple[int | None, int | None] | None:
    """First and last year of `2025`, `2023..2025`, `2024..`, `..2020`, `since 2024`; None for none."""
    if not text:
        return None
    years = [int(year) for year in re.findall(r"\b(?:19|20)\d\d\b", text)]
    if not years:
        return None
    words = text.casefold()
    if len(years) > 1:
        return min(years), max(years)
    if re.search(r"\.\.\s*$|>=|since|from|\d\s*(?:\+|-|–|onwards?|or (?:newer|later))\s*$", words):
        return years[0], None
    if re.search(r"after|>|(?:newer|later) than", words):
        return years[0] + 1, None
    if re.search(r"before|<(?!=)|(?:older|earlier) than", words):
        return None, years[0] - 1
    if re.search(r"^\s*\.\.|<=|until|up to|or (?:older|earlier)", words):
        return None, years[0]
    return years[0], years[0]


def handles(papers: Sequence[FoundPaper]) -> list[str]:
    """The handles of these papers."""
    return [paper.handle for paper in papers]
