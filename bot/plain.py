"""An Answer as plain text: footnote numbers in the text, quotations below it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise

from bot.answer import (
    Action,
    Actions,
    Answer,
    Block,
    Citation,
    Comparison,
    Notice,
    PaperCard,
    PaperItem,
    PaperList,
    Prose,
    Sentence,
)
from index.text.tex import readable

AUTHORS = 3
"""Names a list shows before "et al."."""
DERIVED = "title from its own words"
NOT_STATED = "not stated"
_PAGES = {
    "arxiv": "https://arxiv.org/abs/{}",
    "openreview": "https://openreview.net/forum?id={}",
    "doi": "https://doi.org/{}",
}
# Controls would reach the terminal as commands; overrides of direction would reorder what is read.
_UNSHOWABLE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def render(answer: Answer) -> str:
    """The reply as text: its blocks, then a footnote a line."""
    notes = Footnotes()
    parts = ["\n".join(lines) for block in answer.blocks if (lines := block_lines(block, notes))]
    if footnotes := list(notes.lines(answer.blocks)):
        parts.append("\n".join(footnotes))
    return "\n\n".join(parts)


class Footnotes:
    """Numbers of citations, given in the order in which they are met."""

    def __init__(self) -> None:
        self.numbers: dict[Citation, int] = {}

    def markers(self, citations: Iterable[Citation]) -> str:
        """` [1][2]`, or nothing; the same citation keeps its number."""
        numbers = [self.number(citation) for citation in dict.fromkeys(citations)]
        return " " + "".join(f"[{number}]" for number in numbers) if numbers else ""

    def number(self, citation: Citation) -> int:
        """The number of a citation, a new one where it is new."""
        return self.numbers.setdefault(citation, len(self.numbers) + 1)

    def entries(self, blocks: Iterable[Block]) -> list[tuple[str, str, Citation]]:
        """(`[1]`, the quotation with its dash, a citation) a footnote.

        A quotation that stands above is not said twice; what is left then, the paper, is named
        once for all the numbers that mean it: `[1][3]`.
        """
        above = quoted_above(blocks)
        made: dict[tuple[str, str], tuple[str, str, Citation]] = {}
        for citation, number in self.numbers.items():
            quote = quote_of(citation, above)
            key = citation.paper_id, quote
            before = made[key][0] if key in made else ""
            made[key] = f"{before}[{number}]", quote, citation
        return list(made.values())

    def lines(self, blocks: Iterable[Block]) -> Iterator[str]:
        """`[1] “quotation” — Title (handle)`."""
        for numbers, quote, citation in self.entries(blocks):
            yield f"{numbers} {quote}{source_of(citation)}"


def quoted_above(blocks: Iterable[Block]) -> frozenset[str]:
    """What the reply itself shows in quotation marks."""
    answer = Answer(tuple(blocks))
    return frozenset(line(sentence.text) for sentence in answer.sentences if sentence.quoted)


def quote_of(citation: Citation, above: frozenset[str]) -> str:
    """The quotation with its dash, or nothing where it stands above already."""
    quote = line(citation.quote)
    return f"“{quote}” — " if quote and quote not in above and citation.start >= 0 else ""


def source_of(citation: Citation) -> str:
    """`Title (handle)`."""
    name = line(citation.title) or citation.paper_id
    return f"{name} ({citation.handle})" if citation.handle else name


def block_lines(block: Block, notes: Footnotes) -> list[str]:
    """The lines of one block; none where it has nothing to say."""
    match block:
        case Prose():
            return list(_prose(block, notes))
        case PaperList():
            return list(_list(block))
        case PaperCard():
            return list(_card(block, notes))
        case Comparison():
            return list(_comparison(block, notes))
        case Notice():
            return [line(block.text)] if block.text.strip() else []
        case Actions():
            return [text] if (text := actions_line(block.items)) else []


def paragraphs(sentences: Iterable[Sentence]) -> list[list[Sentence]]:
    """Sentences by line: list items and quotations in a row stand on lines of their own."""
    kept = [sentence for sentence in sentences if sentence.text.strip()]
    lines = [[kept[0]]] if kept else []
    for before, sentence in pairwise(kept):
        if is_item(sentence) or (sentence.quoted and before.quoted):
            lines.append([sentence])
        else:
            lines[-1].append(sentence)
    return lines


def is_item(sentence: Sentence) -> bool:
    """Whether a sentence begins an item of a list."""
    return not sentence.quoted and sentence.text.startswith(("- ", "• "))


def said(sentence: Sentence) -> str:
    """The words of a sentence as they are shown, without footnote numbers."""
    text = line(sentence.text)
    return f"“{text}”" if sentence.quoted else text


def line(text: str) -> str:
    """Text of a record or a model on one line, for a reader's eye and safe to print."""
    return " ".join(_UNSHOWABLE.sub("", readable(text.replace("\t", " "))).replace("`", "").split())


