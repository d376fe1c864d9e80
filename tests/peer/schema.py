"""Requests and results held against aiogram's schema of the Bot API."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import aiogram.methods
from aiogram.types import Update
from pydantic import TypeAdapter, ValidationError

Violation = dict[str, Any]


def request_violation(method: str, given: Collection[str]) -> Violation | None:
    """Parameters the method does not know, or needs and did not get."""
    schema = _method(method)
    if schema is None:
        return {"method": method, "error": "not a Bot API method"}
    unknown = sorted(set(given) - set(schema.model_fields))
    missing = sorted(
        name
        for name, field in schema.model_fields.items()
        if field.is_required() and name not in given
    )
    if unknown or missing:
        return {"method": method, "unknown": unknown, "missing": missing}
    return None


def result_violation(method: str, result: Any) -> Violation | None:
    """A result of the peer's own that no real server would give."""
    schema = _method(method)
    if schema is None:
        return None
    try:
        TypeAdapter(schema.__returning__).validate_python(result)
    except ValidationError as error:
        return {"result_of": method, "error": str(error)[:400]}
    return None


def update_violation(update: dict[str, Any]) -> Violation | None:
    """An update a test delivers that no real server would."""
    try:
        Update.model_validate({"update_id": 1, **update})
    except ValidationError as error:
        return {"update": sorted(update), "error": str(error)[:400]}
    return None


def _method(name: str) -> Any:
    return getattr(aiogram.methods, name[:1].upper() + name[1:], None)
