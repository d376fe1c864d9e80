"""A reply as plain text."""

from __future__ import annotations

from dataclasses import replace

from bot.answer import Answer, Notice, PaperCard, PaperItem, PaperList, Prose, Sentence
from bot.plain import render
from tests.bot.replies import CACHE, CARD, COMPARISON, FIRST, LIST, NEXT, PROSE, TABLES, answer


def test_sentences_carry_numbers_and_the_quotations_follow() -> None:
    assert render(answer(PROSE)) == (
        "SlimCache is faster. [1] TabMirror leaves the generator alone. [2][1]\n"
        "\n"
        "[1] “It raises throughput by 62.5%.” — SlimCache: Dropping What Attention Forgets (slimcache)\n"
        "[2] “The generator stays untouched.” — TabMirror (tabmirror)"
    )


def test_the_numbers_are_those_of_the_citations_in_json() -> None:
    reply = answer(PROSE, CARD)
    assert reply.citations == (CACHE, TABLES)
    footnotes = render(reply).splitlines()[-2:]
    assert [line[:3] for line in footnotes] == ["[1]", "[2]"], footnotes


def test_a_quotation_is_not_said_twice() -> None:
    text = render(answer(Prose((Sentence(CACHE.quote, (CACHE,), quoted=True),))))
    assert text == (
        "“It raises throughput by 62.5%.” [1]\n\n"
        "[1] SlimCache: Dropping What Attention Forgets (slimcache)"
    )


def test_a_paper_quoted_several_times_above_is_named_once() -> None:
    other = replace(CACHE, quote="It needs no retraining.", start=40)
    quoted = [Sentence(c.quote, (c,), quoted=True) for c in (CACHE, other)]
    card = PaperCard(FIRST, tuple(("results", sentence) for sentence in quoted))
    text = render(answer(card))
    assert "Results: “It raises throughput by 62.5%.” [1] “It needs no retraining.” [2]" in text
    assert text.endswith("\n[1][2] SlimCache: Dropping What Attention Forgets (slimcache)")


def test_a_list_shows_who_when_where_and_why() -> None:
    assert render(answer(LIST)) == (
        "Two papers\n"
        "1. SlimCache: Dropping What Attention Forgets (slimcache)\n"
        "   Ines Okafor, Tom Brandt, Wei Zhang et al. · 2026 · ICLR 2026\n"
        "   https://openreview.net/forum?id=abc\n"
        "   about memory of stored keys\n"
        "2. Watermarks for generated tables (tabmirror) [WITHDRAWN] [title from its own words]"
    )


def test_three_authors_are_all_named() -> None:
    item = PaperItem("arxiv:1", "x", "X", authors=("A B", "C D", "E F"))
    assert "A B, C D, E F\n" in render(answer(PaperList((item,))))
    truncated = PaperItem("arxiv:1", "x", "X", authors=("A B",), authors_truncated=True)
    assert "A B et al." in render(answer(PaperList((truncated,))))


def test_a_comparison_says_what_is_not_stated() -> None:
    text = render(answer(COMPARISON))
    assert (
        "Results\n- slimcache: “It raises throughput by 62.5%.” [1]\n- tabmirror: not stated"
        in text
    )
    assert "Limits\n- slimcache: not stated\n- tabmirror: not stated" in text


def test_a_card_shows_the_record_and_then_the_facets() -> None:
    text = render(answer(CARD))
    assert text.startswith("SlimCache: Dropping What Attention Forgets (slimcache)\nInes Okafor")
    assert "Results: “It raises throughput by 62.5%.” [1]" in text


def test_notices_and_next_steps_are_lines() -> None:
    text = render(answer(Notice("Nothing found."), NEXT))
    assert text == "Nothing found.\n\nNext: /summary slimcache · /similar slimcache"


def test_list_items_stand_on_their_own_lines() -> None:
    text = render(
        answer(
            Prose(
                (Sentence("They differ:"), Sentence("- One is fast."), Sentence("- One is small."))
            )
        )
    )
    assert text == "They differ:\n- One is fast.\n- One is small."


def test_no_control_character_reaches_the_terminal() -> None:
    hostile = Sentence("Red \x1b[31mtext\x07 and \u202eturned\u202c.")
    text = render(answer(Prose((hostile,)), Notice("\x9b31m")))
    assert not [c for c in text if c in "\x1b\x07\u202e\u202c\x9b"]


def test_a_link_that_is_none_is_not_shown() -> None:
    item = PaperItem("arxiv:2601.00101", "x", "X", link="javascript:alert(1)")
    assert "https://arxiv.org/abs/2601.00101" in render(answer(PaperList((item,))))


def test_an_empty_answer_is_empty() -> None:
    assert render(Answer(())) == ""
