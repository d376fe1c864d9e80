"""Updates waiting to be fetched, by the rules of the real server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from lo_bot_api_emulator import updates

TERMINATED = (
    "Conflict: terminated by other getUpdates request; "
    "make sure that only one bot instance is running"
)

# The package delivers three kinds of update; the Bot API has more, and its queue holds any.
updates.KINDS.update(updates.ALLOWED_UPDATE_TYPES)


class Queues(updates.UpdateQueues):  # type: ignore[misc]
    """A second poller terminates the first one and is served itself."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._generation: dict[str, int] = {}

    async def poll(
        self, token: str, fields: dict[str, Any], *, disconnected: Callable[[], bool]
    ) -> Any:
        """Wait for updates past `offset`, at most `timeout` seconds."""
        mine = self._generation[token] = self._generation.get(token, 0) + 1

        def gone() -> bool:
            if self._generation[token] != mine:
                raise updates.UpdateError(TERMINATED, 409)
            return disconnected()

        state = self._state(token)
        # The first poller looks up ten times a second, and has nothing to wait on.
        while state.polling:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        clamped = dict(fields)
        for name, low, high in (("limit", 1, 100), ("timeout", 0, 50)):
            if name in clamped:
                clamped[name] = str(max(low, min(high, int(clamped[name]))))
        return await super().poll(token, clamped, disconnected=gone)

    def waiting(self, token: str) -> int:
        """Updates not yet confirmed by a later offset."""
        return len(self._state(token).updates)
