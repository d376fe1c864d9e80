"""Text of papers as data: what a model reads can neither leave its delimiters nor hide anything."""

from __future__ import annotations

from collections.abc import Iterable

from bot.assistant.artifacts import FoundPaper, Quote
from bot.assistant.budget import TOOL_TOKENS, pack
from bot.assistant.disarm import CLOSE, OPEN, harmless
from prompts import prompt

__all__ = ["CLOSE", "OPEN", "as_data", "harmless", "listed", "quoted"]


def quoted(quotes: Iterable[Quote]) -> list[str]:
    """Lines `[activedpo:3] the sentence`."""
    return [f"{quote.marker} {harmless(quote.text)}" for quote in quotes]


def listed(papers: Iterable[FoundPaper]) -> list[str]:
    """Lines `1. [activedpo:0] title (2026, ICLR 2026)`."""
    return [
        f"{number}. [{paper.handle}:0] {harmless(paper.title)}{_aside(paper)}"
        for number, paper in enumerate(papers, 1)
    ]


def _aside(paper: FoundPaper) -> str:
    said = [paper.published, harmless(paper.venue)]
    if paper.status != "active":
        said.append(paper.status.upper())
    said = [word for word in said if word]
    return f" ({', '.join(said)})" if said else ""


def as_data(lead: str, lines: Iterable[str], tokens: int = TOOL_TOKENS) -> str:
    """What a tool tells the model: our words, then the papers' between delimiters."""
    every = [line for line in lines if line]
    kept = pack(every, tokens)
    if len(kept) < len(every):
        kept = pack(every, tokens - 20)
        kept.append(f"(showing {len(kept)} of {len(every)} lines)")
    return prompt("data", lead=lead, body="\n".join(kept) or "(nothing)")
