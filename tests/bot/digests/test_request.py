"""What people write after /digest is understood, or answered with what to write."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.digests.request import RequestError, Show, Stop, Wish, parse, without_cross


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("08:00 diffusion policies", Wish("diffusion policies", (8, 0))),
        ("8:30 pm graph transformers", Wish("graph transformers", (20, 30))),
        ("8pm graph transformers", Wish("graph transformers", (20, 0))),
        ("8 p.m. graph transformers", Wish("graph transformers", (20, 0))),
        ("12 am alignment", Wish("alignment", (0, 0))),
        ("12 pm alignment", Wish("alignment", (12, 0))),
        ("8 LLM alignment", Wish("LLM alignment", (8, 0))),
        ("8.30 LLM alignment", Wish("LLM alignment", (8, 30))),
        ("8h30 LLM alignment", Wish("LLM alignment", (8, 30))),
        ("every day at 8 LLM alignment", Wish("LLM alignment", (8, 0))),
        ("  08:00\n diffusion   policies ", Wish("diffusion policies", (8, 0))),
        ("08:00, about diffusion policies", Wish("diffusion policies", (8, 0))),
        ('08:00 "diffusion policies"', Wish("diffusion policies", (8, 0))),
        ("08：00 扩散模型", Wish("扩散模型", (8, 0))),
        ("diffusion policies at 08:00", Wish("diffusion policies", (8, 0))),
        ("diffusion policies daily at 8 pm", Wish("diffusion policies", (20, 0))),
        ("2 player games at 08:00", Wish("2 player games", (8, 0))),
        ("3D Gaussian splatting at 7", Wish("3D Gaussian splatting", (7, 0))),
        ("1.58-bit LLMs at 7", Wish("1.58-bit LLMs", (7, 0))),
        ("08:00 8-bit optimisers", Wish("8-bit optimisers", (8, 0))),
        ("08:00 attention at scale", Wish("attention at scale", (8, 0))),
        ("08:00 Europe/Berlin diffusion", Wish("diffusion", (8, 0), "Europe/Berlin")),
        ("08:00 europe/berlin diffusion", Wish("diffusion", (8, 0), "Europe/Berlin")),
        ("08:00 (Asia/Tokyo) diffusion", Wish("diffusion", (8, 0), "Asia/Tokyo")),
        ("Europe/Berlin 08:00 diffusion", Wish("diffusion", (8, 0), "Europe/Berlin")),
        ("diffusion at 08:00 Europe/Berlin", Wish("diffusion", (8, 0), "Europe/Berlin")),
        ("08:00 utc diffusion", Wish("diffusion", (8, 0), "UTC")),
        ("08:00 LLM/agent systems", Wish("LLM/agent systems", (8, 0))),
        ("08:00", Wish("", (8, 0))),
        ("08:00 Asia/Tokyo", Wish("", (8, 0), "Asia/Tokyo")),
        ("Asia/Tokyo", Wish("", None, "Asia/Tokyo")),
        ("diffusion policies", Wish("diffusion policies")),
    ],
)
def test_a_wish_is_read_however_it_is_written(text: str, wish: Wish) -> None:
    assert parse(text) == wish


@pytest.mark.parametrize("text", ["", "   ", "\n", "\u200b"])
def test_nothing_asks_to_be_shown_what_is_set(text: str) -> None:
    assert parse(text) == Show()


@pytest.mark.parametrize("text", ["off", "Stop", "cancel"])
def test_off_ends_it(text: str) -> None:
    assert parse(text) == Stop()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("25:00 diffusion", "“25:00” is no time of day"),
        ("24:00 diffusion", "“24:00” is no time of day"),
        ("8:75 diffusion", "“8:75” is no time of day"),
        ("8:5 diffusion", "“8:5” is no time of day"),
        ("13 pm diffusion", "“13 pm” is no time of day"),
        ("08:00:30 diffusion", "“08:00:30” is no time of day"),
        ("08:00 Europe/Berln diffusion", "write one as in Europe/Berlin"),
        ("08:00 Asia/Nowhere-at-all diffusion", "“Asia/Nowhere-at-all” is no time zone"),
        ("08:00 CEST diffusion", "only half of a year; write a place, as in Europe/Berlin"),
        ("08:00 UTC+2 diffusion", "knows no summer time; write a place"),
        ("08:00 12345", "“12345” names no topic"),
        ("08:00 " + "word " * 60, "at most 200 characters and this has 299"),
    ],
)
def test_what_cannot_be_understood_is_answered_in_one_line(text: str, says: str) -> None:
    with pytest.raises(RequestError) as caught:
        parse(text)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60) | st.from_regex(r"[0-9:. apmAt/UTC+-]{0,20}", fullmatch=True))
def test_no_text_whatever_breaks_the_reader(text: str) -> None:
    try:
        read = parse(text)
    except RequestError as error:
        assert "\n" not in str(error)  # noqa: PT017 - either outcome is right
    else:
        if isinstance(read, Wish) and read.time:
            hour, minute = read.time
            assert 0 <= hour < 24
            assert 0 <= minute < 60


@pytest.mark.parametrize(
    "written",
    ["eels +cross", "eels + cross-lists", "eels with cross-lists", "eels and cross listings"],
)
def test_cross_lists_are_asked_for_behind_the_topic(written: str) -> None:
    assert parse(f"08:00 {written}") == Wish("eels +cross", (8, 0))
    assert without_cross("eels +cross") == ("eels", True)


@pytest.mark.parametrize("topic", ["self and cross attention", "red and cross", "crossing eels"])
def test_a_topic_that_speaks_of_crosses_asks_for_no_lists(topic: str) -> None:
    assert parse(f"08:00 {topic}") == Wish(topic, (8, 0))
    assert without_cross(topic) == (topic, False)
