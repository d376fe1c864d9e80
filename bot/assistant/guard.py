"""Guard: lets only such text of a model through as its citations support."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any, cast

from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, ToolMessage
from langgraph.runtime import Runtime

from bot.answer import Sentence
from bot.assistant.artifacts import artifacts_of, last_turn
from bot.assistant.extractive import FAILED, NAME, Extractive, write
from bot.assistant.grounding import Grounded, best_quotation, ground
from bot.assistant.language import foreign
from bot.assistant.messages import GUARDED, shown, written_by
from bot.assistant.middleware import ChatState, Handler
from bot.assistant.translation import back, translated
from bot.assistant.turn import Turn
from index.library import Library
from index.paper import Paper
from prompts import prompt

LIMIT = "That took more steps than one question may, so I stopped. Here is what was found."
REPEATED = "I kept coming back to the same step, so I stopped there. Here is what was found."


class Guard(AgentMiddleware[ChatState, Turn, Any]):
    """Lets only such text of a model through as its citations support."""

    def __init__(self, library: Library, extractive: Extractive) -> None:
        super().__init__()
        self.library = library
        self.extractive = extractive

    async def awrap_model_call(
        self, request: ModelRequest[Turn], handler: Handler
    ) -> ModelResponse[Any]:
        """Check the reply; ask once for a better one; then quote or drop."""
        turn = request.runtime.context
        here = last_turn(request.messages)
        message = await self._ask(request, handler)
        if message.invalid_tool_calls and not message.tool_calls:
            message = await self._ask(request, handler, [message, *_unreadable(message)])
        if message.tool_calls:
            turn.model = written_by(message)
            if not _repeats(message, here):
                return ModelResponse(result=[message])
            turn.ending = REPEATED
            return self._written(request, here)
        if written_by(message) == NAME:
            return ModelResponse(result=[self._own(turn, message, here)])
        if not message.text.strip():
            return await self._instead(request, here)
        return await self._checked(request, handler, message, here)

    async def _checked(
        self,
        request: ModelRequest[Turn],
        handler: Handler,
        message: AIMessage,
        here: Sequence[BaseMessage],
    ) -> ModelResponse[Any]:
        sources = await asyncio.to_thread(retrieved, self.library, request.messages)
        checked = await asyncio.to_thread(ground, message.text, sources)
        evidence = any(isinstance(m, ToolMessage) for m in here)
        claims = any(s.about_papers or s.problem for s in checked.sentences)
        if not evidence and (not sources or not _cites(checked)):
            # A reply from nowhere: what was asked for is looked up instead.
            rule = await asyncio.to_thread(self.extractive.reply, request.messages)
            if rule.tool_calls and (claims or not message.text.rstrip().endswith("?")):
                return ModelResponse(result=[rule])
        if not checked.stands:
            again = [message, HumanMessage(prompt("repair", problems=checked.repair()))]
            second = await self._ask(request, handler, again)
            if second.text.strip() and not second.tool_calls:
                message = second
                checked = await asyncio.to_thread(ground, second.text, sources)
        sentences = await asyncio.to_thread(self._kept, request.runtime.context, checked, sources)
        if not any(s.citations for s in sentences) and artifacts_of(here):
            return self._written(request, here)
        if not sentences:
            return await self._instead(request, here)
        turn = request.runtime.context
        turn.sentences = await self._in_their_language(request, handler, sentences)
        turn.model = written_by(message)
        text = " ".join(_with_keys(sentence) for sentence in sentences)
        return ModelResponse(result=[shown(text)])

    async def _in_their_language(
        self, request: ModelRequest[Turn], handler: Handler, sentences: list[Sentence]
    ) -> list[Sentence]:
        """What stands, in the language of the question; checked in English, as the abstracts are."""
        said = last_turn(request.state["messages"])[0].text
        if not foreign(said):
            return sentences
        asked = request.override(
            messages=[HumanMessage(back(said, sentences))], tools=[], system_message=None
        )
        # Where no model answers, the last in the row says nothing to that, and English stays.
        reply = await self._ask(asked, handler)
        return translated(reply.text, sentences)

    def _kept(self, turn: Turn, checked: Grounded, sources: dict[str, Paper]) -> list[Sentence]:
        sentences: list[Sentence] = []
        for sentence in checked.sentences:
            if not sentence.problem:
                sentences.append(sentence.sentence())
                continue
            instead = best_quotation(sentence, sources) if sentence.citations else None
            if instead and instead not in sentences:
                sentences.append(instead)
                turn.replaced += 1
            else:
                turn.dropped += 1
        return sentences

    async def _ask(
        self, request: ModelRequest[Turn], handler: Handler, more: Sequence[BaseMessage] = ()
    ) -> AIMessage:
        if more:
            request = request.override(
                messages=cast("list[AnyMessage]", [*request.messages, *more])
            )
        response = await handler(request)
        return next((m for m in response.result if isinstance(m, AIMessage)), AIMessage(""))

    def _own(self, turn: Turn, message: AIMessage, here: Sequence[BaseMessage]) -> AIMessage:
        """What the extractive model says: quotations come from the artifacts, the rest is ours."""
        turn.model = NAME
        if not any(isinstance(m, ToolMessage) for m in here):
            turn.said = message.text
        elif not artifacts_of(here):
            turn.said = FAILED
        return shown(message.text or FAILED)

    def _written(
        self, request: ModelRequest[Turn], here: Sequence[BaseMessage]
    ) -> ModelResponse[Any]:
        """The reply in quotations, where a model's own did not stand."""
        turn = request.runtime.context
        turn.model = NAME
        turn.sentences = None
        text = write(artifacts_of(here))
        if not text:
            turn.said = FAILED
        return ModelResponse(result=[shown(text or FAILED)])

    async def _instead(
        self, request: ModelRequest[Turn], here: Sequence[BaseMessage]
    ) -> ModelResponse[Any]:
        """What the extractive model would do."""
        if artifacts_of(here):
            return self._written(request, here)
        rule = await asyncio.to_thread(self.extractive.reply, request.messages)
        if rule.tool_calls and not any(isinstance(m, ToolMessage) for m in here):
            return ModelResponse(result=[rule])
        return ModelResponse(result=[self._own(request.runtime.context, rule, here)])

    async def aafter_agent(self, state: ChatState, runtime: Runtime[Turn]) -> dict[str, Any] | None:
        """Replace what LangChain says at its limits by what was found, in a person's words."""
        messages = state["messages"]
        last = messages[-1] if messages else None
        if isinstance(last, AIMessage) and last.response_metadata.get(GUARDED):
            return None
        turn = runtime.context
        turn.ending = turn.ending or LIMIT
        turn.sentences = None
        text = write(artifacts_of(last_turn(messages)))
        if not text:
            turn.said = FAILED
        closing = shown(text or FAILED)
        if isinstance(last, AIMessage):
            closing.id = last.id
        return {"messages": [closing]}


