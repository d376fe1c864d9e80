"""Display titles for abstracts that came without one, made of the abstract's own words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from index.text.names import full_name, method_name
from index.text.readable import readable
from index.text.sentences import split
from index.text.words import words

__all__ = ["derive_title", "method_name"]

_LONGEST = 90
_SHORTEST = 12
_OWN = r"(?:\bwe\b|\bthis (?:paper|work|article|study)\b|\bour (?:work|paper|study|approach|analysis|findings|results|contribution)\b|\bhere\b)"
_EMPTY = (
    r"(?:an? |the |our |some |two |three |several )?(?:(?:novel|new|simple|first|unified|principled|general|effective|efficient|"
    r"yet|and|key|different|innovative|comprehensive|large-scale|systematic)[, ]+)*(?:method|approach|framework|algorithm|model|technique|pipeline|paradigm|strategy|"
    r"mathematical model|solution|evaluation framework|scheme|procedure)s? (?:that|which) (?:can |is able to |aims to |allows? (?:us )?to )?"
)
# What a paper does, in the order of how much its object tells; the object becomes the title.
_OBJECTS: tuple[tuple[float, re.Pattern[str]], ...] = tuple(
    (weight, re.compile(pattern, re.IGNORECASE))
    for weight, pattern in (
        (9.0, r"\b(?:stud(?:y|ies)|investigates?|considers?|addresses|address|tackles?|explores?|examines?|revisits?|analy[sz]es?) (?:the |a )?(?:problem|task|question|issue|challenge|setting|topic) of (?P<object>.+)"),
        (8.5, r"\b(?:analysis|study|investigation|understanding|examination|evaluation|characteri[sz]ation|account) of (?P<object>how .+)"),
        (8.0, r"\b(?P<object>(?:systematic|empirical|theoretical|principled|comprehensive|large-scale|rigorous|extensive) (?:comparison|study|analysis|evaluation|investigation|understanding|survey|review) of .+)"),
        (7.5, r"\b(?:consider|stud(?:y|ies)|investigates?|explores?|examines?|revisits?|analy[sz]es?|characteri[sz]es?|reconsiders?|formali[sz]es?) (?P<object>.+)"),
        (7.0, rf"\b(?:propose|introduce|present|develop|design|give|devise|describe|provide|establish)s? {_EMPTY}(?P<does>.+)"),
        (6.5, r"\b(?:propose|introduce|present|develop|design|give|devise|describe|provide|establish|derive|formulate|construct)s? (?P<object>.+)"),
        (6.0, r"\b(?:prove|show|demonstrate|find|reveal|establish|argue|observe)s? that (?P<object>.+)"),
        (5.5, r"\b(?:we|paper|work|article) (?:\w+ly )?(?P<verb>encourage|enable|reformulate|extend|challenge|improve|leverage|use|learn|predict|measure|estimate|reveal)s? (?P<object>.+)"),
    )
)  # fmt: skip
_LEADING = re.compile(
    r"^(?:(?:an?|the|our|such|some|its|their|that|this|these|novel|new|simple|yet|effective|efficient|first|recent|the first|both|present|introduce|"
    r"comprehensive)\b[ ,]*)+",
    re.IGNORECASE,
)
# Where a long phrase can end and still be whole, the best cuts first.
_CLAUSE = r",\s(?=(?:an?|the|which|where|with|while|thus|thereby|and|in|by|as|such|using|based|unlike|without|we|it|our|this|\w+ing)\b)"
_CUTS = re.compile(
    rf"{_CLAUSE}|[;:—–]\s|\s\(|\s(?:by|that|which|where|while|when|whose|through|via|without|under|and|using|with|from|for|in|on|to|as|"
    r"of|aiming|thereby|because|so|such|is|are|can|has|have|than|based|derived|designed|provided|given|during|across|within|at)\s"
)
_FIRST_CUTS = re.compile(
    rf"{_CLAUSE}|[;:]\s|\s[—–]\s|\s(?:aiming|thereby|which|while|where|whose|in which|such that)\b|"
    r"\sand (?:present|introduce|propose|show|demonstrate|prove|provide|find|observe|develop|design|use|employ)\b"
)
_DANGLING = re.compile(
    r"(?:[\s,;:—–-]|\b(?:an?|the|of|for|and|or|in|on|to|with|by|from|as|that|which|is|are|their|its|our|this|these|more|most|into|"
    r"between|both|either|than|such|via|through|without|using|can|be|where|when|while|over|generated|derived|caused|provided|designed|used|driven|required|obtained|introduced|called|e\.g\.,?|i\.e\.,?|including|based|at|not))+$",
    re.IGNORECASE,
)
_STOP = words(
    "the a an of for and or in on to with by from as at is are be this that these those we our it its "
    "can has have been which such while their they not also more most than both between using based "
    "into through via each other however existing method methods approach approaches model models "
    "results show propose proposed paper work novel new performance experiments often while across"
)


def derive_title(abstract: str) -> str:
    """A title of at most 90 characters from the abstract's own words.

    The named method and what it is (`ActiveDPO: an algorithm that …`), else the object of what the
    paper says it does, else its most frequent phrase. Never empty for an abstract with a word in it.
    """
    plain = _plain(abstract)
    name = method_name("", abstract)
    if name:
        name = name.replace("‑", "-")
        what = _description(name, plain) or full_name(name, abstract).replace("‑", "-")
        if what and what.casefold() != name.casefold():
            return _capital(f"{name}: {what}")
        field = _field(plain)
        return _capital(f"{name} for {field}" if field else name)
    candidates = sorted(_phrases(plain), key=lambda pair: -pair[0])
    for _, phrase in candidates:
        return _capital(phrase)
    return _capital(
        _topic(plain, set()) or _shortened(plain, _LONGEST) or plain[:_LONGEST] or "Untitled"
    )


def _plain(abstract: str) -> str:
    """Readable words without unknown macros and without abbreviations in brackets."""
    # Longer texts are no abstracts; their beginning names them well enough.
    text = readable(abstract[:6000]).replace("‑", "-")
    text = re.sub(r"\\[A-Za-z]+(?:\{\})?[, ]?", "", text)
    return " ".join(re.sub(r"(?<=[a-z]) \([A-Z][A-Za-z0-9-]{1,7}\)", _bracketed, text).split())


def _bracketed(match: re.Match[str]) -> str:
    """Drop `(LLMs)` behind the words it repeats in lower case; a named method keeps its brackets."""
    before = match.string[max(0, match.start() - 60) : match.start()].split()
    named = before and before[-1][:1].isupper()
    return match[0] if named else ""


def _field(plain: str) -> str:
    """What the abstract's first sentences are about: `diffusion models`."""
    kinds = r"models|networks|policies|agents|transformers|learning|systems|retrieval|generation|imaging|optimization|reasoning|detection|segmentation|alignment|inference|sampling|methods"
    for span in split(plain)[:3]:
        for match in re.finditer(
            rf"\b(?P<field>(?:[A-Za-z][\w-]+ ){{1,2}}(?:{kinds}))\b", span.text
        ):
            tokens = match["field"].split()
            while tokens and (tokens[0].casefold() in _STOP or tokens[0].endswith("ly")):
                tokens.pop(0)
            if len(tokens) >= 2 and not {token.casefold() for token in tokens} & _STOP - {
                "models",
                "methods",
                "model",
            }:
                field = " ".join(tokens)
                return field if field[1:2].isupper() else field[:1].lower() + field[1:]
    return ""


