"""Messages about one paper: similar ones, a summary, its record, the last question again."""

from __future__ import annotations

import re

from bot.assistant import screen as on_screen
from bot.assistant.lexicon import name_like
from bot.assistant.references import EDGE, Known, Route, on_paper, references, refers
from bot.assistant.screen import Screen

# --- follow-ups ------------------------------------------------------------------------------

_AGAIN = re.compile(
    r"^(?:(?:and|but)\s+)?(?:what|how)\s+about\s+(?P<a>.+?)\??$|^and\s+(?P<b>.+?)\??$",
    re.IGNORECASE,
)


def again(said: str, screen: Screen, known: Known) -> Route | None:
    """`what about the second one?`: the last question once more, of another paper."""
    match = _AGAIN.match(said)
    if not match or not screen.tool:
        return None
    words = (match["a"] or match["b"]).strip(EDGE)
    names, ask = references(words, screen)
    pointing = on_screen.by_place(words, screen) is not None
    if ask:
        return Route(say=ask, asks=True)
    if not pointing and not known(words) and not on_screen.by_words(words, screen):
        return None
    if screen.tool == "answer" and screen.query:
        return Route("answer", {"question": screen.query, "papers": names})
    if screen.tool in {"similar", "show"}:
        return Route(screen.tool, {"paper": names[0]})
    if len(names) > 1:
        return Route("compare", {"papers": names})
    return Route("summarise", {"paper": names[0]})


# --- similar ---------------------------------------------------------------------------------

_SIMILAR = re.compile(
    r"^(?:(?:find|show|list|give|get|recommend|suggest|any|are\s+there|is\s+there|do\s+you\s+have|i\s+want)"
    r"(?:\s+me)?\s+)?(?:(?:some|any|a\s+few|\d+|more|other|the)\s+)*"
    r"(?:papers?|works?|articles?|studies|something|anything|ones?|neighbou?rs?|what\s+else|more)?\s*"
    r"(?:(?:that|which|else)\s+(?:is|are)\s+|is\s+|are\s+|else\s+)?"
    r"(?P<how>similar\s+to|like|resembling|akin\s+to|close\s+to|near(?:est)?(?:\s+to)?|of|"
    r"along\s+the\s+lines\s+of|related\s+to|in\s+the\s+spirit\s+of)\s+(?P<rest>.+)$"
    r"|^(?:what|which)(?:\s+(?:papers?|works?|else|other\s+papers?))?\s+(?:is|are|looks?|comes?)\s+"
    r"(?P<how2>similar\s+to|like|close(?:st)?\s+to|near(?:est)?(?:\s+to)?|related\s+to|most\s+like)\s+(?P<rest2>.+)$",
    re.IGNORECASE,
)
_MORE_LIKE = re.compile(
    r"^(?:show\s+me\s+|find\s+|give\s+me\s+)?(?:more|others?|papers|anything|something)\s+like\s+(?P<a>.+)$"
    r"|^(?:find\s+|show\s+(?:me\s+)?)?similar(?:\s+(?:papers?|works?|ones?))?$"
    r"|^(?:find\s+|show\s+(?:me\s+)?)?(?:papers?\s+)?similar\s+(?:(?:papers?|works?|articles?|ones?|stuff)\s+)?"
    r"(?:to|as)\s+(?P<b>.+)$"
    r"|^recommend\s+(?:me\s+)?(?:something|papers?|more)?\s*(?:based\s+on|from)\s+(?P<c>.+)$"
    r"|^(?:if\s+)?i\s+(?:really\s+)?(?:liked?|enjoyed|loved?)\s+(?P<d>.+?)(?:[,;.]\s*.*)?$"
    r"|^(?:what\s+)?(?:else|more)\s+like\s+(?P<e>.+)$"
    r"|^(?:what|which)(?:\s+(?:other\s+)?(?:papers?|works?|ones?))?\s+(?:most\s+)?resembles?\s+(?P<f>.+)$",
    re.IGNORECASE,
)


def similar(said: str, screen: Screen, known: Known) -> Route | None:
    """`papers like X`, `more like this`."""
    text = said.strip(EDGE)
    if match := _MORE_LIKE.match(text):
        rest = next((group for group in match.groups() if group), "")
        return on_paper("similar", rest, screen)
    match = _SIMILAR.match(text)
    if not match:
        return None
    rest = (match["rest"] or match["rest2"]).strip(EDGE)
    how = (match["how"] or match["how2"]).casefold()
    if how == "of":
        return None if not re.search(r"neighbou?r", text) else on_paper("similar", rest, screen)
    points = refers(rest, screen, known) or re.match(
        r"(?:the|that|this)\s+(?:one|paper|work|article|study)\b|.*\s(?:one|paper|work|article|abstract)$",
        rest,
        re.IGNORECASE,
    )
    # "Papers related to diffusion" asks for a topic; "related to ActiveDPO" for a paper's kin.
    if how.startswith("related") and not points:
        return None
    return on_paper("similar", rest, screen)


# --- summarise -------------------------------------------------------------------------------

