"""A clock that is moved by hand."""

from __future__ import annotations

from datetime import datetime, timedelta


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def forward(self, by: timedelta) -> None:
        self.now += by