def _phrases(plain: str) -> Iterator[tuple[float, str]]:
    """Candidate titles with how much they tell."""
    for number, span in enumerate(split(plain)):
        sentence = span.text.rstrip(".!? ")
        own = re.search(_OWN, sentence, re.IGNORECASE)
        named_study = re.match(r"(?:through|via|with|by) (?:a|an) ", sentence, re.IGNORECASE)
        if not own and not named_study:
            continue
        for weight, pattern in _OBJECTS:
            match = pattern.search(sentence, 0 if named_study else own.start() if own else 0)
            if not match:
                continue
            does = match.groupdict().get("does")
            if does:
                phrase = _action(does)
            elif verb := match.groupdict().get("verb"):
                phrase = _action(f"{verb.removesuffix('s')}s {match['object']}")
            else:
                phrase = _LEADING.sub("", match["object"])
            phrase = _shortened(phrase, _LONGEST)
            if re.match(r"(?:and|or|that|not|whether|it|they|by|to)\b", phrase, re.IGNORECASE):
                continue
            if len(phrase) >= _SHORTEST and len(phrase.split()) >= 2:
                yield weight - 0.15 * number + min(len(phrase), 60) / 60 - _vague(phrase), phrase


def _vague(phrase: str) -> float:
    """How little a phrase tells: pronouns and words that only point to other sentences."""
    pointing = re.search(
        r"\b(?:this|these|such|it|they|them|two|three|following|above|issues?|both|gap|limitations?|innovations|our|we|existing)\b",
        phrase,
        re.IGNORECASE,
    )
    return (2.5 if pointing else 0) + (2 if len(phrase.split()) < 3 else 0)


