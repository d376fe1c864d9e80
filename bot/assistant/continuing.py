"""An answer within its budget of tokens; "more" says what was left out."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage
from pydantic import TypeAdapter, ValidationError

from bot.answer import Answer, Block, Notice, PaperCard, PaperList, Prose, Sentence
from bot.assistant.artifacts import artifacts_of, last_turn
from bot.assistant.budget import count
from bot.assistant.extractive import NAME
from bot.assistant.messages import shown
from bot.assistant.screen import read_screen

NOTHING = "That was all of it. Ask something else, or name a paper."
SAYING = frozenset({"answer", "summarise", "compare", "contrast", "explain", "survey"})
"""Tools after which "more" asks for more of what was said, not for papers of an earlier list."""

_GO_ON = re.compile(
    r"(?:please\s+)?(?:go\s+on|continue|carry\s+on|keep\s+going|(?:tell|say|read)\s+(?:me\s+)?more|"
    r"what\s+else(?:\s+does\s+it\s+say)?|and\s+(?:then|further))(?:\s+please)?",
    re.IGNORECASE,
)
_MORE = re.compile(r"(?:please\s+)?(?:more|the\s+rest|more\s+of\s+it)(?:\s+please)?", re.IGNORECASE)
"""What asks for further papers where a list was shown."""


@dataclass(frozen=True, slots=True)
class Left:
    """What an answer did not say yet, as it is kept with the conversation."""

    parts: tuple[tuple[str, Sentence], ...] = ()
    """Each sentence under its heading, which may be empty."""
    listed: bool = False
    """True where the answer listed papers, of which "more" shows further ones."""
    model: str = NAME

    def dump(self) -> dict[str, Any]:
        """Plain JSON, for checkpoints."""
        return dict(_LEFT.dump_python(self, mode="json"))

    @classmethod
    def load(cls, kept: object) -> Left:
        """What `dump` wrote; nothing left where another version wrote it."""
        try:
            return _LEFT.validate_python(kept) if kept else cls()
        except ValidationError:
            return cls()


_LEFT = TypeAdapter(Left)


class Continuing:
    """Cuts answers to a budget, and goes on with them; `tokens` is 0 where there is none."""

    def __init__(self, agent: Any, tokens: int) -> None:
        self._agent = agent
        self.tokens = tokens

    async def cut(self, config: dict[str, Any], answer: Answer) -> Answer:
        """The answer within its budget; what is left over is kept with the conversation."""
        blocks, parts = within(answer.blocks, self.tokens)
        if not parts:
            return answer
        listed = any(isinstance(block, PaperList) for block in blocks)
        left = Left(parts, listed, answer.model)
        await self._agent.aupdate_state(config, {"left": left.dump()})
        return replace(answer, blocks=_told(blocks, left))

    async def reply(self, config: dict[str, Any], text: str) -> Answer | None:
        """What was left out, where that is what a message asks for; None where it asks anew."""
        said = " ".join(text.split()).strip(" .,!?…")
        goes_on, more = _GO_ON.fullmatch(said), _MORE.fullmatch(said)
        if not goes_on and not more:
            return None
        begun = time.monotonic()
        values = (await self._agent.aget_state(config)).values
        left = Left.load(values.get("left"))
        messages = [*values.get("messages", ()), HumanMessage(text)]
        whole = not left.parts and _said_whole(messages[:-1])
        if more and (left.listed or (not (left.parts or whole) and read_screen(messages).search)):
            return None
        answer = self._next(left) if left.parts else Answer((Notice(NOTHING),), model=NAME)
        blocks, parts = within(answer.blocks, self.tokens)
        rest = replace(left, parts=parts)
        heard = [HumanMessage(text), shown(_text(blocks))]
        await self._agent.aupdate_state(config, {"messages": heard, "left": rest.dump()})
        return replace(answer, blocks=_told(blocks, rest), seconds=time.monotonic() - begun)

    @staticmethod
    def _next(left: Left) -> Answer:
        blocks: list[Prose] = []
        for heading, sentence in left.parts:
            if blocks and blocks[-1].heading == heading:
                blocks[-1] = Prose((*blocks[-1].sentences, sentence), heading)
            else:
                blocks.append(Prose((sentence,), heading))
        cited = [c.paper_id for _, sentence in left.parts for c in sentence.citations]
        return Answer(tuple(blocks), model=left.model, papers=tuple(dict.fromkeys(cited)))


def _said_whole(messages: Sequence[BaseMessage]) -> bool:
    """True where the last reply said what papers say, and listed none that could go on."""
    found = artifacts_of(last_turn(messages))
    return bool(found) and found[-1].tool in SAYING and not found[-1].nearest


def within(
    blocks: Sequence[Block], tokens: int
) -> tuple[tuple[Block, ...], tuple[tuple[str, Sentence], ...]]:
    """The blocks with as many sentences as fit, at least one; and the others under their headings.

    Lists and comparisons stay whole: they are bounded by the number of their papers.
    """
    kept: list[Block] = []
    left: list[tuple[str, Sentence]] = []
    meter = _Meter(tokens)
    for block in blocks:
        match block:
            case Prose():
                fits = tuple(s for s in block.sentences if meter.takes(s))
                left += [(block.heading, s) for s in block.sentences[len(fits) :]]
                if fits:
                    kept.append(replace(block, sentences=fits))
            case PaperCard():
                facets = [facet for facet in block.facets if meter.takes(facet[1])]
                left += [(name.capitalize(), s) for name, s in block.facets[len(facets) :]]
                kept.append(replace(block, facets=tuple(facets)))
            case _:
                kept.append(block)
    return tuple(kept), tuple(left)


def first_of(sentences: Sequence[Sentence], tokens: int) -> tuple[Sentence, ...]:
    """The first sentences that fit, at least one."""
    meter = _Meter(tokens)
    return tuple(sentence for sentence in sentences if meter.takes(sentence))


class _Meter:
    """Counts sentences until one does not fit; then none does, so that their order stays."""

    def __init__(self, tokens: int) -> None:
        self._tokens = tokens
        self._used = 0
        self._full = False

    def takes(self, sentence: Sentence) -> bool:
        if not self._tokens:
            return True
        size = count(sentence.text)
        self._full = self._full or bool(self._used and self._used + size > self._tokens)
        self._used += size
        return not self._full


def _told(blocks: Sequence[Block], left: Left) -> tuple[Block, ...]:
    """The blocks, with a line on what is left, before notices and actions that end them."""
    if not left.parts:
        return tuple(blocks)
    some = "A sentence is" if len(left.parts) == 1 else f"{len(left.parts)} sentences are"
    word = "go on" if left.listed else "more"
    said = [n for n, block in enumerate(blocks) if isinstance(block, Prose | PaperCard)]
    place = said[-1] + 1 if said else 0
    line = Notice(f"{some} left: say “{word}”.")
    return (*blocks[:place], line, *blocks[place:])


def _text(blocks: Sequence[Block]) -> str:
    """The reply as the history keeps it, each sentence with the handles it cites."""
    lines = []
    for sentence in Answer(tuple(blocks)).sentences:
        text = f"“{sentence.text}”" if sentence.quoted else sentence.text
        keys = "; ".join(dict.fromkeys(citation.handle for citation in sentence.citations))
        lines.append(f"{text} [{keys}]" if keys else text)
    return " ".join(lines) or NOTHING
