"""JSON Lines: a record a line; also one JSON array or object."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from index.paper import Paper
from index.sources.fields import AUTHORS, CATEGORIES, normal, record_of
from index.sources.records import Record, RecordError, Skipped, make_paper


def read_json(text: str, name: str) -> Iterator[Paper | Skipped]:
    """Each object, placed by its line (or its number in an array)."""
    if text.lstrip().startswith("[") or _is_one_value(text):
        yield from _read_value(text, name)
        return
    start, number = 0, 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        number += 1
        line = text[start:end].strip()
        start = end + 1
        if line:
            yield _read_one(line, f"{name}:{number}", name)


def _is_one_value(text: str) -> bool:
    """Whether it is one object: on one line, or so that its first line is no value of its own."""
    first, _, rest = text.strip().partition("\n")
    if rest and _is_json(first):
        return False
    return _is_json(text)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _read_value(text: str, name: str) -> Iterator[Paper | Skipped]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        yield Skipped(name, f"not valid JSON: {_reason(error)}")
        return
    if isinstance(value, dict):
        lists = [
            value[key]
            for key in ("data", "results", "papers", "items", "notes", "records")
            if isinstance(value.get(key), list)
        ]
        value = lists[0] if lists else [value]
    if not isinstance(value, list):
        value = [value]
    for number, item in enumerate(value, 1):
        yield _paper(item, f"{name}: record {number}", name)


def _read_one(line: str, where: str, name: str) -> Paper | Skipped:
    try:
        item = json.loads(line)
    except (ValueError, RecursionError) as error:
        return Skipped(where, f"not valid JSON: {_reason(error)}")
    return _paper(item, where, name)


def _paper(item: object, where: str, name: str) -> Paper | Skipped:
    if not isinstance(item, dict):
        return Skipped(where, "not a JSON object with fields such as title and abstract")
    try:
        return make_paper(_record(item), f"file:{name}")
    except RecordError as error:
        return Skipped(where, str(error))


def _record(item: Mapping[str, Any]) -> Record:
    if isinstance(item.get("content"), dict):  # OpenReview notes
        item = {**item, **item["content"]}
    values = {normal(str(key)): _unwrap(value) for key, value in item.items()}
    record = record_of({key: _text(value) for key, value in values.items()})
    authors, categories = _listed(values, AUTHORS), _listed(values, CATEGORIES)
    if authors:
        record = replace(record, authors=tuple(map(_name, authors)))
    if categories:
        record = replace(record, categories=tuple(map(_text, categories)))
    external = values.get("externalids")
    if isinstance(external, dict):
        ids = {str(key).casefold(): _text(value) for key, value in external.items()}
        found = (
            f"arXiv:{ids['arxiv']}" if ids.get("arxiv") else "",
            f"doi:{ids['doi']}" if ids.get("doi") else "",
        )
        record = replace(record, ids=record.ids + found)
    return record


def _listed(values: Mapping[str, object], keys: Iterable[str]) -> list[object]:
    """The first of these values that is a list with something in it."""
    return next((value for key in keys if isinstance(value := values.get(key), list) and value), [])


def _unwrap(value: object) -> object:
    return value["value"] if isinstance(value, dict) and "value" in value else value


def _name(author: object) -> str:
    if isinstance(author, dict):
        nested = author.get("author")
        inner = nested if isinstance(nested, dict) else author
        name = _text(inner.get("name") or inner.get("display_name") or inner.get("fullname") or "")
        return name or " ".join(
            filter(
                None,
                (
                    _text(inner.get("given") or inner.get("first")),
                    _text(inner.get("family") or inner.get("last")),
                ),
            )
        )
    return _text(author)


def _text(value: object) -> str:
    """A scalar as text; nulls, NaN and nested objects say nothing."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) or (isinstance(value, float) and value == value):  # noqa: PLR0124
        return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
    if isinstance(value, list):
        return " ".join(item for item in map(_text, value) if item)
    return ""


def _reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at character {error.colno}"
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)
