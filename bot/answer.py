"""Answer: what a reply is made of, before anyone knows where it will be shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Citation:
    """The words of a paper that support a sentence."""

    paper_id: str
    handle: str
    title: str
    quote: str
    """A verbatim part of the paper's abstract or title."""
    start: int
    """Offset of the quote in the abstract; -1 where it is in the title."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a reply, without markers."""

    text: str
    citations: tuple[Citation, ...] = ()
    quoted: bool = False
    """True where the text is the paper's own words, and is shown in quotation marks."""


@dataclass(frozen=True, slots=True)
class Prose:
    """Sentences that belong together, under an optional heading."""

    sentences: tuple[Sentence, ...]
    heading: str = ""


@dataclass(frozen=True, slots=True)
class PaperItem:
    """A paper as a list shows it, every field from the record."""

    id: str
    handle: str
    title: str
    title_derived: bool = False
    authors: tuple[str, ...] = ()
    authors_truncated: bool = False
    published: str = ""
    updated: str = ""
    venue: str = ""
    link: str = ""
    status: str = "active"
    reason: str = ""
    """Why it is listed, in a line; empty where the list says so itself."""


@dataclass(frozen=True, slots=True)
class PaperList:
    """Numbered papers; "the second one" of a later message means `items[1]`."""

    items: tuple[PaperItem, ...]
    heading: str = ""


@dataclass(frozen=True, slots=True)
class PaperCard:
    """One paper shown whole: the record, then what it says by facet."""

    item: PaperItem
    facets: tuple[tuple[str, Sentence], ...] = ()


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One facet; a cell a paper, in the order of `Comparison.papers`, None where it is not stated."""

    facet: str
    cells: tuple[Sentence | None, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Papers side by side."""

    papers: tuple[PaperItem, ...]
    rows: tuple[ComparisonRow, ...]


@dataclass(frozen=True, slots=True)
class Notice:
    """A line from the product itself: nothing found, a limit, what was dropped."""

    text: str


@dataclass(frozen=True, slots=True)
class Action:
    """Something the person can do next with a tap or a word."""

    label: str
    verb: str
    """`summary`, `similar`, `compare`, `show`."""
    handle: str


@dataclass(frozen=True, slots=True)
class Actions:
    items: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens a reply used of one chat model, by the provider's own count where it gives one."""

    model: str
    input: int = 0
    cached: int = 0
    """Of the input, what the provider took from its cache."""
    output: int = 0


Block = Prose | PaperList | PaperCard | Comparison | Notice | Actions


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole reply: ordered blocks and how they came about."""

    blocks: tuple[Block, ...]
    tools: tuple[str, ...] = ()
    """Names of the tools called, in order."""
    abstained: bool = False
    model: str = ""
    tokens: int = 0
    spent: tuple[Spent, ...] = ()
    """The tokens by model."""
    seconds: float = 0.0
    papers: tuple[str, ...] = field(default=())
    """Ids of the papers listed, in order."""

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Every citation once, in the order of its footnote number."""
        return tuple(dict.fromkeys(c for s in self.sentences for c in s.citations))

    @property
    def sentences(self) -> Iterator[Sentence]:
        """All sentences that carry citations, in reading order."""
        for block in self.blocks:
            match block:
                case Prose():
                    yield from block.sentences
                case PaperCard():
                    yield from (sentence for _, sentence in block.facets)
                case Comparison():
                    yield from (cell for row in block.rows for cell in row.cells if cell)

    def to_json(self, text: str) -> dict[str, Any]:
        """The object `bot ask --json` prints; `text` is the reply as plain text."""
        return {
            "text": text,
            "citations": [
                {"id": c.paper_id, "handle": c.handle, "title": c.title, "quote": c.quote}
                for c in self.citations
            ],
            "papers": list(self.papers),
            "tools": list(self.tools),
            "abstained": self.abstained,
            "model": self.model,
            "tokens": self.tokens,
            "seconds": round(self.seconds, 3),
        }
