"""Web: how everything goes out: named, paced, timed, capped, and never to private addresses."""

from __future__ import annotations

import contextlib
import ipaddress
import json as json_module
import logging
import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from importlib.metadata import PackageNotFoundError, version
from types import TracebackType
from typing import Any

import httpx
import tenacity

from index.sources.gate import SYSTEM_CLOCK, Clock, Gate, gate_for
from index.sources.source import BadAnswer, SourceFailure

__all__ = [
    "SYSTEM_CLOCK", "Answer", "BadAnswer", "Clock", "Gate", "SourceFailure", "Web", "gate_for",
]  # fmt: skip

TRIES = 5
REDIRECTS = 5
LONGEST_WAIT = 600.0
"""Seconds; a longer Retry-After is waited for only so long before the next try."""
WHOLE = 10
"""An answer may take so many times the time-out of one read."""
_AGAIN = frozenset({429, 500, 502, 503, 504})
_REDIRECT = frozenset({301, 302, 303, 307, 308})
_ENCODINGS = {"", "identity", "gzip", "deflate"}
_HOSTS = {
    "arxiv.org": "arXiv",
    "openreview.net": "OpenReview",
    "semanticscholar.org": "Semantic Scholar",
    "openalex.org": "OpenAlex",
    "zotero.org": "Zotero",
}

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    """By lower-case name."""
    body: bytes
    url: str

    @property
    def text(self) -> str:
        """The body as text; bytes that are none are marked."""
        charset = re.search(r"charset=\"?([\w-]+)", self.headers.get("content-type", ""))
        with contextlib.suppress(LookupError, ValueError):
            return self.body.decode(charset[1] if charset else "utf-8", "replace")
        return self.body.decode("utf-8", "replace")

    def json(self) -> Any:
        """The body as JSON.

        Raises BadAnswer: it is none, for example the page of a portal or of an error.
        """
        try:
            return json_module.loads(self.body)
        except (ValueError, RecursionError):
            page = self.body.lstrip()[:1] == b"<"
            what = "a web page" if page else "something that is no JSON"
            raise BadAnswer(
                f"{_label(self.url)} answered with {what}; try again later", kind="bad-answer"
            ) from None


class _Again(Exception):
    """A fault that may pass."""

    def __init__(self, failure: SourceFailure) -> None:
        super().__init__(str(failure))
        self.failure = failure


