"""A real HTTP server on loopback that plays a script: a queue of replies for each path."""

from __future__ import annotations

import threading
import time
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit


class FakeClock:
    """A clock that only sleeping moves; nobody waits."""

    def __init__(self, now: datetime = datetime(2026, 3, 4, 15, 0, tzinfo=UTC)) -> None:
        self.start = now
        self.passed = 0.0
        self.slept: list[float] = []
        self._lock = threading.Lock()

    def now(self) -> datetime:
        """The time in UTC."""
        return self.start + timedelta(seconds=self.passed)

    def monotonic(self) -> float:
        """Seconds since it was made."""
        return self.passed

    def sleep(self, seconds: float) -> None:
        """Move on at once."""
        with self._lock:
            self.slept.append(seconds)
            self.passed += max(seconds, 0.0)


@dataclass(frozen=True)
class Reply:
    """One answer."""

    body: bytes | str = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    """Seconds of real time before it, to run a client into its time-out."""


@dataclass(frozen=True)
class Asked:
    """One request as it came in."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes
    at: float
    """The injected clock's seconds."""


class Script:
    """What is answered; the last reply of a path is repeated."""

    def __init__(self, url: str, clock: FakeClock) -> None:
        self.url = url
        self.clock = clock
        self.asked: list[Asked] = []
        self._replies: dict[str, deque[Reply]] = defaultdict(deque)

    def on(self, path: str, *replies: Reply | bytes | str) -> None:
        """Queue replies for a path, which is given without its query."""
        self._replies[path].extend(one if isinstance(one, Reply) else Reply(one) for one in replies)

    def reply(self, path: str) -> Reply:
        """The next reply for a path."""
        queue = self._replies.get(path)
        if not queue:
            return Reply("nothing here", 404)
        return queue.popleft() if len(queue) > 1 else queue[0]


@contextmanager
def scripted(clock: FakeClock) -> Iterator[Script]:
    """A server for as long as a test needs it."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Head and body are two packets; the second would wait 40 ms for word of the first.
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            query = {name: values[-1] for name, values in parse_qs(parts.query).items()}
            headers = {name.casefold(): value for name, value in self.headers.items()}
            script.asked.append(
                Asked(self.command, parts.path, query, headers, body, clock.monotonic())
            )
            reply = script.reply(parts.path)
            time.sleep(reply.delay)
            sent = reply.body.encode() if isinstance(reply.body, str) else reply.body
            try:
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(sent)))
                self.end_headers()
                self.wfile.write(sent)
            except OSError:
                # Whoever asked has had enough.
                self.close_connection = True

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *_: object) -> None:
            """Tests look at what was asked, not at stderr."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    script = Script(f"http://127.0.0.1:{server.server_address[1]}", clock)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield script
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
