"""What a tool found, for us: plain JSON beside the text that the model reads.

Replies take titles, authors, dates and links from here, never from a model.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self, TypeVar

from langchain_core.messages import BaseMessage, ToolMessage
from pydantic import BaseModel, Field, ValidationError

from bot.answer import PaperItem
from bot.assistant.disarm import speaks
from index.paper import Paper

M = TypeVar("M", bound=BaseMessage)


class FoundPaper(BaseModel):
    """A paper's record, without its abstract."""

    id: str
    handle: str
    title: str
    title_derived: bool = False
    authors: list[str] = Field(default_factory=list)
    authors_truncated: bool = False
    published: str = ""
    updated: str = ""
    venue: str = ""
    link: str = ""
    status: str = "active"
    reason: str = ""
    """Why it is listed, in a line."""
    score: float = 0.0

    @classmethod
    def of(cls, paper: Paper, *, reason: str = "", score: float = 0.0) -> Self:
        """The record of a paper."""
        return cls(
            id=paper.id,
            handle=paper.handle,
            title=paper.title,
            title_derived=paper.title_derived,
            authors=list(paper.authors),
            authors_truncated=paper.authors_truncated,
            published=paper.published,
            updated=paper.updated,
            venue=paper.venue,
            link=paper.link,
            status=paper.status.value,
            reason=reason,
            score=round(score, 4),
        )

    def item(self) -> PaperItem:
        """The record as a reply lists it."""
        return PaperItem(
            id=self.id,
            handle=self.handle,
            title=self.title,
            title_derived=self.title_derived,
            authors=tuple(self.authors),
            authors_truncated=self.authors_truncated,
            published=self.published,
            updated=self.updated,
            venue=self.venue,
            link=self.link,
            status=self.status,
            reason=self.reason,
        )


class Quote(BaseModel):
    """One sentence of a paper, verbatim."""

    paper_id: str
    handle: str
    title: str
    sentence: int
    """1 for the first sentence of the abstract; 0 is the title."""
    text: str
    start: int
    end: int
    facet: str = ""
    score: float = 0.0

    @property
    def marker(self) -> str:
        """The citation of this sentence, as in `[activedpo:3]`."""
        return f"[{self.handle}:{self.sentence}]"


class Row(BaseModel):
    """One facet of a comparison; a cell a paper, None where it is not stated."""

    facet: str
    cells: list[Quote | None]


class Remark(BaseModel):
    """A sentence of ours that rests on quotations by how it was made."""

    text: str
    quotes: list[Quote]


class Artifact(BaseModel):
    """The result of one tool call."""

    tool: str
    query: str = ""
    papers: list[FoundPaper] = Field(default_factory=list)
    passages: list[Quote] = Field(default_factory=list)
    rows: list[Row] = Field(default_factory=list)
    remarks: list[Remark] = Field(default_factory=list)
    """What several papers have in common, and which one speaks most to a need."""
    abstained: bool = False
    """Nothing in the library answers; the chat model is not asked."""
    asks: str = ""
    """A question back to the person, where it is unclear which paper is meant."""
    nearest: list[FoundPaper] = Field(default_factory=list)
    notices: list[str] = Field(default_factory=list)
    heading: str = ""
    """What the list of papers is, in a line."""
    scope: dict[str, Any] = Field(default_factory=dict)
    """How the search was narrowed, so that the next message can narrow it further."""

    @property
    def ends_turn(self) -> bool:
        """True where there is nothing for a chat model to write about."""
        return self.abstained or bool(self.asks)

    @property
    def named(self) -> list[FoundPaper]:
        """The papers that are on the screen after this result, in order."""
        return self.papers or self.nearest

    def dump(self) -> dict[str, Any]:
        """Plain JSON, for checkpoints; sentences that speak to a machine are no evidence."""
        self.passages = [quote for quote in self.passages if not speaks(quote.text)]
        for row in self.rows:
            row.cells = [None if cell and speaks(cell.text) else cell for cell in row.cells]
        return self.model_dump(mode="json")


def artifact_of(message: BaseMessage) -> Artifact | None:
    """The artifact a tool message carries, or None."""
    return artifact_in(message.artifact) if isinstance(message, ToolMessage) else None


def artifact_in(kept: object) -> Artifact | None:
    """An artifact as `dump` wrote it, or None."""
    if not isinstance(kept, dict):
        return None
    try:
        return Artifact.model_validate(kept)
    except ValidationError:
        # Written by another version: the conversation goes on without it.
        return None


def artifacts_of(messages: Iterable[BaseMessage]) -> list[Artifact]:
    """The artifacts of these messages, in order."""
    return [found for message in messages if (found := artifact_of(message))]


def last_turn(messages: Sequence[M]) -> list[M]:
    """The messages from the person's last one on."""
    for place in range(len(messages) - 1, -1, -1):
        if messages[place].type == "human":
            return list(messages[place:])
    return list(messages)


def turns(messages: Sequence[M]) -> list[list[M]]:
    """The messages by turn; each begins with what the person wrote."""
    out: list[list[M]] = []
    for message in messages:
        if message.type == "human":
            out.append([message])
        elif out:
            out[-1].append(message)
    return out
