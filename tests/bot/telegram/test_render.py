"""A reply reads well on a phone, and every part of it is one the Bot API takes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from bot.answer import (
    Action,
    Actions,
    Answer,
    Comparison,
    ComparisonRow,
    Notice,
    PaperCard,
    PaperItem,
    PaperList,
    Prose,
    Sentence,
)
from bot.telegram.prose import prose
from bot.telegram.render import MAX_MESSAGES, choice, line, render
from bot.telegram.rich import plain, units
from tests.bot.telegram.answers import ADAM, COST, GAIN, LORA, answers
from tests.peer.formatting import MAX_ENTITIES, MAX_RAW_BYTES, Formatted, accept, parse


def read(part: dict[str, Any]) -> Formatted:
    """A part as people see it."""
    return accept(part["text"], part["parse_mode"], None)


def only(answer: Answer) -> Formatted:
    """The one message of a short reply."""
    (part,) = render(answer)
    return read(part)


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(answers)
def test_no_paper_however_hostile_makes_a_part_the_server_refuses(answer: Answer) -> None:
    made = render(answer)
    assert made
    for part in made:
        if "document" in part:
            assert part["document"]["text"].strip()
            part["document"]["text"].encode()
            continue
        assert len(part["text"].encode()) <= MAX_RAW_BYTES
        assert units(parse(part["text"], "HTML").text) <= 4096
        assert len(read(part).entities) <= MAX_ENTITIES
        rows = part.get("reply_markup", {"inline_keyboard": []})["inline_keyboard"]
        assert sum(map(len, rows)) <= 100
        for button in (b for row in rows for b in row):
            assert button["text"].strip()


def test_a_sentence_carries_linked_numbers_and_its_quotation_opens_on_a_tap() -> None:
    message = only(
        Answer((Prose((Sentence("It gains four points.", (GAIN,)), Sentence("Cheap.", (COST,)))),))
    )
    assert message.text.startswith("It gains four points. [1] Cheap. [2]")
    assert message.of("text_link") == ["[1]"]  # the other paper has no page to link to
    assert [e["url"] for e in message.entities if "url" in e] == ["https://arxiv.org/abs/2510.1"]
    (notes,) = message.of("expandable_blockquote")
    assert notes == (
        "[1] ActiveDPO · activedpo\n“ActiveDPO gains 4 points.”\n"
        "[2] Guided Sampling · gas\n“It costs <2 GPU hours.”"
    )


def test_a_quotation_is_shown_in_quotation_marks_and_not_said_twice() -> None:
    message = only(Answer((Prose((Sentence(GAIN.quote, (GAIN,), quoted=True),)),)))
    assert message.text == "“ActiveDPO gains 4 points.” [1]\n\n[1] ActiveDPO · activedpo"


def test_papers_are_numbered_with_title_who_when_where_and_why() -> None:
    message = only(Answer((PaperList((LORA, ADAM), "Found two:"),)))
    assert message.text == (
        "Found two:\n\n"
        "1. LoRA: Low-Rank Adaptation of Large Language Models\n"
        "Edward Hu, Yelong Shen, Phillip Wallis et al. · 2021 · ICLR 2022 · lora\n"
        "mentions low-rank adaptation\n\n"
        "2. Adam <b>& friends</b>\nadam"
    )
    assert LORA.title in message.of("bold")
    assert LORA.title in message.of("text_link")


def test_each_paper_of_a_list_has_its_row_of_buttons() -> None:
    (part,) = render(Answer((PaperList((LORA, ADAM)),)))
    rows = part["reply_markup"]["inline_keyboard"]
    assert [[b["text"] for b in row] for row in rows] == [
        ["1 · Summary", "Similar", "Compare…"],
        ["2 · Summary", "Similar", "Compare…"],
    ]
    assert rows[1][0]["tap"] == {"verb": "summary", "paper": "adam"}
    assert rows[1][2]["tap"] == {
        "verb": "choose",
        "paper": "adam",
        "others": [["lora", LORA.title]],
    }


def test_comparing_asks_with_which_one() -> None:
    (part,) = choice("adam", [("lora", LORA.title)])
    assert read(part).text == "Compare adam with which one?"
    ((button,),) = part["reply_markup"]["inline_keyboard"]
    assert button["text"] == "LoRA: Low-Rank Adaptation of Large Lang…"
    assert button["tap"] == {"verb": "compare", "papers": ["adam", "lora"]}


def test_a_withdrawn_paper_and_a_made_up_title_say_so() -> None:
    paper = PaperItem("text:1", "gas", "Guided sampling", title_derived=True, status="withdrawn")
    text = only(Answer((PaperCard(paper, (("method", Sentence("It samples.", ())),)),))).text
    assert text == (
        "Guided sampling [WITHDRAWN] [title from its own words]\ngas\n\nMethod: It samples."
    )


def test_a_comparison_is_a_facet_a_paragraph_and_a_bullet_a_paper() -> None:
    row = ComparisonRow("results", (Sentence(GAIN.quote, (GAIN,), quoted=True), None))
    message = only(Answer((Comparison((LORA, ADAM), (row,)),)))
    assert "Results\n• lora: “ActiveDPO gains 4 points.” [1]\n• adam: not stated" in message.text
    assert message.of("italic")[-1] == "not stated"


def test_a_notice_is_set_apart_in_italics() -> None:
    assert only(Answer((Notice("Nothing found."),))).of("italic") == ["Nothing found."]


def test_an_offer_that_a_list_makes_already_is_not_made_twice() -> None:
    offers = Actions((Action("Summary of adam", "summary", "adam"), Action("Show", "show", "adam")))
    (part,) = render(Answer((PaperList((ADAM,)), offers)))
    labels = [[b["text"] for b in row] for row in part["reply_markup"]["inline_keyboard"]]
    assert labels == [["1 · Summary", "Similar", "Compare…"], ["Show"]]


@pytest.mark.parametrize("answer", [Answer(()), Answer((Notice(" \u200b "),))])
def test_an_empty_answer_still_says_something(answer: Answer) -> None:
    assert "/help" in only(answer).text


def test_a_very_long_reply_goes_on_in_a_file() -> None:
    sentence = Sentence("A sentence that repeats itself. " * 40)
    *messages, file = render(Answer((Prose((sentence,) * 30),)))
    assert len(messages) == MAX_MESSAGES
    assert file["document"]["filename"] == "answer.txt"
    assert file["document"]["text"].count("A sentence") == 1200


def test_a_long_reply_is_cut_between_papers() -> None:
    items = tuple(
        PaperItem(f"arxiv:{n}", f"p{n}", f"Paper {n}", reason="why " * 60) for n in range(30)
    )
    first, *_ = render(Answer((PaperList(items),)))
    assert read(first).text.rsplit("\n\n", 1)[1].count("\n") == 2


@pytest.mark.parametrize(
    ("written", "seen", "bold"),
    [
        ("**ABC** wins.", "ABC wins.", ["ABC"]),
        ("p<0.05 & a_b*c [x](y", "p<0.05 & a_b*c [x](y", []),
        ("costs $5 to $10 and $O(n^2)$", "costs $5 to $10 and O(n^2)", []),
        ("The <b> tag", "The <b> tag", []),
        ("x_1 and y_2", "x_1 and y_2", []),
        ("**", "**", []),
    ],
)
def test_what_a_model_writes_is_shown_as_it_was_meant(
    written: str, seen: str, bold: list[str]
) -> None:
    spans = prose(written)
    assert plain(spans) == seen
    assert [s.text for s in spans if s.bold] == bold


def test_a_table_of_a_model_becomes_a_heading_and_bullets() -> None:
    spans = prose("| Method | F1 |\n|---|---|\n| **ABC** | 81.2 |")
    assert plain(spans).replace("\n\n", "\n") == "ABC\n• F1: 81.2"
    assert [s.text for s in spans if s.bold] == ["ABC"]


def test_words_of_the_product_are_taken_as_they_are() -> None:
    (part,) = line("Write /find <topic> & more.")
    assert read(part).text == "Write /find <topic> & more."


def test_titles_from_right_to_left_leave_numbers_in_place() -> None:
    text = only(Answer((PaperList((PaperItem("arxiv:1", "salam", "\u202eمرحبا"),)),))).text
    assert text == "1. \u2068مرحبا\u2069\nsalam"
