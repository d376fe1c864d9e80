"""Evidence comes first, whatever the chat model can do, and in any language."""

from __future__ import annotations

from typing import Any

from langchain_core.exceptions import ModelAPIError, ModelTimeoutError
from langchain_core.messages import AIMessage

from tests.bot.assistant.conftest import Open, notices, quotes, said
from tests.bot.assistant.scripted import ProviderDown, Scripted, calls

ASKED = "How near is TideNet in storms?"
TRUE = "TideNet stays within 6.2 cm in storms [tidenet:4]."


class TakesNoDemand(Scripted):
    """A server that answers 500 to `tool_choice`, as some do, and writes when asked to write."""

    demands: int = 0

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        """Itself, or what fails where a call is demanded."""
        del tools
        if kwargs.get("tool_choice"):
            self.demands += 1
            return Scripted(ModelAPIError("tool_choice must be auto"))
        return self


async def test_the_call_is_demanded_of_a_model_that_can_choose(open_assistant: Open) -> None:
    model = Scripted(calls("answer", question=ASKED, papers=["tidenet"]), TRUE)
    async with open_assistant(model) as assistant:
        answer = await assistant.ask("a", ASKED)
    assert model.demanded == [True, False]
    assert "6.2 cm" in said(answer)


async def test_a_server_that_takes_no_demand_costs_the_person_nothing(open_assistant: Open) -> None:
    model = TakesNoDemand(TRUE)
    async with open_assistant(model) as assistant:
        answer = await assistant.ask("a", ASKED)
        assert "6.2 cm" in said(answer)
        assert answer.tools == ("answer",)
        assert not notices(answer)
        assert answer.model == "scripted"
        await assistant.ask("a", ASKED)
    assert model.demands == 1, "it is not asked again for what it does not take"


async def test_a_model_that_answers_from_memory_writes_from_what_the_rules_find(
    open_assistant: Open,
) -> None:
    model = Scripted("TideNet is by Dr. Nobody and reaches 99%.", TRUE)
    async with open_assistant(model) as assistant:
        answer = await assistant.ask("a", ASKED)
    assert answer.tools == ("answer",)
    assert "99%" not in said(answer)
    assert "6.2 cm" in said(answer)


async def test_one_who_only_writes_is_given_no_tools_and_the_same_beginning(
    open_assistant: Open,
) -> None:
    model = TakesNoDemand(TRUE)
    async with open_assistant(model) as assistant:
        await assistant.ask("a", ASKED)
        await assistant.ask("a", "And who is it for?")
    beginnings = {m[0].text for m in model.seen}
    assert len(beginnings) == 1, "a prefix cache of the provider fits every call"
    assert "`search`" not in beginnings.pop()


async def test_thanks_cost_no_model_call(open_assistant: Open) -> None:
    model = Scripted("You are welcome!")
    async with open_assistant(model) as assistant:
        answer = await assistant.ask("a", "thanks!")
    assert not model.seen
    assert answer.blocks


async def test_a_question_in_german_is_looked_up_in_english_and_answered_in_german(
    open_assistant: Open,
) -> None:
    model = TakesNoDemand(
        "How near is TideNet in storms?",
        TRUE,
        "1. Bei Sturm bleibt TideNet innerhalb von 6,2 cm.",
    )
    async with open_assistant(model) as assistant:
        answer = await assistant.ask("a", "Wie genau ist TideNet bei Sturm und was ist das?")
    assert "Bei Sturm bleibt TideNet innerhalb von 6,2 cm." in said(answer)
    assert "stays within 6.2 cm in storms" in quotes(answer)


async def test_a_translation_that_changes_a_figure_is_not_shown(open_assistant: Open) -> None:
    model = TakesNoDemand(ASKED, TRUE, "1. Bei Sturm bleibt TideNet innerhalb von 2,6 cm.")
    async with open_assistant(model) as assistant:
        answer = await assistant.ask("a", "Wie genau ist TideNet bei Sturm und was ist das?")
    assert "2,6" not in said(answer)
    assert "6.2 cm" in said(answer)


async def test_a_provider_that_is_down_costs_a_note(open_assistant: Open) -> None:
    async with open_assistant(Scripted(ProviderDown("no route"))) as assistant:
        answer = await assistant.ask("a", ASKED)
    assert "6.2 cm" in quotes(answer)
    assert "could not be reached" in notices(answer)


async def test_a_provider_that_timed_out_is_left_alone_for_a_while(open_assistant: Open) -> None:
    model = Scripted(ModelTimeoutError("slow"))
    async with open_assistant(model) as assistant:
        for _ in range(3):
            answer = await assistant.ask("a", ASKED)
            assert "6.2 cm" in quotes(answer)
            assert "could not be reached" in notices(answer)
    assert len(model.seen) == 1


async def test_a_refusal_is_answered_from_the_papers(open_assistant: Open) -> None:
    refusal = AIMessage(content=[{"type": "refusal", "refusal": "I would rather not."}])
    async with open_assistant(Scripted(refusal)) as assistant:
        answer = await assistant.ask("a", ASKED)
    assert "6.2 cm" in quotes(answer)
    assert "rather not" not in said(answer)


async def test_one_who_only_writes_is_given_question_and_evidence_in_one_message(
    open_assistant: Open,
) -> None:
    """Some servers refuse the messages of tools, and two of one side in a row."""
    model = TakesNoDemand(TRUE)
    async with open_assistant(model) as assistant:
        await assistant.ask("a", ASKED)
        await assistant.ask("a", "And who is it for?")
    kinds = [message.type for message in model.seen[-1]]
    assert kinds == ["system", "human", "ai", "human"]
    assert ASKED in model.seen[0][-1].text
    assert "[tidenet:4]" in model.seen[0][-1].text
