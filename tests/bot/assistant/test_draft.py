"""A reply is shown while it is written: finished sentences that stand, and nothing else."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGenerationChunk

from bot.answer import Answer
from bot.assistant.assistant import Written
from tests.bot.assistant.conftest import Open, said
from tests.bot.assistant.scripted import Scripted, calls

ASKED = "How near is TideNet in storms?"


class Streaming(Scripted):
    """Gives its replies word by word, as providers do."""

    async def _astream(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kwargs: Any
    ) -> AsyncIterator[ChatGenerationChunk]:
        message = self._generate(messages, stop, run_manager, **kwargs).generations[0].message
        if message.tool_calls:  # type: ignore[attr-defined]
            yield ChatGenerationChunk(
                message=AIMessageChunk(**message.model_dump(exclude={"type"}))
            )
            return
        for number, word in enumerate(message.text.split(" ")):
            piece = AIMessageChunk(content=word if not number else f" {word}", id="piece")
            chunk = ChatGenerationChunk(message=piece)
            if run_manager:
                await run_manager.on_llm_new_token(piece.text, chunk=chunk)
            yield chunk


async def _told(open_assistant: Open, *replies: str) -> tuple[list[str], Answer]:
    model = Streaming(calls("answer", question=ASKED, papers=["tidenet"]), *replies)
    told, answer = [], None
    async with open_assistant(model) as assistant:
        async for event in assistant.stream("a", ASKED):
            if isinstance(event, Written):
                told.append(" ".join(sentence.text for sentence in event.sentences))
            if isinstance(event, Answer):
                answer = event
    assert answer
    return told, answer


async def test_sentences_come_as_they_are_finished(open_assistant: Open) -> None:
    first = "TideNet stays within 6.2 cm in storms [tidenet:4]."
    told, answer = await _told(open_assistant, f"{first} It forecasts water levels [tidenet:2].")
    assert told == ["TideNet stays within 6.2 cm in storms."]
    assert "6.2 cm" in said(answer)


async def test_what_does_not_stand_is_not_shown_for_a_moment_either(open_assistant: Open) -> None:
    false = "TideNet stays within 3.1 cm in storms [tidenet:4]."
    true = "TideNet stays within 6.2 cm in storms [tidenet:4]."
    told, answer = await _told(open_assistant, f"{false} {true} And more.", f"{true} And more.")
    assert told
    assert not any("3.1" in text for text in told)
    assert "6.2 cm" in said(answer)


async def test_what_tools_return_is_never_streamed(open_assistant: Open) -> None:
    told, _ = await _told(open_assistant, "TideNet stays within 6.2 cm in storms [tidenet:4].")
    assert not any("⟦data⟧" in text for text in told)
