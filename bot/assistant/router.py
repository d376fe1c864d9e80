"""Which tool a message asks for, decided by rule."""

from __future__ import annotations

import re

from bot.assistant import screen as on_screen
from bot.assistant.broad import contrast, styled, survey, term
from bot.assistant.comparing import compare
from bot.assistant.language import foreign
from bot.assistant.lexicon import name_like
from bot.assistant.one_paper import again, show, similar, summarise
from bot.assistant.references import Known, Route
from bot.assistant.screen import Screen
from bot.assistant.smalltalk import small_talk
from bot.assistant.topics import find, narrow, newest, place
from index.lexical import stems

__all__ = ["Route", "route"]


def route(text: str, screen: Screen, known: Known = lambda _: "") -> Route:
    """What a message asks for, given what is on the screen."""
    said = " ".join(text.replace("’", "'").split())
    if line := foreign(said):
        return Route(say=line)
    if line := small_talk(said):
        return Route(say=line)
    # Before the "and" of "and the second one?" is taken for a filler.
    if found := again(said, screen, known):
        return found
    said, style = styled(said)
    said = _PLEASE.sub("", said).strip() or said
    if style and (found := summarise(said, screen, known)) and found.tool == "summarise":
        return Route("summarise", {**found.args, "style": style})
    for rule in (
        again,
        term,
        survey,
        contrast,
        compare,
        similar,
        summarise,
        show,
        newest,
        narrow,
        place,
        find,
    ):
        if found := rule(said, screen, known):
            return found
    return _question(said, screen, known)


_PLEASE = re.compile(
    r"^(?:(?:hi|hello|hey|ok(?:ay)?|so|well|and|now|then|great|thanks|thank you|cool|perfect|please|"
    r"could you(?: please)?|can you(?: please)?|would you(?: please)?|will you|i(?:'d| would) like (?:you )?to|"
    r"i want (?:you )?to|let's|let us|help me(?: to)?)\b[\s,!.:-]*)+(?=\S)"
    r"|[\s,]+(?:please|thanks|thank you|pls|briefly|quickly|shortly|in\s+simple\s+(?:terms|words)|to\s+me|for\s+me)"
    r"[\s.!?]*$",
    re.IGNORECASE,
)
# --- questions -------------------------------------------------------------------------------


def _question(said: str, screen: Screen, known: Known) -> Route:
    """A question, with the papers its pronouns mean."""
    names: list[str] = []
    words = on_screen.points(said)
    if words:
        pointed = on_screen.by_place(words, screen)
        if pointed is not None and not pointed.ask:
            names = [p.handle for p in pointed.papers]
        elif pointed is not None and re.search(
            r"one|paper|\d|first|second|third|last", words, re.IGNORECASE
        ):
            return Route(say=pointed.ask, asks=True)
    if names:
        return Route("answer", {"question": said, "papers": names})
    if len(screen.focus) == 1 and not name_like(said) and len(stems(said)) <= 6:
        handle = screen.focus[0].handle
        return Route("answer", {"question": said, "papers": [handle], "elsewhere": True})
    del known
    return Route("answer", {"question": said})
