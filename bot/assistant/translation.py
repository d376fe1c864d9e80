"""Other languages: the question into English, the checked sentences back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from bot.answer import Sentence
from bot.assistant.wording import flat, names
from prompts import prompt

_LINE = re.compile(r"^\s*(\d{1,3})[.):]\s*(\S.*?)\s*$", re.MULTILINE)


def to_english(text: str) -> str:
    """What a model is asked for the English of a message."""
    return prompt("translate", text=text)


def back(said: str, sentences: Sequence[Sentence]) -> str:
    """What a model is asked for the sentences in the language of what was said."""
    lines = [f"{number}. {sentence.text}" for number, sentence in enumerate(sentences, 1)]
    return prompt("translate_back", said=said, lines="\n".join(lines))


def translated(reply: str, sentences: Sequence[Sentence]) -> list[Sentence]:
    """The sentences with the words of the translation; a line that lost a figure or a name stays.

    A quotation stays too: it is the paper's own words.
    """
    lines = {int(match[1]): match[2] for match in _LINE.finditer(reply)}
    return [
        replace(sentence, text=said)
        if not sentence.quoted and (said := lines.get(number, "")) and _keeps(sentence.text, said)
        else sentence
        for number, sentence in enumerate(sentences, 1)
    ]


def _keeps(english: str, said: str) -> bool:
    """Whether all figures and names of the sentence stand in its translation, and no others."""
    before, after = flat(english), flat(said)
    return _figures(before) == _figures(after) and set(names(before)) <= set(names(after))


def _figures(text: str) -> list[str]:
    # A comma may be the decimal point of the other language.
    return sorted(figure.replace(",", ".") for figure in re.findall(r"\d+(?:[.,]\d+)*", text))