_SUMMARISE = re.compile(
    r"^(?:give\s+(?:me\s+)?|write\s+(?:me\s+)?|show\s+(?:me\s+)?|i\s+need\s+)?(?:the\s+|a\s+|an\s+)?"
    r"(?:(?:short|brief|quick|concise|one[- ]line)\s+)*"
    r"(?:summari[sz]e|summary|gist|tl;?dr|sum\s+up|overview|synopsis|rundown|recap|main\s+(?:points?|ideas?|"
    r"messages?|takeaways?)|key\s+(?:points?|ideas?|messages?|takeaways?|findings)|takeaways?|short\s+version|"
    r"nutshell|essence)\b"
    r"\s*(?:of|for|on|from|about|:)?\s*(?P<a>.*)$"
    r"|^what(?:'s|\s+is|\s+are)\s+the\s+(?:gist|main\s+(?:points?|ideas?|message)|summary|key\s+(?:points?|ideas?)|"
    r"takeaways?|point|big\s+idea|essence)\s+(?:of|in|behind|from)\s+(?P<b>.+)$"
    r"|^what(?:'s|\s+is|\s+was|\s+are)\s+(?P<c>.+?)\s+(?:all\s+)?about$"
    r"|^what(?:'s|\s+is|\s+are)\s+(?P<h>.+?)\s+(?:saying|claiming|proposing|doing)(?:\s+(?:in\s+short|basically|overall))?$"
    r"|^what\s+(?:does|do|did)\s+(?P<d>.+?)\s+(?:do|say|propose|claim|present|cover|contribute)$"
    r"|^(?P<e>.+?)\s*[,:-]?\s+(?:in\s+(?:a\s+nutshell|short|brief|one\s+sentence|a\s+few\s+words)|tl;?dr|summary|summari[sz]ed)$",
    re.IGNORECASE,
)
_EXPLAIN = re.compile(
    r"^(?:explain|describe|tell\s+me\s+(?:more\s+|something\s+)?(?:about|of)|talk\s+(?:me\s+)?(?:through|about)|"
    r"walk\s+me\s+through|introduce|more\s+(?:about|on)|details?\s+(?:of|on|about)|elaborate(?:\s+on)?|read\s+me)\s+(?P<a>.+)$"
    r"|^(?:what|who)(?:'s|\s+is|\s+are)\s+(?P<b>.+)$",
    re.IGNORECASE,
)


def summarise(said: str, screen: Screen, known: Known) -> Route | None:
    """`summarise the second`, `gist of X`, `what is X about`, `tell me about X`."""
    text = said.strip(EDGE)
    if match := _SUMMARISE.match(text):
        rest = next((group for group in match.groups() if group), "")
        rest = re.sub(r"^(?:what|how)\b.*", "", rest) if match["a"] is not None else rest
        if match["c"] and re.match(r"(?:which|the\s+\w+\s+paper\s+which)\b", rest, re.IGNORECASE):
            return None
        names, ask = references(rest, screen)
        if ask:
            return Route(say=ask, asks=True)
        return Route("summarise", {"paper": names[0]})
    match = _EXPLAIN.match(text)
    if not match:
        return None
    rest = (match["a"] or match["b"]).strip(EDGE)
    if refers(rest, screen, known) or on_screen.by_words(rest, screen):
        return on_paper("summarise", rest, screen)
    if match["a"] and re.search(r"\b(?:paper|work|article|study|method)$", rest, re.IGNORECASE):
        return on_paper("summarise", rest, screen)
    if match["a"] and len(rest.split()) <= 2 and name_like(rest):
        return on_paper("summarise", rest, screen)
    if match["a"] and not re.match(
        r"(?:how|why|what|when|where|who|whether)\b", rest, re.IGNORECASE
    ):
        return Route("search", {"query": rest})
    return None


# --- show ------------------------------------------------------------------------------------

_SHOW = re.compile(
    r"^who\s+(?:wrote|authored|published|made|are\s+the\s+authors?\s+(?:of|on|for)|is\s+the\s+author\s+of)\s*(?P<a>.*)$"
    r"|^(?:who\s+(?:are|is)\s+)?(?:the\s+)?authors?(?:\s+(?:of|for|on)\s+(?P<b>.+))?$"
    r"|^when\s+(?:was|were|did|is)\s+(?P<c>.+?)\s+(?:published|written|released|posted|come\s+out|appear(?:ed)?|out)$"
    r"|^where\s+(?:was|were|is|can\s+i\s+(?:read|find|get))\s+(?P<d>.+?)(?:\s+(?:published|presented))?$"
    r"|^(?:what(?:'s|\s+is)\s+)?(?:the\s+|a\s+|its\s+|give\s+(?:me\s+)?(?:the\s+|a\s+)?|show\s+(?:me\s+)?(?:the\s+|a\s+)?)?"
    r"(?:full\s+)?(?:links?|url|doi|pdf|bibtex|bib\s+entry|citation|reference|abstract|record|metadata|details|title|"
    r"venue|publication\s+(?:date|year)|year|date)(?:\s+(?:of|for|to|on)\s+(?P<e>.+))?$"
    r"|^cite\s+(?P<f>.+)$"
    r"|^(?:open|show|display|view|pull\s+up|get)\s+(?:me\s+)?(?P<g>.+)$"
    r"|^(?:in\s+)?(?:what|which)\s+(?:year|venue|conference|journal)\s+(?:was|is|did)\s+(?P<h>.+?)(?:\s+(?:published|from|appear(?:ed)?(?:\s+(?:in|at))?|in|at))?$"
    r"|^(?P<i>.+?)\s+(?:authors|bibtex|link|pdf|doi|abstract)$",
    re.IGNORECASE,
)


def show(said: str, screen: Screen, known: Known) -> Route | None:
    """`who wrote it`, `link`, `when was X published`: the record."""
    text = said.strip(EDGE)
    match = _SHOW.match(text)
    if not match:
        return None
    rest = next((group for group in match.groups() if group), "").strip(EDGE)
    if match["g"]:
        pointing = refers(rest, screen, known) or on_screen.by_words(rest, screen)
        if not pointing:
            return None
    if match["d"] and not refers(rest, screen, known):
        return None
    if match["i"] and not refers(rest, screen, known):
        return None
    return on_paper("show", rest, screen)
