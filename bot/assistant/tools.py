"""What the agent can do: thin functions over the library.

Each returns text for the model and an artifact for us. They only read: nothing a paper says, and
nothing a model says, can change anything through them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from langchain_core.tools import BaseTool, StructuredTool

from bot.assistant.artifacts import Artifact, FoundPaper, Quote
from bot.assistant.data import as_data, harmless, listed, quoted
from bot.assistant.evidence import look_up
from bot.assistant.names import Meant, Names
from bot.assistant.searching import Narrowed, find, listing, local_today, narrowing
from bot.assistant.side_by_side import quote_of, rows_of
from bot.assistant.summary import summary_lines
from bot.assistant.surveying import contrast, explain, survey
from index.card import Line
from index.library import Passage
from index.paper import Paper
from index.text.sentences import split
from prompts import prompt

MOST = 10
"""Papers of one list at most."""
MOST_COMPARED = 6
SIMILAR_FLOOR = 0.3
"""Least cosine of a paper that is offered as like another."""

Result = tuple[str, dict[str, Any]]


def make_tools(names: Names, today: Callable[[], date] = local_today) -> list[BaseTool]:
    """The tools over one library; `today` is the date where the person is."""
    tools = Tools(names, today)
    functions: tuple[Callable[..., Result], ...] = (
        tools.search,
        tools.show,
        tools.answer,
        tools.summarise,
        tools.compare,
        tools.similar,
        tools.contrast,
        tools.survey,
        tools.explain,
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

    def __init__(self, names: Names, today: Callable[[], date] = local_today) -> None:
        self.library = names.library
        self.names = names
        self._today = today

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
        among = [found.id for name in papers or [] if (found := self.library.get(name))]
        scope = {"year": year, "author": author, "venue": venue, "newest": newest}
        narrowed = Narrowed(
            filters=narrowing(year, author, venue, among, self._today()),
            scope={name: value for name, value in scope.items() if value},
            newest=newest,
        )
        artifact = find(self.names, query, max(1, min(k, MOST)), narrowed, self._today())
        if artifact.abstained:
            return self._nothing(artifact, artifact.heading)
        lead = "Papers found, best first." if artifact.query else "The newest papers."
        return self._list(artifact, lead)

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

    def summarise(self, paper: str, style: str | None = None) -> Result:
        """Read one paper and return its main sentences; `style` is `line` or `newcomer`."""
        meant = self.names.meant(paper)
        if not meant.paper:
            return self._unknown("summarise", paper, meant)
        found = meant.paper
        artifact = Artifact(tool="summarise", query=paper, papers=[FoundPaper.of(found)])
        self._took(artifact, paper, meant)
        artifact.passages = [
            quote_of(found, line, facet.value)
            for facet, line in summary_lines(self.library, found, style or "")
        ]
        if not artifact.passages:
            artifact.notices.append(
                "The library has no abstract of it, so there is nothing to sum up."
            )
        lines = [*listed(artifact.papers), *quoted(artifact.passages)]
        return as_data("The main sentences of one paper.", lines), artifact.dump()

    def compare(self, papers: list[str], need: str | None = None) -> Result:
        """Put papers side by side, each read alone; `need` is what one of them is wanted for."""
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
        artifact.rows, artifact.remarks = rows_of(chosen, need or "")
        artifact.passages = [cell for row in artifact.rows for cell in row.cells if cell]
        lines = listed(artifact.papers)
        for row in artifact.rows:
            lines.append(f"{row.facet}:")
            lines += [
                quoted([cell])[0] if cell else f"({paper.handle}: not stated)"
                for cell, paper in zip(row.cells, artifact.papers, strict=True)
            ]
        lines += [f"{r.text} {' '.join(q.marker for q in r.quotes)}" for r in artifact.remarks]
        return as_data("Each paper was read alone.", lines), artifact.dump()

    def similar(self, paper: str, k: int = 5) -> Result:
        """Find papers like one."""
        meant = self.names.meant(paper)
        if not meant.paper:
            return self._unknown("similar", paper, meant)
        found = meant.paper
        like = self.library.like(found.id, max(1, min(k, MOST)))
        artifact = Artifact(tool="similar", query=paper, scope={"seed": found.id})
        artifact.heading = f"Like “{found.title}” [{found.handle}]"
        artifact.papers = [listing(h, like) for h in like.hits if h.cosine >= SIMILAR_FLOOR]
        if not artifact.papers:
            artifact.abstained = True
            artifact.nearest = [listing(h, like) for h in like.hits[:3]]
            return self._nothing(artifact, f"Nothing in the library is like “{found.title}”")
        return self._list(artifact, f"Papers like [{found.handle}:0] {harmless(found.title)}.")

    def contrast(self, paper: str) -> Result:
        """Find papers on the problem of one that go about it another way."""
        meant = self.names.meant(paper)
        if not meant.paper:
            return self._unknown("contrast", paper, meant)
        found = meant.paper
        artifact = Artifact(tool="contrast", query=paper, scope={"seed": found.id})
        artifact.heading = f"Another way than “{found.title}” [{found.handle}]"
        hits = self.library.similar(found.id, 24)
        artifact.papers = contrast(self.library, found, hits)
        if not artifact.papers:
            artifact.abstained = True
            artifact.nearest = [FoundPaper.of(hit.paper) for hit in hits[:3]]
            return self._nothing(
                artifact, f"Nothing in the library goes another way than “{found.title}”"
            )
        return self._list(artifact, f"Papers that contrast with [{found.handle}:0].")

    def survey(self, topic: str) -> Result:
        """What the papers of the library say on a topic, how many, and where they differ."""
        artifact = survey(self.names, topic)
        if artifact.abstained:
            return self._nothing(artifact, f"No abstract in the library speaks to “{topic}”")
        lines = [*quoted(artifact.passages), "", *listed(artifact.papers)]
        lines += [f"{r.text} {' '.join(q.marker for q in r.quotes)}" for r in artifact.remarks]
        return as_data(" ".join(artifact.notices), lines), artifact.dump()

    def explain(self, term: str) -> Result:
        """How the papers of the library use a term."""
        artifact = explain(self.names, term)
        if artifact.abstained:
            return self._nothing(artifact, f"No abstract in the library uses “{term}”")
        lines = [*quoted(artifact.passages), "", *listed(artifact.papers)]
        return as_data(" ".join(artifact.notices), lines), artifact.dump()

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
        artifact.nearest = [listing(hit) for hit in meant.candidates[:3]]
        return self._nothing(artifact, f"No paper in the library goes by “{words}”")

    def _took(self, artifact: Artifact, words: str, meant: Meant) -> None:
        if meant.paper and not meant.named:
            artifact.notices.append(f"I took “{words}” to mean “{meant.paper.title}”.")


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


def handles(papers: Sequence[FoundPaper]) -> list[str]:
    """The handles of these papers."""
    return [paper.handle for paper in papers]
