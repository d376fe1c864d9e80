"""What goes out: named, paced, timed, capped, and never to a private address."""

from __future__ import annotations

import gzip
import threading
from itertools import pairwise

import pytest

from index.sources.source import BadAnswer, SourceFailure
from index.sources.web import Gate, Web, gate_for
from tests.index.sources.server import FakeClock, Reply, Script


def test_a_service_learns_who_asks_and_whom_to_write_to(web: Web, served: Script) -> None:
    served.on("/", "hello")
    assert web.get(f"{served.url}/", params={"q": "eels & sea"}).text == "hello"
    asked = served.asked[0]
    assert asked.query == {"q": "eels & sea"}
    assert asked.headers["user-agent"].startswith("Footnote/")
    assert asked.headers["user-agent"].endswith("(mailto:someone@example.org)")


def test_a_contact_with_a_line_break_adds_no_header(clock: FakeClock, served: Script) -> None:
    served.on("/", "hello")
    with Web("a@example.org\r\nX-Evil: 1", clock) as web:
        web.get(f"{served.url}/")
    assert "x-evil" not in served.asked[0].headers


def test_limits_are_waited_for_as_long_as_the_service_says(
    web: Web, served: Script, clock: FakeClock
) -> None:
    served.on("/", Reply(status=429, headers={"Retry-After": "4"}), Reply(status=503), "at last")
    assert web.get(f"{served.url}/").text == "at last"
    assert len(served.asked) == 3
    assert clock.slept[0] >= 4


def test_a_retry_after_may_be_a_date_and_is_capped(
    web: Web, served: Script, clock: FakeClock
) -> None:
    date = "Wed, 04 Mar 2026 15:01:30 GMT"
    served.on(
        "/",
        Reply(status=503, headers={"Retry-After": date}),
        Reply(status=503, headers={"Retry-After": "86400"}),
        "at last",
    )
    web.get(f"{served.url}/")
    assert clock.slept == [90, 600]


def test_a_service_that_keeps_limiting_is_named_with_the_minutes_to_wait(
    web: Web, served: Script, clock: FakeClock
) -> None:
    served.on("/", Reply(status=429, headers={"Retry-After": "200"}))
    with pytest.raises(SourceFailure) as caught:
        web.get(f"{served.url}/?key=secret", gate=gate_for("arxiv", 3, clock))
    assert str(caught.value) == "arXiv is limiting us (429); try again in 4 minutes"
    assert (caught.value.kind, caught.value.retry_after) == ("limited", 200)
    assert len(served.asked) == 5


@pytest.mark.parametrize(
    ("status", "kind", "tries"),
    [(404, "refused", 1), (403, "refused", 1), (500, "unreachable", 5), (502, "unreachable", 5)],
)
def test_what_may_pass_is_tried_again_and_what_will_not_is_not(
    web: Web, served: Script, status: int, kind: str, tries: int
) -> None:
    served.on("/", Reply(status=status))
    with pytest.raises(SourceFailure) as caught:
        web.get(f"{served.url}/?key=secret")
    assert (caught.value.kind, len(served.asked)) == (kind, tries)
    assert "secret" not in str(caught.value)


def test_nobody_there_is_said_in_one_line(web: Web, clock: FakeClock) -> None:
    with pytest.raises(SourceFailure, match="cannot be reached") as caught:
        web.get("http://127.0.0.1:9/")
    assert caught.value.kind == "unreachable"
    assert len(clock.slept) == 4


def test_a_service_that_hangs_is_a_time_out(clock: FakeClock, served: Script) -> None:
    served.on("/", Reply("late", delay=0.3))
    with Web("", clock, timeout=0.02) as web, pytest.raises(SourceFailure) as caught:
        web.get(f"{served.url}/")
    assert caught.value.kind == "timeout"


def test_more_than_the_limit_is_not_read_packed_or_not(clock: FakeClock, served: Script) -> None:
    served.on("/plain", b"x" * 2000)
    bomb = gzip.compress(b"x" * 3_000_000)
    served.on("/packed", Reply(bomb, headers={"Content-Encoding": "gzip"}))
    with Web("", clock, limit=1000) as web:
        for path in ("/plain", "/packed"):
            with pytest.raises(SourceFailure) as caught:
                web.get(served.url + path)
            assert caught.value.kind == "too-large"
    assert len(bomb) > 1000


def test_a_web_page_where_json_should_be_is_a_bad_answer(web: Web, served: Script) -> None:
    served.on("/", "<html>Sign in to the hotel</html>")
    with pytest.raises(BadAnswer, match="a web page"):
        web.get(f"{served.url}/").json()


def test_redirects_on_the_same_server_are_followed_five_times_at_most(
    web: Web, served: Script
) -> None:
    served.on("/a", Reply(status=302, headers={"Location": "/b"}))
    served.on("/b", "here")
    served.on("/round", Reply(status=302, headers={"Location": "/round"}))
    assert web.get(f"{served.url}/a").text == "here"
    with pytest.raises(SourceFailure, match="circles"):
        web.get(f"{served.url}/round")


@pytest.mark.parametrize(
    "place",
    [
        "http://127.0.0.1:1/",
        "http://169.254.169.254/latest/meta-data",
        "http://[::1]:1/",
        "http://[::ffff:10.0.0.1]/",
        "http://0.0.0.0/",
        "http://10.1.2.3/",
        "file:///etc/passwd",
        "ftp://example.org/",
    ],
)
def test_a_redirect_to_a_private_place_or_another_scheme_is_refused(
    web: Web, served: Script, place: str
) -> None:
    served.on("/", Reply(status=302, headers={"Location": place}))
    with pytest.raises(SourceFailure) as caught:
        web.get(f"{served.url}/")
    assert caught.value.kind == "refused"
    assert len(served.asked) == 1


def test_a_link_out_of_data_may_not_be_private(web: Web, served: Script) -> None:
    served.on("/", "inside")
    with pytest.raises(SourceFailure, match="private"):
        web.get(f"{served.url}/", trusted=False)
    assert served.asked == []


def test_a_gate_keeps_requests_of_several_threads_apart(
    web: Web, served: Script, clock: FakeClock
) -> None:
    served.on("/", "hello")
    gates = [gate_for("arxiv", 3.0, clock) for _ in range(4)]
    threads = [
        threading.Thread(target=web.get, args=(f"{served.url}/",), kwargs={"gate": gate})
        for gate in gates
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    times = sorted(asked.at for asked in served.asked)
    assert [after - before for before, after in pairwise(times)] == [3, 3, 3]


def test_a_gate_is_open_again_after_a_clock_that_stopped_the_wait() -> None:
    class Stopping(FakeClock):
        def sleep(self, seconds: float) -> None:
            raise KeyboardInterrupt(seconds)

    clock = Stopping()
    gate = Gate(3.0, clock)
    with gate:
        pass
    with pytest.raises(KeyboardInterrupt), gate:
        pass
    clock.passed = 10
    with gate:
        pass
