"""Side by side: a comparison of papers as rows of quotations, and what they have in common."""

from __future__ import annotations

from collections.abc import Sequence

from bot.assistant.artifacts import Quote, Remark, Row
from bot.assistant.needs import reason
from index.card import Line
from index.compare import Common, compare
from index.paper import Paper

_NUMBERS = ("", "One", "Two", "Three", "Four", "Five", "Six")


def rows_of(papers: Sequence[Paper], need: str = "") -> tuple[list[Row], list[Remark]]:
    """Rows by facet, then by figure that can be compared, then by what it is wanted for; remarks."""
    table = compare(papers)
    rows = [
        Row(facet=row.facet.value, cells=_cells(papers, row.cells, row.facet.value))
        for row in table.rows
        if any(row.cells)
    ]
    rows += [Row(facet=each.name, cells=_cells(papers, each.cells)) for each in table.figures]
    remarks = [_remark(papers, each) for each in table.shared]
    if need:
        reasons = [reason(paper, need) for paper in papers]
        rows.append(Row(facet=f"for {need}", cells=_cells(papers, reasons)))
        remarks += _recommended(papers, reasons, need)
    return rows, remarks


def _cells(
    papers: Sequence[Paper], lines: Sequence[Line | None], facet: str = ""
) -> list[Quote | None]:
    return [
        quote_of(paper, line, facet) if line else None
        for paper, line in zip(papers, lines, strict=True)
    ]


def quote_of(paper: Paper, line: Line, facet: str = "") -> Quote:
    """A line of a paper's card as evidence."""
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


def _remark(papers: Sequence[Paper], common: Common) -> Remark:
    quotes = [quote for quote in _cells(papers, common.cells) if quote]
    if len(papers) == 2:
        who = "Both abstracts"
    elif common.count == len(papers):
        who = f"All {_NUMBERS[common.count].casefold()} abstracts"
    else:
        who = f"{_NUMBERS[common.count]} of the {_NUMBERS[len(papers)].casefold()} abstracts"
    return Remark(text=f"{who} name {common.name}.", quotes=quotes)


def _recommended(
    papers: Sequence[Paper], reasons: Sequence[Line | None], need: str
) -> list[Remark]:
    """Which paper says most to a need, where one does; never without its words."""
    given = [(line.score, paper, line) for paper, line in zip(papers, reasons, strict=True) if line]
    if not given:
        return []
    top = max(score for score, _, _ in given)
    first = [(paper, line) for score, paper, line in given if score == top]
    if len(first) > 1:
        return []
    paper, line = first[0]
    return [Remark(text=f"For {need}, {paper.handle} says most.", quotes=[quote_of(paper, line)])]