def _action(does: str) -> str:
    """`uses feedback from …` -> `Using feedback from …`."""
    verb, _, rest = does.partition(" ")
    if not re.fullmatch(r"[a-z]+s", verb) or verb.endswith("ss"):
        return rest if re.fullmatch(r"[a-z]+", verb) and rest else does
    if verb.endswith(("sses", "shes", "ches", "xes", "zzes")):
        stem = verb[:-2]
    elif verb.endswith("ies"):
        stem = verb[:-3] + "y"
    else:
        stem = verb[:-1]
    ending = stem[:-1] + "ing" if stem.endswith("e") and not stem.endswith("ee") else stem + "ing"
    return f"{ending} {rest}"


def _description(name: str, plain: str) -> str:
    """What the paper says its method is, right behind or before the name."""
    escaped = re.escape(name)
    room = _LONGEST - len(name) - 2
    patterns = (
        rf"(?<!\w){escaped}[\"”]?(?:\s*\([^()]*\))?[,:]\s+(?P<what>(?:an?|the first|the)\s.+)",
        rf"(?<!\w){escaped}(?:\s*\([^()]*\))?\s*[—–]\s*(?P<what>(?:an?|the first)\s.+)",
        rf"\({escaped}\)\s*(?:,|:|—|–)\s*(?P<what>(?:an?|the first)\s.+)",
        rf"(?<!\w){escaped}(?:\s*\([^()]*\))? is (?P<what>an?\s.+)",
        rf"\b(?:propose|introduce|present|develop)s? (?P<what>an? [^,.]{{12,100}}),? (?:called|named|termed|dubbed|namely),? {escaped}(?!\w)",
        rf"\b(?P<what>an? [^,.]{{4,80}}), {escaped},? (?P<more>(?:that|which) .+)",
    )
    for pattern in patterns:
        for span in split(plain):
            match = re.search(pattern, span.text)
            if not match:
                continue
            groups = match.groupdict()
            what = groups["what"] + (f" {groups['more']}" if groups.get("more") else "")
            definite = re.match("the ", what)
            what = re.sub(r"^(?:an?|the first|the) ", "", what)
            what = re.sub(
                r"^(?:(?:novel|new|simple,? (?:yet|but) (?:\w+ )?effective|simple|first)\b,? )+",
                "",
                what,
            )
            what = _shortened(_with_article(what.rstrip(".!? "), bool(definite)), room)
            if len(what.split()) >= 2:
                return what
    return ""


def _with_article(what: str, definite: bool) -> str:
    if definite:
        return f"the {what}"
    # Abbreviations are read letter by letter: an RL algorithm, a GNN.
    spelled = re.match(r"[A-Z]{2}|[A-Z]-", what)
    vowel = (
        what[:1] in "AEFHILMNORSX"
        if spelled
        else bool(re.match(r"(?i)[aeio]|u(?!n[ist]|se)", what))
    )
    return f"{'an' if vowel else 'a'} {what}"


def _shortened(phrase: str, room: int) -> str:
    """The longest whole beginning of a phrase that fits."""
    phrase = phrase.strip(' "“”.,;:')
    early = [m.start() for m in _FIRST_CUTS.finditer(phrase) if m.start() >= 25]
    if early and _balanced(phrase[: early[0]]):
        phrase = phrase[: early[0]]
    if len(phrase) > room:
        places = [m.start() for m in _CUTS.finditer(phrase) if _SHORTEST < m.start() <= room]
        places = [place for place in places if _balanced(phrase[:place])]
        phrase = phrase[: max(places)] if places else phrase[: phrase.rfind(" ", 0, room)]
    phrase = _DANGLING.sub("", phrase).strip(' "“”.,;:')
    return phrase if _balanced(phrase) else phrase.partition(" (")[0]


def _balanced(text: str) -> bool:
    return text.count("(") == text.count(")") and text.count("“") == text.count("”")


def _topic(plain: str, without: set[str]) -> str:
    """The phrase of two to four words that comes back most often."""
    counts: Counter[str] = Counter()
    for run in re.split(r"[^\w\s\-/]+", plain):
        tokens = run.split()
        for size in (4, 3, 2):
            for start in range(len(tokens) - size + 1):
                gram = tokens[start : start + size]
                folded = [token.casefold() for token in gram]
                if set(folded) & (_STOP | without) or any(len(token) < 3 for token in gram):
                    continue
                counts[" ".join(gram)] += 1
    best = max(
        counts.items(),
        key=lambda pair: (pair[1] * (1 + pair[0].count(" ") / 3), len(pair[0])),
        default=("", 0),
    )
    return best[0]


def _capital(title: str) -> str:
    head = title.split(" ", 1)[0]
    # `vLLM` and `rBridge` keep their first letter.
    if any(c.isupper() for c in head[1:]):
        return title
    return title[:1].upper() + title[1:]
