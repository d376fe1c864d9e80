"""A long conversation: what is kept of it, and that it can always go on."""

from __future__ import annotations

from pathlib import Path

from langchain_core.messages import AIMessage, HumanMessage

from bot.assistant.budget import count
from bot.assistant.past import KEPT, MOST, summed_up
from bot.assistant.turn import trimmed
from tests.bot.assistant.conftest import Open, quotes
from tests.bot.assistant.scripted import Scripted

ASKED = "How near is TideNet in storms?"
TRUE = "TideNet stays within 6.2 cm in storms [tidenet:4]."


async def test_a_conversation_of_forty_turns_goes_on_and_its_beginning_is_summed_up(
    open_assistant: Open, tmp_path: Path
) -> None:
    model = Scripted("I remember.", TRUE)
    async with open_assistant(model, checkpoints=tmp_path / "history.sqlite") as assistant:
        for _ in range(40):
            answer = await assistant.ask("a", ASKED)
        assert "6.2 cm" in quotes(answer)
    history = [message for message in model.seen[-1] if message.type != "system"]
    assert len(history) <= MOST + KEPT
    assert "summary of the conversation" in history[0].text
    assert f"- “{ASKED}”: tidenet" in history[0].text


def test_the_papers_and_questions_of_older_turns_are_named() -> None:
    old = HumanMessage(
        "Here is a summary:\n\n- “what is LoRA?”: lora",
        additional_kwargs={"lc_source": "summarization"},
    )
    said = summed_up([old, HumanMessage("and\n QLoRA?"), AIMessage("Quoted.")])
    assert said.splitlines() == ["- “what is LoRA?”: lora", "- “and QLoRA?”"]


def test_the_beginning_of_the_history_stays_while_it_grows() -> None:
    """A provider's prefix cache fits from one turn to the next, but for a cut now and then."""
    history: list[HumanMessage | AIMessage] = []
    beginnings = []
    for number in range(60):
        history += [HumanMessage(f"question {number} " + "word " * 40), AIMessage("An answer.")]
        kept = trimmed(history, 2000)
        assert sum(count(m.text) + 8 for m in kept) <= 2000
        assert kept[-1] is history[-1]
        beginnings.append(kept[0].text)
    assert len(set(beginnings)) < 6


def test_a_turn_that_is_too_long_alone_is_kept_alone() -> None:
    history = [HumanMessage("short"), AIMessage("short"), HumanMessage("long " * 3000)]
    assert trimmed(history, 1000) == history[-1:]
