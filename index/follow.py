"""Follow: one sync of everything that `SOURCES` names, for whoever has no library open to write."""

from __future__ import annotations

import threading
from collections.abc import Callable

from index.library import Library
from index.settings import IndexSettings
from index.sources.catalogue import followed, web_of
from index.sync import Outcome, Sync, WaitingClock


def follow(
    settings: IndexSettings, stop: threading.Event, watch: Callable[[Outcome], None]
) -> list[Outcome]:
    """Bring the library up to date in the calling thread; ends soon after `stop` is set.

    Raises:
        SyncBusy: another sync of the library is running.
        Interrupted: `stop` was set before all was read.
    """
    clock = WaitingClock(stop)
    with (
        Library.open(settings.library_dir, settings.embeddings, create=True) as library,
        web_of(settings, clock) as web,
    ):
        sync = Sync(library, followed(settings), web, clock=clock, stop=stop, watch=watch)
        return sync.run()
