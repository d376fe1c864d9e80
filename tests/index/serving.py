"""A real HTTP server on loopback that answers as a test says, also wrongly."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Reply:
    """One answer."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    promised: int = 0
    """Bytes announced beyond those that are sent before the line goes dead."""
    hang: bool = False
    """The request is taken and never answered."""


Answering = Callable[[str], Reply]
"""Gives the answer to a path with its query."""


class Server:
    """What is served, and what was asked for."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.routes: dict[str, Answering] = {}
        """By the beginning of the path; the longest that fits answers."""
        self.asked: list[str] = []
        self.agents: set[str] = set()
        self.released = threading.Event()

    def reply(self, path: str) -> Reply:
        """The answer to a path; 404 where nothing fits."""
        fits = [start for start in self.routes if path.startswith(start)]
        return self.routes[max(fits, key=len)](path) if fits else Reply(b"no such page", 404)


@contextmanager
def serving() -> Iterator[Server]:
    """A server for as long as a test needs it."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            server.asked.append(self.path)
            server.agents.add(self.headers.get("User-Agent", ""))
            reply = server.reply(self.path)
            if reply.hang:
                server.released.wait(60)
                self.close_connection = True
                return
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.body) + reply.promised))
            self.end_headers()
            try:
                self.wfile.write(reply.body)
            except OSError:
                # Whoever asked has had enough.
                self.close_connection = True
            if reply.promised:
                self.close_connection = True

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.do_GET()

        def log_message(self, *_: object) -> None:
            """Tests look at what was asked, not at stderr."""

    made = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.daemon_threads = True
    server = Server(f"http://127.0.0.1:{made.server_address[1]}")
    thread = threading.Thread(target=made.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.released.set()
        made.shutdown()
        made.server_close()
        thread.join()


class FakeClock:
    """A clock that only sleeping moves; nobody waits."""

    def __init__(self, now: datetime = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)) -> None:
        self.time = now
        self.slept: list[float] = []
        self._began = now
        self._lock = threading.Lock()

    def now(self) -> datetime:
        """The time in UTC."""
        return self.time

    def monotonic(self) -> float:
        """Seconds since it was made."""
        return (self.time - self._began).total_seconds()

    def sleep(self, seconds: float) -> None:
        """Move on at once."""
        with self._lock:
            self.slept.append(seconds)
            self.time += timedelta(seconds=max(seconds, 0.0))
