"""Values of JSON that other people wrote: what is not of the kind that was hoped for says nothing."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any


def text(value: object) -> str:
    """A text without blanks around it."""
    return value.strip() if isinstance(value, str) else ""


def items(value: object) -> list[Any]:
    """A list."""
    return value if isinstance(value, list) else []


def fields(value: object) -> Mapping[str, Any]:
    """An object."""
    return value if isinstance(value, dict) else {}


def count(value: object) -> int:
    """A number from 1 on, or 0."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def day(value: object) -> date | None:
    """An ISO date, or None."""
    try:
        return date.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