def address(paper_id: str, link: str = "") -> str:
    """Where a paper can be read: its link, else the page of its id, else an empty string."""
    if link.startswith(("https://", "http://")) and not re.search(r"[\s\x00-\x1f\x7f]", link):
        return link
    kind, _, rest = paper_id.partition(":")
    return _PAGES[kind].format(rest) if kind in _PAGES and rest else ""


def title_of(item: PaperItem) -> str:
    """The display title, or the handle or id where there is none."""
    return line(item.title) or item.handle or item.id


def marks_of(item: PaperItem) -> list[str]:
    """What must be known of a paper besides its title: WITHDRAWN, a title that is not its own."""
    marks = [item.status.upper()] if item.status != "active" else []
    return [*marks, DERIVED] if item.title_derived else marks


def facts_of(item: PaperItem) -> str:
    """`First, Second, Third et al. · 2025 · ICLR 2026`, as far as known."""
    authors = ", ".join(line(name) for name in item.authors[:AUTHORS])
    if authors and (item.authors_truncated or len(item.authors) > AUTHORS):
        authors += " et al."
    year = item.published[:4]
    venue = line(item.venue)
    return " · ".join(fact for fact in (authors, year, venue) if fact)


def actions_line(items: Iterable[Action]) -> str:
    """What can be written next: `Next: /summary activedpo · /similar activedpo`."""
    written = [
        f"/{'find' if a.verb == 'show' else a.verb} {a.handle}{', …' * (a.verb == 'compare')}"
        for a in items
        if a.handle
    ]
    return "Next: " + " · ".join(dict.fromkeys(written)) if written else ""


def _prose(block: Prose, notes: Footnotes) -> Iterator[str]:
    if heading := line(block.heading):
        yield heading
    for sentences in paragraphs(block.sentences):
        yield " ".join(said(s) + notes.markers(s.citations) for s in sentences)


def _list(block: PaperList) -> Iterator[str]:
    if heading := line(block.heading):
        yield heading
    for number, item in enumerate(block.items, 1):
        yield from _paper(item, f"{number}. ")


def _paper(item: PaperItem, prefix: str = "") -> Iterator[str]:
    handle = f" ({item.handle})" if item.handle else ""
    marks = "".join(f" [{mark}]" for mark in marks_of(item))
    yield f"{prefix}{title_of(item)}{handle}{marks}"
    margin = " " * len(prefix)
    for text in (facts_of(item), address(item.id, item.link), line(item.reason)):
        if text:
            yield margin + text


def _card(block: PaperCard, notes: Footnotes) -> Iterator[str]:
    yield from _paper(block.item)
    for facet, sentences in by_facet(block):
        words = " ".join(said(s) + notes.markers(s.citations) for s in sentences)
        yield f"{facet_name(facet)}: {words}"


def _comparison(block: Comparison, notes: Footnotes) -> Iterator[str]:
    for number, item in enumerate(block.papers, 1):
        yield from _paper(item, f"{number}. ")
    for row in block.rows:
        yield ""
        yield facet_name(row.facet)
        for item, cell in zip(block.papers, row.cells, strict=False):
            stated = cell is not None and cell.text.strip()
            words = said(cell) + notes.markers(cell.citations) if cell and stated else NOT_STATED
            yield f"- {item.handle or title_of(item)}: {words}"


def by_facet(card: PaperCard) -> Iterator[tuple[str, list[Sentence]]]:
    """The facets of a card, each with all that is said under it."""
    for facet, pairs in groupby(card.facets, key=lambda pair: pair[0]):
        yield facet, [sentence for _, sentence in pairs]


def facet_name(facet: str) -> str:
    """`results` as `Results`."""
    name = line(facet)
    return name[:1].upper() + name[1:]
