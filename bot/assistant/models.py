"""Which chat model, and what answers where it does not."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from bot.settings import Settings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

EXTRACTIVE = "extractive"
TIMEOUT = 60
"""Seconds a provider may take for one reply."""
KEYS = {
    "anthropic": "ANTHROPIC_API_KEY",
    "openai": "OPENAI_API_KEY",
    "google_genai": "GOOGLE_API_KEY",
    "mistralai": "MISTRAL_API_KEY",
    "groq": "GROQ_API_KEY",
    "deepseek": "DEEPSEEK_API_KEY",
    "xai": "XAI_API_KEY",
    "together": "TOGETHER_API_KEY",
    "cohere": "COHERE_API_KEY",
    "openrouter": "OPENROUTER_API_KEY",
    "fireworks": "FIREWORKS_API_KEY",
}
"""The environment variable each provider reads its key from."""


class ModelError(Exception):
    """A chat model that cannot be used; the message says what to set or install."""


def chosen(settings: Settings) -> list[str]:
    """Names of the chat models in the order they are asked, without the extractive one."""
    fallbacks = settings.chat_model_fallbacks.replace(",", " ").split()
    names = [settings.chat_model.strip() or EXTRACTIVE, *fallbacks]
    if names[0] == EXTRACTIVE:
        return []
    return [name for name in dict.fromkeys(names) if name != EXTRACTIVE]


def load(name: str, url: str = "") -> BaseChatModel:
    """The chat model of a name like `openai:gpt-5-mini`.

    `url` is the address of a server that speaks OpenAI's protocol; such a one may need no key.

    Raises:
        ModelError: one line that says what to set or install.
    """
    provider, colon, model = name.partition(":")
    if not colon or not provider or not model:
        raise ModelError(
            f"CHAT_MODEL: {name!r} is not provider:name; write one like openai:gpt-5-mini, or extractive"
        )
    options: dict[str, Any] = {"timeout": TIMEOUT, "max_retries": 2}
    key = KEYS.get(provider, "")
    if url:
        options["base_url"] = url
        if provider == "openai":
            # Left out for other servers than its own unless asked for.
            options["stream_usage"] = True
        if key and not os.environ.get(key):
            options["api_key"] = "none"
    elif key and not os.environ.get(key):
        raise ModelError(f"CHAT_MODEL: {name} needs a key; set {key} in the environment")
    from langchain.chat_models import init_chat_model

    try:
        made = init_chat_model(model, model_provider=provider, **options)
    except ImportError:
        package = f"langchain-{provider.replace('_', '-')}"
        raise ModelError(
            f"CHAT_MODEL: {name} needs the package {package}; install it with: pip install {package}"
        ) from None
    except Exception as error:  # providers raise classes of their own
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise ModelError(f"CHAT_MODEL: {name} cannot be used: {reason}") from error
    return made  # type: ignore[no-any-return]
