"""Announced: how far each source was read, and how its lists announced each paper."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from index.papers import Papers


@dataclass(frozen=True, slots=True)
class Announcement:
    """One line of a list."""

    source: str
    batch: str
    """The day of the list, as the source writes it."""
    kind: str
    """`new`, `cross` or `replaced`."""


class Announced:
    """What a library knows of its sources."""

    def __init__(self, papers: Papers) -> None:
        self._papers = papers

    def state(self, name: str) -> dict[str, Any]:
        """What was saved for a source; empty where nothing was."""
        return self.states().get(name, {})

    def states(self) -> dict[str, dict[str, Any]]:
        """What was saved for every source, by its name."""
        rows = self._papers.connection.execute("SELECT name, state FROM sources ORDER BY name")
        return {str(name): dict(json.loads(state)) for name, state in rows}

    def save_state(self, name: str, state: Mapping[str, Any]) -> None:
        """Keep how far a source was read."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._papers.transaction() as connection:
            connection.execute(
                "INSERT INTO sources VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE"
                " SET state = excluded.state, saved = excluded.saved",
                (name, json.dumps(dict(state), ensure_ascii=False), now),
            )

    def announce(self, source: str, batch: str, kinds: Mapping[str, str]) -> None:
        """Keep how a list announced papers, by their ids; said twice it is kept once."""
        with self._papers.transaction() as connection:
            connection.executemany(
                "INSERT INTO announcements VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                [(source, batch, paper_id, str(kind)) for paper_id, kind in kinds.items()],
            )

    def of(self, paper_ids: Iterable[str]) -> dict[str, list[Announcement]]:
        """Id -> how it was announced, oldest batch first; papers of no list are no key."""
        found: dict[str, list[Announcement]] = {}
        rows = self._papers.connection.execute(
            "SELECT id, source, batch, kind FROM announcements"
            " WHERE id IN (SELECT value FROM json_each(?)) ORDER BY batch, source",
            (json.dumps(list(paper_ids)),),
        )
        for paper_id, source, batch, kind in rows:
            found.setdefault(str(paper_id), []).append(Announcement(source, batch, kind))
        return found

    def batches(self, source: str) -> list[tuple[str, dict[str, int]]]:
        """(batch, how many of each kind) of a source, oldest first."""
        found: dict[str, dict[str, int]] = {}
        rows = self._papers.connection.execute(
            "SELECT batch, kind, count(*) FROM announcements WHERE source = ?"
            " GROUP BY batch, kind ORDER BY batch",
            (source,),
        )
        for batch, kind, count in rows:
            found.setdefault(str(batch), {"new": 0, "cross": 0, "replaced": 0})[str(kind)] = int(
                count
            )
        return list(found.items())
