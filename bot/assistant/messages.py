"""Messages of the agent: the ones that may be shown, calls, and whose they are."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage

GUARDED = "footnote"
"""Key in `response_metadata` of a message that may be shown."""


def shown(text: str) -> AIMessage:
    """A message that may be shown."""
    return AIMessage(content=text, response_metadata={GUARDED: True})


def called(name: str, args: dict[str, Any]) -> AIMessage:
    """A message that calls one tool."""
    call = {"name": name, "args": args, "id": f"call_{uuid4().hex[:12]}"}
    return AIMessage(content="", tool_calls=[call])


def written_by(message: AIMessage) -> str:
    """The name of the model that wrote a message, or an empty string."""
    return str(
        message.response_metadata.get("model_name") or message.response_metadata.get("model") or ""
    )


def model_name(model: BaseChatModel) -> str:
    """What a chat model calls itself."""
    for field in ("model_name", "model"):
        if name := getattr(model, field, ""):
            return str(name)
    return model._llm_type
