"""Every word said to a model: one Markdown file a prompt, `$name` where a value goes."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from string import Template


@cache
def _text(name: str) -> str:
    return files("prompts").joinpath(f"{name}.md").read_text(encoding="utf-8").strip()


def prompt(name: str, **values: object) -> str:
    """The prompt of that name with its values filled in.

    Raises:
        KeyError: a value is missing.
    """
    return Template(_text(name)).substitute({key: str(value) for key, value in values.items()})
