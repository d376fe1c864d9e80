"""A chat model that says what it is told to: a queue of replies, honest about what it was asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from pydantic import PrivateAttr

Reply = str | AIMessage | Exception


class ProviderDown(Exception):
    """What a provider's package raises."""


class Scripted(BaseChatModel):
    """Gives its replies in order, the last one for ever; an exception is raised."""

    model_name: str = "scripted"
    _replies: list[Reply] = PrivateAttr()
    _seen: list[list[BaseMessage]] = PrivateAttr(default_factory=list)
    _demanded: list[bool] = PrivateAttr(default_factory=list)
    _demands: bool = PrivateAttr(default=False)

    def __init__(self, *replies: Reply) -> None:
        super().__init__()
        self._replies = list(replies)

    @property
    def seen(self) -> list[list[BaseMessage]]:
        """The messages of each call."""
        return self._seen

    @property
    def demanded(self) -> list[bool]:
        """For each call, whether a tool call was demanded."""
        return self._demanded

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        **kwargs: Any,
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Itself; whether a call is demanded is noted."""
        del tools
        self._demands = bool(kwargs.get("tool_choice"))
        return self

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        del stop, run_manager, kwargs
        self._seen.append(list(messages))
        self._demanded.append(self._demands)
        self._demands = False
        reply = self._reply(messages)
        if isinstance(reply, Exception):
            raise reply
        message = AIMessage(reply) if isinstance(reply, str) else reply.model_copy(deep=True)
        message.id = None
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _reply(self, messages: list[BaseMessage]) -> Reply:
        """What it says to these messages; a model with a mind of its own says it here."""
        del messages
        return self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]


_calls = iter(range(10**9))


def calls(name: str, **args: Any) -> AIMessage:
    """A reply that calls a tool."""
    call = {"name": name, "args": args, "id": f"scripted_{next(_calls)}"}
    return AIMessage(content="", tool_calls=[call])
