"""What a command line becomes, in the terminal and on Telegram alike."""

from __future__ import annotations

import pytest

from bot.commands import COMMANDS, CommandError, Turn, command, help_lines, parse


def turn_of(line: str) -> Turn:
    """The turn of a command that asks the assistant."""
    written = parse(line)
    assert written
    found = command(written[0])
    assert found
    assert found.turn
    return found.turn(written[1])


def test_a_command_decides_on_the_tool() -> None:
    assert turn_of("/find  diffusion policies").call == ("search", {"query": "diffusion policies"})
    assert turn_of("/summary activedpo").call == ("summarise", {"paper": "activedpo"})
    assert turn_of("/similar arxiv:2505.19241").call == ("similar", {"paper": "arxiv:2505.19241"})


@pytest.mark.parametrize(
    ("words", "papers"),
    [
        ("activedpo zerogr", ["activedpo", "zerogr"]),
        ("activedpo, zerogr", ["activedpo", "zerogr"]),
        ("activedpo and zerogr", ["activedpo", "zerogr"]),
        ("activedpo vs. zerogr", ["activedpo", "zerogr"]),
        ("activedpo, zerogr and gas", ["activedpo", "zerogr", "gas"]),
        ("Attention Is All You Need; BERT", ["Attention Is All You Need", "BERT"]),
        ("“Thinking, Fast and Slow” and “BERT”", ["Thinking, Fast and Slow", "BERT"]),
        ("2505.19241 2510.23127", ["2505.19241", "2510.23127"]),
    ],
)
def test_papers_to_compare_are_told_apart(words: str, papers: list[str]) -> None:
    assert turn_of(f"/compare {words}").call == ("compare", {"papers": papers})


@pytest.mark.parametrize(
    "line",
    ["/summary 2", "/summary the second one", "/similar that", "/compare the first and last",
     "/compare 1 and 3", "/compare activedpo and the second one"],
)  # fmt: skip
def test_words_that_point_into_the_conversation_are_left_to_the_assistant(line: str) -> None:
    asked = turn_of(line)
    assert asked.call is None
    assert line.rsplit(maxsplit=1)[-1] in asked.text


@pytest.mark.parametrize(
    "line", ["/find", "/summary", "/similar", "/compare", "/compare activedpo"]
)
def test_a_command_without_its_words_says_how_to_write_it(line: str) -> None:
    with pytest.raises(CommandError, match=f"as in {line.split(maxsplit=1)[0]}"):
        turn_of(line)


def test_a_path_or_a_fraction_is_no_command() -> None:
    assert parse("/usr/bin is full") is None
    assert parse("1/2 of it") is None
    assert parse("/Find it") == ("find", "it")
    assert parse("/nonsense") == ("nonsense", "")


def test_help_names_every_command_and_fits_the_bot_api() -> None:
    shown = dict(help_lines())
    assert len(shown) == len(COMMANDS)
    assert all(0 < len(each.help) <= 256 for each in COMMANDS)
    assert all(each.name.isascii() and each.name.islower() for each in COMMANDS)
