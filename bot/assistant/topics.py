"""Messages that ask for papers: a topic, the newest, fewer of the last list, a bare number or name."""

from __future__ import annotations

import re
from typing import Any

from bot.assistant import screen as on_screen
from bot.assistant.followups import apart, changed
from bot.assistant.lexicon import name_like
from bot.assistant.references import EDGE, Known, Route
from bot.assistant.screen import Screen
from index.lexical import stems

# --- lists -----------------------------------------------------------------------------------

_NEW = re.compile(
    r"^(?:what(?:'s|\s+is)\s+new|what\s+are\s+the\s+(?:newest|latest|most\s+recent)\s+papers?|anything\s+new|"
    r"(?:show\s+(?:me\s+)?|find\s+|list\s+|give\s+me\s+)?(?:the\s+)?(?:new(?:est)?|latest|most\s+recent|recent)"
    r"(?:\s+(?:papers?|works?|articles?|research|additions?|ones|stuff))?)"
    r"(?:\s+(?:on|about|in|for|of)\s+(?P<topic>.+))?$",
    re.IGNORECASE,
)
_HERE = re.compile(r"^(?:the\s+)?(?:library|collection|here|papers?)$", re.IGNORECASE)


def newest(said: str, screen: Screen, known: Known) -> Route | None:
    """`what's new`, `the latest papers on diffusion`: by date among what is about it."""
    bare, beside = apart(said.strip(EDGE))
    match = _NEW.match(bare.strip(EDGE))
    if not match or known(said):
        return None
    topic = (match["topic"] or "").strip(EDGE)
    if _HERE.match(topic):
        topic = ""
    if not topic and screen.search and re.search(r"\bones\b", said, re.IGNORECASE):
        topic = screen.search
    return Route("search", {"query": f"{topic} {beside}".strip(), "newest": True})


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
    r"^(?:only|just|show\s+(?:me\s+)?only|limit|restrict|narrow|keep|filter)\b", re.IGNORECASE
)
_MORE = re.compile(
    r"^(?:(?:show|give|list)\s+(?:me\s+)?)?(?:more|next|others?|more\s+(?:results|papers|of\s+(?:them|these))|"
    r"the\s+rest|next\s+(?:page|ones))(?:\s+please)?$|^(?:any(?:thing)?|what)\s+(?:else|more|others)$",
    re.IGNORECASE,
)


def narrow(said: str, screen: Screen, known: Known) -> Route | None:
    """`only 2025`, `just the ICLR ones`, `more`: the last search once more, narrower or longer."""
    text = said.strip(EDGE)
    if not screen.search:
        return None
    if _MORE.match(text):
        return Route("search", {"query": screen.search, **_kept(screen), "k": 10})
    match = _NARROW.match(text)
    if known(text):
        return None
    if not match:
        return _narrowed_by_words(text, screen)
    only = _ONLY.match(text)
    if match["venue"] and not only and not re.search(r"\b(?:ones?|papers?)$", text, re.IGNORECASE):
        return None
    if match["author"] and not only and not re.search(r"\bones?\b", text, re.IGNORECASE):
        return None
    scope = _kept(screen)
    if year := match["year"] or match["year2"]:
        scope["year"] = year.strip()
    if match["author"]:
        scope["author"] = match["author"]
    if match["venue"]:
        scope["venue"] = match["venue"]
    return Route("search", {"query": screen.search, **scope})


def _narrowed_by_words(text: str, screen: Screen) -> Route | None:
    """`without surveys`, `since March`, `newest first`, and their undoing: the words are added or taken."""
    words = changed(screen.search, text)
    return Route("search", {"query": words, **_kept(screen)}) if words else None


def _kept(screen: Screen) -> dict[str, Any]:
    return {k: v for k, v in screen.scope.items() if k in {"year", "author", "venue", "newest"}}


def place(said: str, screen: Screen, known: Known) -> Route | None:
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
        r"^(?:https?://|doi:|10\.\d{4,}/|arxiv:)\S+$|^\d{4}\.\d{4,5}(?:v\d+)?$",
        said.strip(),
        re.IGNORECASE,
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
    r"|^(?:anything|something)\s+(?P<f>(?:new(?:er)?|old(?:er)?|recent|since|from|after|before|else|like|similar)\b.+)$"
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
    rf"(?:^|[\s,]+)(?P<year>(?:(?:newer|later|older|earlier)\s+than|from|in|since|after|before|until|between)\s+"
    rf"{_YEARS})(?:$|[\s,]+)",
    re.IGNORECASE,
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
    r"may|might|must|many|much|often|come|about|exactly|else|not|"
    r"(?:\w+)\s+(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would|should))\b)",
    re.IGNORECASE,
)


def find(said: str, screen: Screen, known: Known) -> Route | None:
    """`papers on X`, `which paper does Y`, or a bare topic."""
    text = said.strip(EDGE)
    match = _FIND.match(text)
    if match:
        rest = next(group for group in match.groups() if group)
        if match["b"] and re.match(
            r"(?:do|does|did|is|are|was|were)\s+(?:it|they|the\s+authors)\b", rest, re.IGNORECASE
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
    rest = rest.strip(EDGE)
    if match := _AUTHOR_TAIL.match(rest):
        return Route("search", {"query": f"by {match['author']}"})
    if match := _YEAR_TAIL.search(rest):
        args["year"] = match["year"].strip()
        rest = f"{rest[: match.start()]} {rest[match.end() :]}".strip()
    if number := re.match(r"^(\d{1,2})\s+(?=papers?|works?|articles?)", rest, re.IGNORECASE):
        args["k"] = int(number[1])
        rest = rest[number.end() :]
    query = _AROUND.sub("", rest).strip(EDGE) or rest
    if among:
        args["papers"] = [p.handle for p in screen.listed]
    if args.get("year") and not stems(query):
        query = screen.search
    return Route("search", {"query": query, **args})