def retrieved(library: Library, messages: Sequence[BaseMessage]) -> dict[str, Paper]:
    """The papers a conversation has retrieved, by handle."""
    found: dict[str, Paper] = {}
    for artifact in artifacts_of(messages):
        for entry in (*artifact.papers, *artifact.nearest):
            paper = found.get(entry.handle) or library.get(entry.id)
            if paper:
                found[paper.handle] = paper
    return found


def _with_keys(sentence: Sentence) -> str:
    text = f"“{sentence.text}”" if sentence.quoted else sentence.text
    keys = "; ".join(dict.fromkeys(citation.handle for citation in sentence.citations))
    return f"{text} [{keys}]" if keys else text


def _cites(checked: Grounded) -> bool:
    return any(sentence.citations and not sentence.problem for sentence in checked.sentences)


def _repeats(message: AIMessage, here: Sequence[BaseMessage]) -> bool:
    """True where every call was made with the same arguments in this turn already."""
    before = {
        _key(call["name"], call["args"])
        for m in here
        if isinstance(m, AIMessage)
        for call in m.tool_calls
    }
    return all(_key(call["name"], call["args"]) in before for call in message.tool_calls)


def _key(name: str, args: dict[str, Any]) -> str:
    return f"{name} {json.dumps(args, sort_keys=True, default=str)}"


def _unreadable(message: AIMessage) -> list[BaseMessage]:
    return [
        HumanMessage(
            prompt(
                "tool_failed",
                tool=call.get("name") or "unknown",
                reason="its arguments were no valid JSON.",
            )
        )
        for call in message.invalid_tool_calls[:1]
    ]