class Web:
    """HTTP for all sources.

    Args:
        contact: an address to be reached by, for the User-Agent.
        clock: time and sleep.
        limit: bytes of a body at most, also after decompression.
        timeout: seconds for connecting and for each read; an answer as a whole has ten times that.
    """

    def __init__(
        self,
        contact: str = "",
        clock: Clock = SYSTEM_CLOCK,
        *,
        limit: int = 50_000_000,
        timeout: float = 30.0,
    ) -> None:
        self.clock = clock
        self.limit = limit
        self.timeout = timeout
        self._client = httpx.Client(
            headers={"User-Agent": user_agent(contact), "Accept-Encoding": "gzip, deflate"},
            timeout=httpx.Timeout(timeout),
            follow_redirects=False,
        )

    def __enter__(self) -> Web:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def get(
        self,
        url: str,
        *,
        params: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        gate: Gate | None = None,
        accept_status: frozenset[int] = frozenset(),
        trusted: bool = True,
    ) -> Answer:
        """Fetch.

        Args:
            accept_status: statuses from 400 on that are an answer like any other.
            trusted: False for an address out of data or of somebody's message: it must be public.

        Raises SourceFailure.
        """
        return self._tried("GET", url, gate, accept_status, trusted, params=params, headers=headers)

    def post(
        self,
        url: str,
        *,
        json: Any,
        params: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        gate: Gate | None = None,
        accept_status: frozenset[int] = frozenset(),
    ) -> Answer:
        """Ask with a JSON body; for questions only, since it is tried again like `get`.

        Raises SourceFailure.
        """
        return self._tried(
            "POST", url, gate, accept_status, True, params=params, headers=headers, json=json
        )

    def _tried(
        self,
        method: str,
        url: str,
        gate: Gate | None,
        accept: frozenset[int],
        trusted: bool,
        **asked: Any,
    ) -> Answer:
        backoff = tenacity.wait_exponential_jitter(multiplier=2, max=60, jitter=2)

        def wait(state: tenacity.RetryCallState) -> float:
            fault = state.outcome.exception() if state.outcome else None
            after = fault.failure.retry_after if isinstance(fault, _Again) else None
            seconds = backoff(state) if after is None else max(after, backoff(state) / 4)
            seconds = min(seconds, LONGEST_WAIT)
            if gate and isinstance(fault, _Again) and fault.failure.kind == "limited":
                gate.hold(seconds)
            return seconds

        retrying = tenacity.Retrying(
            stop=tenacity.stop_after_attempt(TRIES),
            wait=wait,
            retry=tenacity.retry_if_exception_type(_Again),
            sleep=self.clock.sleep,
            reraise=True,
        )
        label = gate.label if gate and gate.label else _label(url)
        try:
            return retrying(self._once, method, url, label, gate, accept, trusted, asked)
        except _Again as fault:
            raise fault.failure from fault.__cause__

    def _once(
        self,
        method: str,
        url: str,
        label: str,
        gate: Gate | None,
        accept: frozenset[int],
        trusted: bool,
        asked: dict[str, Any],
    ) -> Answer:
        try:
            target = httpx.URL(url)
            if asked.get("params"):
                target = target.copy_merge_params(asked["params"])
            with gate or contextlib.nullcontext():
                answer = self._followed(method, target, label, trusted, asked)
        except httpx.TimeoutException as error:
            raise _Again(
                SourceFailure(f"{label} does not answer in time; try again later", kind="timeout")
            ) from error
        except httpx.DecodingError as error:
            raise _Again(
                BadAnswer(f"{label} sent an answer that cannot be unpacked; try again later")
            ) from error
        except httpx.TransportError as error:
            raise _Again(
                SourceFailure(
                    f"{label} cannot be reached; check the network and try again later",
                    kind="unreachable",
                )
            ) from error
        except (httpx.InvalidURL, UnicodeError, ValueError) as error:
            raise SourceFailure(
                f"{label}: the address cannot be used; check the setting that holds it",
                kind="refused",
            ) from error
        return self._judged(answer, label, accept)

    def _judged(self, answer: Answer, label: str, accept: frozenset[int]) -> Answer:
        if answer.status < 400 or answer.status in accept:
            return answer
        if answer.status in _AGAIN:
            after = _retry_after(answer.headers.get("retry-after", ""), self.clock.now())
            if answer.status in {429, 503}:
                when = _minutes(after if after is not None else 300)
                what = f"{label} is limiting us ({answer.status}); try again in {when}"
                raise _Again(SourceFailure(what, kind="limited", retry_after=after))
            what = f"{label} has a fault of its own ({answer.status}); try again later"
            raise _Again(SourceFailure(what, kind="unreachable", retry_after=after))
        hint = {
            401: "check its key",
            403: "check its key and whether it may be read",
            404: "check the name that was asked for",
        }.get(answer.status, "check what was asked for")
        raise SourceFailure(f"{label} refused ({answer.status}); {hint}", kind="refused")

    def _followed(
        self, method: str, url: httpx.URL, label: str, trusted: bool, asked: dict[str, Any]
    ) -> Answer:
        own = (url.host, _port(url)) if trusted else None
        headers = dict(asked.get("headers") or {})
        deadline = self.clock.monotonic() + WHOLE * self.timeout
        for _ in range(REDIRECTS + 1):
            if url.scheme not in {"http", "https"} or not url.host:
                raise SourceFailure(
                    f"{label} leads to an address that is neither http nor https; it was not read",
                    kind="refused",
                )
            if (url.host, _port(url)) == own:
                request = self._client.build_request(
                    method, url, headers=headers, json=asked.get("json")
                )
            else:
                # Keys go to nobody but whom they were meant for.
                request = self._pinned(method, url, label, asked)
            answer = self._read(request, str(url), label, deadline)
            place = answer.headers.get("location", "")
            if answer.status not in _REDIRECT or not place:
                return answer
            url = url.join(place)
            if answer.status in {301, 302, 303} and method == "POST":
                raise BadAnswer(
                    f"{label} moved ({answer.status}); check the setting of its address"
                )
        raise BadAnswer(f"{label} sends us round in circles (more than {REDIRECTS} redirects)")

    def _pinned(
        self, method: str, url: httpx.URL, label: str, asked: dict[str, Any]
    ) -> httpx.Request:
        """A request to the very address that was found to be public, whatever the name says next."""
        address = _public_address(url, label)
        return self._client.build_request(
            method,
            url.copy_with(host=address),
            headers={"Host": url.netloc.decode("ascii")},
            json=asked.get("json"),
            extensions={
                "sni_hostname": url.raw_host.decode("ascii"),
                "timeout": httpx.Timeout(self.timeout).as_dict(),
            },
        )

    def _read(self, request: httpx.Request, url: str, label: str, deadline: float) -> Answer:
        response = self._client.send(request, stream=True)
        try:
            encoding = response.headers.get("content-encoding", "").strip().casefold()
            if encoding not in _ENCODINGS:
                raise BadAnswer(f"{label} packed its answer in a way that was not asked for")
            announced = response.headers.get("content-length", "")
            if announced.isdigit() and int(announced) > self.limit:
                raise self._too_large(label)
            body = bytearray()
            for part in response.iter_bytes():
                body += part
                if len(body) > self.limit:
                    raise self._too_large(label)
                if self.clock.monotonic() > deadline:
                    raise httpx.ReadTimeout("the whole answer took too long", request=request)
        finally:
            response.close()
        headers = {name.casefold(): value for name, value in response.headers.items()}
        return Answer(response.status_code, headers, bytes(body), url)

    def _too_large(self, label: str) -> SourceFailure:
        return SourceFailure(
            f"{label} sent more than {self.limit / 1e6:,.0f} MB at once; ask for less",
            kind="too-large",
        )


