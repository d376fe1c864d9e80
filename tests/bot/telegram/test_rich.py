"""What people read is cut and written so that the server accepts every piece."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.telegram.rich import Span, cut, plain, sendable, strip_html, to_html, units, whole_before
from tests.bot.telegram.hostile import long_texts, texts
from tests.peer.formatting import MAX_RAW_BYTES, accept, parse

spans = st.builds(
    Span,
    texts,
    bold=st.booleans(),
    italic=st.booleans(),
    code=st.booleans(),
    link=st.sampled_from(["", "https://x.org/?a=1&b=2", 'https://x.org/"q"']),
    quote=st.booleans(),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(spans, max_size=12))
def test_every_message_is_parsed_back_to_the_words_it_was_made_of(made: list[Span]) -> None:
    for message in cut(made):
        markup = to_html(message)
        assert parse(markup, "HTML").text == plain(message)
        assert strip_html(markup) == plain(message)


@settings(max_examples=60, deadline=None)
@given(long_texts, st.booleans())
def test_long_texts_are_cut_into_messages_the_server_takes(text: str, bold: bool) -> None:
    messages = cut([Span(text, bold=bold)])
    for message in messages:
        markup = to_html(message)
        assert units(plain(message)) <= 4096
        assert len(markup.encode()) <= MAX_RAW_BYTES
        assert len(accept(markup, "HTML", None).entities) <= 100
    kept = "".join("".join(plain(m).split()) for m in messages)
    assert kept == "".join(sendable(text).split()) or not messages


def test_a_cut_comes_between_paragraphs_where_there_is_one() -> None:
    paragraph = "One sentence of some words. " * 60
    messages = cut([Span("\n\n".join([paragraph.strip()] * 4))])
    assert [plain(m) for m in messages] == [
        "\n\n".join([paragraph.strip()] * 2),
        "\n\n".join([paragraph.strip()] * 2),
    ]


def test_a_cut_comes_between_sentences_where_there_is_no_paragraph() -> None:
    first, *_ = cut([Span("A sentence of six short words. " * 300)])
    assert plain(first).endswith("words.")


@pytest.mark.parametrize(
    "letter",
    [
        "👩‍👩‍👧‍👦",
        "👍🏽",
        "🇩🇪",
        "e\u0301",
        "ก็",
        "\u1100\u1161\u11a8",
        "\U0001f3f4\U000e0067\U000e0062\U000e007f",
    ],
)
def test_no_letter_is_torn_apart(letter: str) -> None:
    messages = cut([Span(letter * 3000)])
    assert len(messages) > 1
    for message in messages:
        assert plain(message).replace(letter, "") == ""


def test_one_letter_longer_than_a_message_is_cut_all_the_same() -> None:
    messages = cut([Span("e" + "\u0301" * 9000)])
    assert sum(len(plain(m)) for m in messages) == 9001


def test_flags_are_kept_in_pairs() -> None:
    assert [whole_before("🇩🇪🇫🇷", i) for i in range(5)] == [True, False, True, False, True]


@pytest.mark.parametrize("blank", ["", " \n ", "\u200b", "\u2800\u00ad", "\u3164"])
def test_what_nobody_sees_is_not_sent(blank: str) -> None:
    assert cut([Span(blank, bold=True)]) == []


def test_more_links_than_a_message_may_hold_go_into_the_next() -> None:
    messages = cut([Span(f"[{n}] ", link="https://x.org") for n in range(250)])
    assert [len(accept(to_html(m), "HTML", None).of("text_link")) for m in messages] == [90, 90, 70]


def test_quotations_are_one_block_that_opens_on_a_tap() -> None:
    markup = to_html([Span("a "), Span("b", quote=True), Span(" c", bold=True, quote=True)])
    assert accept(markup, "HTML", None).of("expandable_blockquote") == ["b c"]
