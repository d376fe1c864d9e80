"""Which tool a message asks for, decided by rule."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bot.assistant import screen as on_screen
from bot.assistant.language import foreign
from bot.assistant.lexicon import name_like
from bot.assistant.screen import Pointed, Screen
from bot.assistant.smalltalk import small_talk
from index.lexical import stems

Known = Callable[[str], str]
"""The handle of the paper that goes by a name, or an empty string."""


@dataclass(frozen=True, slots=True)
class Route:
    """A tool with its arguments, or something to say."""

    tool: str = ""
    args: dict[str, Any] = field(default_factory=dict)
    say: str = ""
    """A line in place of a tool."""
    asks: bool = False
    """True where the line asks back which paper is meant."""


def route(text: str, screen: Screen, known: Known = lambda _: "") -> Route:
    """What a message asks for, given what is on the screen."""
    said = " ".join(text.replace("’", "'").split())
    if line := foreign(said):
        return Route(say=line)
    if line := small_talk(said):
        return Route(say=line)
    said = _PLEASE.sub("", said).strip() or said
    for rule in (_again, _compare, _similar, _summarise, _show, _newest, _narrow, _place, _find):
        if found := rule(said, screen, known):
            return found
    return _question(said, screen, known)


_PLEASE = re.compile(
    r"^(?:(?:hi|hello|hey|ok(?:ay)?|so|well|and|now|then|great|thanks|thank you|cool|perfect|please|"
    r"could you(?: please)?|can you(?: please)?|would you(?: please)?|will you|i(?:'d| would) like (?:you )?to|"
    r"i want (?:you )?to|let's|let us|help me(?: to)?)\b[\s,!.:-]*)+(?=\S)"
    r"|[\s,]+(?:please|thanks|thank you|pls)[\s.!?]*$",
    re.IGNORECASE,
)
_EDGE = " .?!,:;\"'“”"


def _paper(words: str, screen: Screen) -> tuple[str, str]:
    """(name for a tool, question back) of a reference to one paper."""
    names, ask = _papers(words, screen)
    return (names[0] if names else "", ask)


def _papers(words: str, screen: Screen) -> tuple[list[str], str]:
    words = words.strip(_EDGE)
    if not words:
        pointed: Pointed | None = on_screen.it(screen)
    else:
        pointed = on_screen.by_place(words, screen)
    if pointed is not None:
        return [p.handle for p in pointed.papers], pointed.ask
    if described := on_screen.by_words(words, screen):
        return [described.handle], ""
    return [words], ""


def _on_paper(tool: str, words: str, screen: Screen) -> Route:
    name, ask = _paper(words, screen)
    if ask:
        return Route(say=ask, asks=True)
    return Route(tool, {"paper": name})


# --- follow-ups ------------------------------------------------------------------------------

_AGAIN = re.compile(
    r"^(?:(?:and|but)\s+)?(?:what|how)\s+about\s+(?P<a>.+?)\??$|^and\s+(?P<b>.+?)\??$",
    re.IGNORECASE,
)


def _again(said: str, screen: Screen, known: Known) -> Route | None:
    """`what about the second one?`: the last question once more, of another paper."""
    match = _AGAIN.match(said)
    if not match or not screen.tool:
        return None
    words = (match["a"] or match["b"]).strip(_EDGE)
    names, ask = _papers(words, screen)
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


# --- compare ---------------------------------------------------------------------------------

_COMPARE = re.compile(r"^(?:compare|contrast|put)\s+(?P<rest>.+)$", re.IGNORECASE)
_COMPARE_NOUN = re.compile(
    r"^(?:(?:what(?:'s|\s+is|\s+are)|show|give|list|explain|describe|find|tell|me|the|a|main|key|any|some|is|are|"
    r"there|about|do|you|see|biggest)\s+)*(?:comparison|differences?|similarit(?:y|ies)|contrast|distinction)\s+"
    r"(?:between|of|among|to|with)\s+(?P<rest>.+)$",
    re.IGNORECASE,
)
_DIFFER = re.compile(
    r"^(?:how|in\s+what\s+way|where)\s+(?:do|does|is|are|did)\s+(?P<a>.+?)\s+"
    r"(?:differ(?:s|ent)?|different|compare[sd]?|stand|relate[sd]?)\s*"
    r"(?:from|to|with|against|than)?\s*(?P<b>.*)$"
    r"|^what\s+(?:distinguishes|separates|sets)\s+(?P<c>.+?)\s+(?:apart\s+)?from\s+(?P<d>.+)$"
    r"|^what\s+do(?:es)?\s+(?P<e>.+?)\s+(?:and|share\s+with|have\s+in\s+common\s+with)\s+(?P<f>.+?)"
    r"(?:\s+(?:have\s+in\s+common|share))?$",
    re.IGNORECASE,
)
_VERSUS = re.compile(r"^(?P<a>.{2,80}?)\s+(?:vs\.?|versus|v\.)\s+(?P<b>.{2,80}?)$", re.IGNORECASE)
_OPERANDS = re.compile(
    r"\s*;\s*|\s*,\s*(?:and\s+|with\s+)?|\s+(?:vs\.?|versus|against)\s+"
    r"|\s+(?:and|with|to|&)\s+",
    re.IGNORECASE,
)


def _compare(said: str, screen: Screen, known: Known) -> Route | None:
    text = said.strip(_EDGE)
    match = _COMPARE.match(text)
    if match and (not text.casefold().startswith("put") or "side by side" in text.casefold()):
        rest = re.sub(r"\bside\s+by\s+side\b", "", match["rest"], flags=re.IGNORECASE)
        return _comparison(operands(rest, screen, known), screen)
    if match := _COMPARE_NOUN.search(text):
        return _comparison(operands(match["rest"], screen, known), screen)
    if match := _DIFFER.match(text):
        first = match["a"] or match["c"] or match["e"] or ""
        second = match["b"] or match["d"] or match["f"] or ""
        parts = [first, second] if second else operands(first, screen, known)
        # "How does it differ from dense retrieval?" asks one paper, not two.
        if not _distinct(parts, screen, known):
            return None
        return _comparison(parts, screen) if len(parts) > 1 else None
    match = _VERSUS.match(text)
    if match and _distinct([match["a"], match["b"]], screen, known):
        return _comparison([match["a"], match["b"]], screen)
    return None


def _distinct(parts: list[str], screen: Screen, known: Known) -> bool:
    """True where each part refers to a paper, and no two to the same one."""
    handles = [known(part.strip(_EDGE)) for part in parts]
    pointed = [on_screen.by_place(part, screen) for part in parts]
    refers = all(h or p is not None for h, p in zip(handles, pointed, strict=True))
    named = [handle for handle in handles if handle]
    return refers and len(set(named)) == len(named)


def _refers(words: str, screen: Screen, known: Known) -> bool:
    return on_screen.by_place(words, screen) is not None or bool(known(words.strip(_EDGE)))


def operands(text: str, screen: Screen, known: Known) -> list[str]:
    """The papers of a comparison, as written; a title with "and" in it is not taken apart."""
    text = text.strip(_EDGE)
    quoted = re.findall(r"[\"“]([^\"“”]+)[\"”]", text)
    if len(quoted) > 1:
        return quoted
    if on_screen.by_place(text, screen) is not None or known(text):
        return [text]
    if match := re.match(
        r"^(?:to|with)\s+(?P<b>.+)$|^(?P<a>it|this|that)\s+(?:to|with)\s+(?P<c>.+)$", text, re.I
    ):
        return ["it", match["b"] or match["c"]]
    pieces = _OPERANDS.split(text)
    joints = _OPERANDS.findall(text)
    # Join pieces again where the whole goes by a name: "speech and language processing".
    best = pieces
    for place in range(len(joints)):
        left = _rejoin(pieces[: place + 1], joints[:place])
        right = _rejoin(pieces[place + 1 :], joints[place + 1 :])
        if _refers(left, screen, known) and _refers(right, screen, known):
            return [left, right]
        strong = re.search(r"with|vs|versus|against|;", joints[place], re.IGNORECASE)
        if strong and best is pieces:
            best = [left, right]
    if best is pieces and len(pieces) > 2 and not all(_refers(p, screen, known) for p in pieces):
        # "A and B": parted at the first joint unless more names are known.
        known_pieces = [p for p in pieces if _refers(p, screen, known)]
        best = pieces if len(known_pieces) > 1 else [pieces[0], _rejoin(pieces[1:], joints[1:])]
    return [piece for piece in best if piece.strip()]


def _rejoin(pieces: list[str], joints: list[str]) -> str:
    out = pieces[0] if pieces else ""
    for joint, piece in zip(joints, pieces[1:], strict=False):
        out += joint + piece
    return out


def _comparison(parts: list[str], screen: Screen) -> Route:
    names: list[str] = []
    for part in parts:
        found, ask = _papers(part, screen)
        if ask:
            return Route(say=ask, asks=True)
        names += [name for name in found if name not in names]
    if len(names) == 1:
        other = [p.handle for p in screen.focus if p.handle not in names]
        if len(other) == 1:
            names.insert(0, other[0])
    return Route("compare", {"papers": names})


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
    r"|^(?:papers?\s+)?similar\s+to\s+(?P<b>.+)$"
    r"|^recommend\s+(?:me\s+)?(?:something|papers?|more)?\s*(?:based\s+on|from)\s+(?P<c>.+)$"
    r"|^(?:if\s+)?i\s+(?:really\s+)?(?:liked?|enjoyed|loved?)\s+(?P<d>.+?)(?:[,;.]\s*.*)?$"
    r"|^(?:what\s+)?(?:else|more)\s+like\s+(?P<e>.+)$",
    re.IGNORECASE,
)


def _similar(said: str, screen: Screen, known: Known) -> Route | None:
    text = said.strip(_EDGE)
    if match := _MORE_LIKE.match(text):
        rest = next((group for group in match.groups() if group), "")
        return _on_paper("similar", rest, screen)
    match = _SIMILAR.match(text)
    if not match:
        return None
    rest = (match["rest"] or match["rest2"]).strip(_EDGE)
    how = (match["how"] or match["how2"]).casefold()
    if how == "of":
        return None if not re.search(r"neighbou?r", text) else _on_paper("similar", rest, screen)
    points = _refers(rest, screen, known) or re.match(
        r"(?:the|that|this)\s+(?:one|paper|work|article|study)\b|.*\s(?:one|paper|work|article|abstract)$",
        rest,
        re.IGNORECASE,
    )
    # "Papers related to diffusion" asks for a topic; "related to ActiveDPO" for a paper's kin.
    if how.startswith("related") and not points:
        return None
    return _on_paper("similar", rest, screen)


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


def _summarise(said: str, screen: Screen, known: Known) -> Route | None:
    text = said.strip(_EDGE)
    if match := _SUMMARISE.match(text):
        rest = next((group for group in match.groups() if group), "")
        rest = re.sub(r"^(?:what|how)\b.*", "", rest) if match["a"] is not None else rest
        if match["c"] and re.match(r"(?:which|the\s+\w+\s+paper\s+which)\b", rest, re.IGNORECASE):
            return None
        names, ask = _papers(rest, screen)
        if ask:
            return Route(say=ask, asks=True)
        return Route("summarise", {"paper": names[0]})
    match = _EXPLAIN.match(text)
    if not match:
        return None
    rest = (match["a"] or match["b"]).strip(_EDGE)
    if _refers(rest, screen, known) or on_screen.by_words(rest, screen):
        return _on_paper("summarise", rest, screen)
    if match["a"] and re.search(r"\b(?:paper|work|article|study|method)$", rest, re.IGNORECASE):
        return _on_paper("summarise", rest, screen)
    if match["a"] and len(rest.split()) <= 2 and name_like(rest):
        return _on_paper("summarise", rest, screen)
    if match["a"] and not re.match(r"(?:how|why|what|when|where|who|whether)\b", rest, re.I):
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


def _show(said: str, screen: Screen, known: Known) -> Route | None:
    text = said.strip(_EDGE)
    match = _SHOW.match(text)
    if not match:
        return None
    rest = next((group for group in match.groups() if group), "").strip(_EDGE)
    if match["g"]:
        pointing = _refers(rest, screen, known) or on_screen.by_words(rest, screen)
        if not pointing:
            return None
    if match["d"] and not _refers(rest, screen, known):
        return None
    if match["i"] and not _refers(rest, screen, known):
        return None
    return _on_paper("show", rest, screen)


# --- lists -----------------------------------------------------------------------------------

_NEW = re.compile(
    r"^(?:what(?:'s|\s+is)\s+new|what\s+are\s+the\s+(?:newest|latest|most\s+recent)\s+papers?|anything\s+new|"
    r"(?:show\s+(?:me\s+)?|find\s+|list\s+|give\s+me\s+)?(?:the\s+)?(?:new(?:est)?|latest|most\s+recent|recent)"
    r"(?:\s+(?:papers?|works?|articles?|research|additions?|ones|stuff))?)"
    r"(?:\s+(?:on|about|in|for|of)\s+(?P<topic>.+))?$",
    re.IGNORECASE,
)
_HERE = re.compile(
    r"^(?:the\s+)?(?:library|collection|here|today|this\s+week|papers?)$", re.IGNORECASE
)


def _newest(said: str, screen: Screen, known: Known) -> Route | None:
    match = _NEW.match(said.strip(_EDGE))
    if not match:
        return None
    topic = (match["topic"] or "").strip(_EDGE)
    if _HERE.match(topic):
        topic = ""
    if not topic and screen.search and re.search(r"\bones\b", said, re.IGNORECASE):
        topic = screen.search
    return Route("search", {"query": topic, "newest": True})


_YEARS = (
    r"(?:from|in|since|after|before|until|of|published\s+in|between)?\s*(?:the\s+year\s+)?"
    r"(?:19|20)\d\d(?:\s*(?:-|–|to|and|\.\.)\s*(?:19|20)\d\d)?(?:\s*(?:onwards?|or\s+(?:later|newer|earlier|older)|\+))?"
)
_NARROW = re.compile(
    rf"^(?:only|just|show\s+(?:me\s+)?only|limit(?:\s+(?:it|them|this))?\s+to|restrict(?:\s+(?:it|them))?\s+to|"
    rf"narrow(?:\s+(?:it|them))?(?:\s+down)?\s+to|keep(?:\s+only)?|filter(?:\s+(?:by|to|for))?|what\s+about|how\s+about)?\s*"
    rf"(?:the\s+|those\s+|these\s+)?(?:ones?\s+|papers?\s+)?"
    rf"(?:(?P<year>{_YEARS})|(?:(?:by|from)\s+(?P<author>[A-Z][\w'-]+(?:\s+[A-Z][\w'-]+)*))"
    rf"|(?:(?:at|from|in)\s+)?(?P<venue>[A-Z][A-Za-z]*[A-Z]{{2,}}\w*|[A-Z]{{3,}}\w*)(?:\s+(?P<year2>(?:19|20)\d\d))?)"
    rf"(?:\s+(?:ones?|papers?|only))*$"
)
_ONLY = re.compile(
    r"^(?:only|just|show\s+(?:me\s+)?only|limit|restrict|narrow|keep|filter)\b", re.I
)
_MORE = re.compile(
    r"^(?:(?:show|give|list)\s+(?:me\s+)?)?(?:more|next|others?|more\s+(?:results|papers|of\s+(?:them|these))|"
    r"the\s+rest|next\s+(?:page|ones))(?:\s+please)?$|^(?:any(?:thing)?|what)\s+(?:else|more|others)$",
    re.IGNORECASE,
)


def _narrow(said: str, screen: Screen, known: Known) -> Route | None:
    text = said.strip(_EDGE)
    if not screen.search:
        return None
    if _MORE.match(text):
        return Route("search", {"query": screen.search, **_kept(screen), "k": 10})
    match = _NARROW.match(text)
    if not match or known(text):
        return None
    only = _ONLY.match(text)
    if match["venue"] and not only and not re.search(r"\b(?:ones?|papers?)$", text, re.I):
        return None
    scope = _kept(screen)
    if year := match["year"] or match["year2"]:
        scope["year"] = year.strip()
    if match["author"]:
        scope["author"] = match["author"]
    if match["venue"]:
        scope["venue"] = match["venue"]
    return Route("search", {"query": screen.search, **scope})


def _kept(screen: Screen) -> dict[str, Any]:
    return {k: v for k, v in screen.scope.items() if k in {"year", "author", "venue", "newest"}}


def _place(said: str, screen: Screen, known: Known) -> Route | None:
    """A bare "2", "the second one", a handle, an id: that paper, summed up."""
    pointed = on_screen.by_place(said, screen)
    if pointed is not None:
        if pointed.ask:
            return Route(say=pointed.ask, asks=True)
        handles = [p.handle for p in pointed.papers]
        if len(handles) > 1:
            return Route("compare", {"papers": handles[:5]})
        return Route("summarise", {"paper": handles[0]})
    if described := on_screen.by_words(said, screen):
        return Route("summarise", {"paper": described.handle})
    if re.match(
        r"^(?:https?://|doi:|10\.\d{4,}/|arxiv:)\S+$|^\d{4}\.\d{4,5}(?:v\d+)?$", said.strip(), re.I
    ):
        return Route("show", {"paper": said.strip()})
    del known
    return None


_FIND = re.compile(
    r"^(?:find|search(?:\s+for)?|look(?:ing)?\s+(?:for|up)|list|show(?:\s+me)?|get(?:\s+me)?|give\s+me|recommend|suggest|"
    r"i(?:'m|\s+am)\s+(?:looking\s+for|interested\s+in|after)|i\s+(?:need|want)|got|any|some|is\s+there|are\s+there|"
    r"do\s+you\s+(?:have|know(?:\s+of)?)|have\s+you\s+got|what\s+do\s+you\s+have|where\s+can\s+i\s+find)\b\s*(?:me\s+)?"
    r"(?P<a>.+)$"
    r"|^(?:(?:what|which)\s+(?:(?:of\s+)?(?:these|those|the|your|all)\s+)*(?:other\s+|recent\s+)?"
    r"(?:papers?|works?|articles?|one|ones|studies|abstracts?|research|of\s+(?:them|these|those))\b)\s*(?P<b>.+)$"
    r"|^(?:papers?|works?|articles?|research|literature|studies|publications?|something|anything|everything|stuff|readings?)\s+"
    r"(?P<c>(?:on|about|that|which|for|of|in|using|with|dealing|concerning|regarding|studying|related|around|by|from|where)\b.+)$"
    r"|^who\s+(?:works|has\s+worked|is\s+working)\s+on\s+(?P<d>.+)$"
    r"|^(?P<e>.+?)\s+(?:papers|literature|articles|studies)$",
    re.IGNORECASE,
)
_AROUND = re.compile(
    r"^(?:(?:a|an|the|some|any|all|few|more|other|recent|new|good|interesting|relevant|of|these|those|them|your|there|here|out)\s+"
    r"|(?:papers?|works?|articles?|research|literature|studies|study|publications?|something|anything|stuff|readings?|abstracts?)\b\s*"
    r"|(?:(?:that|which|who)\s+)?(?:is|are|was|were|deals?|talks?|studies|study|addresses|address|discuss(?:es)?|covers?|"
    r"explores?|looks?|focus(?:es)?|investigates?|considers?|tackles?|handles?|examines?|works?|do|does)\s+"
    r"(?=(?:about|on|with|at|into|the|a|an|how|in)\b|\w+)"
    r"|(?:on|about|that|which|regarding|concerning|related\s+to|dealing\s+with|around|with|at|into|for|in|of)\s+)+",
    re.IGNORECASE,
)
_YEAR_TAIL = re.compile(
    rf"[\s,]+(?P<year>(?:from|in|since|after|before|until|between)\s+{_YEARS})$", re.I
)
_AUTHOR_TAIL = re.compile(r"^(?:papers?\s+)?by\s+(?P<author>[A-Z][\w.'-]+(?:\s+[A-Z][\w.'-]+)*)$")
_QUESTION = re.compile(
    r"^(?:what|which|who|whom|whose|why|how|when|where|is|are|was|were|do|does|did|can|could|has|have|had|will|"
    r"would|should|may|might|in\s+which|in\s+what|on\s+which|on\s+what|on\s+how|by\s+how|to\s+what|for\s+what|for\s+which|"
    r"with\s+what|with\s+which|at\s+what|under\s+what|under\s+which|against\s+which|tell\s+me|name\s+the|give\s+the)\b",
    re.IGNORECASE,
)


# "How prompt length influences images" is a topic; "how does it" and "how many" ask.
_CLAUSE = re.compile(
    r"^(?:how|why|when|where|whether)\s+(?!(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would|should|"
    r"may|might|must|many|much|large|big|high|low|long|fast|often|far|well|good|come|about|exactly|else|not|"
    r"small|accurate|deep|expensive|old|tall|strong|wide)\b)",
    re.IGNORECASE,
)


def _find(said: str, screen: Screen, known: Known) -> Route | None:
    text = said.strip(_EDGE)
    match = _FIND.match(text)
    if match:
        rest = next(group for group in match.groups() if group)
        if match["b"] and re.match(
            r"(?:do|does|did|is|are|was|were)\s+(?:it|they|the\s+authors)\b", rest, re.I
        ):
            return None
        return _search(rest, screen, among=bool(match["b"]) and _among(text, screen))
    if said.rstrip().endswith("?") or (_QUESTION.match(text) and not _CLAUSE.match(text)):
        return None
    if on_screen.points(text) and len(stems(text)) <= 4 and screen.focus:
        return None
    if known(text) or name_like(text) or len(text.split()) <= 12:
        return _search(text, screen)
    return Route("search", {"query": text})


def _among(text: str, screen: Screen) -> bool:
    return bool(
        re.match(r"^which\s+of\s+(?:them|these|those)\b|^which\s+ones?\b", text, re.IGNORECASE)
        and len(screen.listed) > 1
    )


def _search(rest: str, screen: Screen, *, among: bool = False) -> Route:
    args: dict[str, Any] = {}
    rest = rest.strip(_EDGE)
    if match := _AUTHOR_TAIL.match(rest):
        return Route("search", {"query": match["author"], "author": match["author"]})
    if match := _YEAR_TAIL.search(rest):
        args["year"] = match["year"].strip()
        rest = rest[: match.start()]
    if number := re.match(r"^(\d{1,2})\s+(?=papers?|works?|articles?)", rest, re.IGNORECASE):
        args["k"] = int(number[1])
        rest = rest[number.end() :]
    query = _AROUND.sub("", rest).strip(_EDGE) or rest
    if among:
        args["papers"] = [p.handle for p in screen.listed]
    if args.get("year") and not stems(query):
        query = screen.search
    return Route("search", {"query": query, **args})


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
            r"one|paper|\d|first|second|third|last", words, re.I
        ):
            return Route(say=pointed.ask, asks=True)
    if names:
        return Route("answer", {"question": said, "papers": names})
    if len(screen.focus) == 1 and not name_like(said) and len(stems(said)) <= 6:
        handle = screen.focus[0].handle
        return Route("answer", {"question": said, "papers": [handle], "elsewhere": True})
    del known
    return Route("answer", {"question": said})