def user_agent(contact: str = "") -> str:
    """Who we are, and whom to write to."""
    try:
        number = version("footnote")
    except PackageNotFoundError:
        number = "0"
    # A header takes neither line breaks nor letters beyond ASCII.
    address = "".join(
        c for c in contact.strip() if c.isascii() and c.isprintable() and c not in "()"
    )
    if not address:
        log.info("CONTACT is empty: set it to an e-mail address, which services ask for")
        return f"Footnote/{number}"
    return f"Footnote/{number} (mailto:{address.removeprefix('mailto:')})"


def _label(url: str) -> str:
    """The service's name for a person: no more of an address than its host, which holds no key."""
    try:
        parts = httpx.URL(url)
    except (httpx.InvalidURL, ValueError):
        return "the source"
    known = (name for host, name in _HOSTS.items() if f".{parts.host}".endswith(f".{host}"))
    return next(known, "") or parts.host or "the source"


def _port(url: httpx.URL) -> int:
    return url.port or (443 if url.scheme == "https" else 80)


def _public_address(url: httpx.URL, label: str) -> str:
    """An address of the host, all of whose addresses are public."""
    try:
        found = socket.getaddrinfo(url.host, _port(url), type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise httpx.ConnectError(f"{url.host} is not known") from error
    addresses = [ipaddress.ip_address(str(entry[4][0]).partition("%")[0]) for entry in found]
    if not addresses or not all(_public(address) for address in addresses):
        raise SourceFailure(
            f"{label} leads to a private address ({url.host}); it was not read", kind="refused"
        )
    return str(addresses[0])


def _public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    inner = getattr(address, "ipv4_mapped", None) or getattr(address, "sixtofour", None)
    return address.is_global and not address.is_multicast and (inner is None or _public(inner))


def _retry_after(text: str, now: datetime) -> float | None:
    """Seconds a Retry-After asks for (RFC 9110, 10.2.3); None where it says nothing usable."""
    text = text.strip()
    if re.fullmatch(r"\d{1,9}(?:\.\d+)?", text):
        return float(text)
    with contextlib.suppress(TypeError, ValueError, OverflowError):
        when = parsedate_to_datetime(text)
        return max(0.0, ((when if when.tzinfo else when.replace(tzinfo=UTC)) - now).total_seconds())
    return None


def _minutes(seconds: float) -> str:
    minutes = max(1, -(-int(seconds) // 60))
    return f"{minutes} minute{'s' if minutes > 1 else ''}"
