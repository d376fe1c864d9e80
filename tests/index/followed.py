"""A source of the tests' own: numbered pages of JSON, as services have them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from index.sources.records import Record, make_paper
from index.sources.source import Kind, Page
from index.sources.web import Web
from tests.index.serving import Reply


class Pages:
    """Asks for page after page, and for the first it has not seen the next time."""

    def __init__(self, name: str, url: str) -> None:
        self.name = name
        self.url = url

    def pages(self, web: Web, state: Mapping[str, Any]) -> Iterator[Page]:
        """Every page from the one after the last."""
        number = int(state.get("next", 0))
        while True:
            answer = web.get(f"{self.url}/{number}").json()
            number += bool(answer["papers"])
            yield Page(
                records=tuple(
                    make_paper(
                        Record(ids=(p["id"],), title=p["title"], abstract=p["abstract"]), "test"
                    )
                    for p in answer["papers"]
                ),
                state={"next": number},
                batch=answer.get("batch", ""),
                kinds={p["id"]: Kind(p.get("kind", "new")) for p in answer["papers"]},
                note=answer.get("note", ""),
                complete=answer.get("complete", True),
            )
            if not answer.get("more"):
                return


class Daily(Pages):
    """The same with a batch due on each weekday at midnight UTC."""

    def expected(self, now: datetime) -> str:
        """The latest weekday."""
        day: date = now.date()
        while day.weekday() > 4:
            day -= timedelta(days=1)
        return day.isoformat()


def paper(number: int, kind: str = "new") -> dict[str, str]:
    """A paper as the service gives it; each on something of its own."""
    return {
        "id": f"arxiv:2603.{number:05}",
        "title": f"On the Migration of Eel Number {number}",
        "abstract": f"We tag eel number {number} and follow it to the sea. It swims {number} miles.",
        "kind": kind,
    }


def page(papers: Sequence[dict[str, str]], **more: Any) -> Reply:
    """A page as the service sends it."""
    return Reply(json.dumps({"papers": list(papers), **more}).encode())


def pages(*made: Reply) -> Any:
    """Answers for the pages of a source; those after the last are empty."""

    def answer(path: str) -> Reply:
        number = int(path.rpartition("/")[2].partition("?")[0])
        return made[number] if number < len(made) else page([])

    return answer
