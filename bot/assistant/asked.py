"""What a question asks for: its telling words, the noun it wants, whether it wants a number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from bot.assistant.lexicon import ALIKE, SYNONYMS, name_like, plain
from index.lexical import STOP_WORDS, fold, stem, stems
from index.text.abbreviations import ABBREVIATIONS
from index.text.words import words as _words

GENERIC = _words(
    "paper papers work works study studies article articles author authors method methods approach "
    "approaches technique techniques framework frameworks algorithm algorithms system use uses used "
    "using propose proposes proposed introduce introduces introduced present presents presented report "
    "reports reported reporting achieve achieves achieved get gets got reach reaches reached show shows "
    "showed shown demonstrate demonstrates obtain obtains obtained give gives given tell say says said "
    "mention mentions describe describes explain claim claims find finds found happen happens make makes "
    "made need want exactly really actually kind kinds type types sort sorts thing things much many "
    "please called named call name one ones abstract library research researchers people "
    "according main key general overall different various certain particular able across rely relies "
    "employ employs employed apply applies applied based come comes go goes take takes took taken work "
    "working consist consists help helps let know knows mean means idea compared relative versus "
    "try tries tried enough sufficient suffice apart contain contains contained include includes included comprise comprises cover covers covered hold "
    "holds provide provides involve involves country countries come there per among whether instead even ever also still only yet already"
)
"""Words of a question that no sentence of an abstract need have."""

VAGUE = _words(
    "score result results problem problems issue issues way ways reason reasons role effect effects impact "
    "advantage advantages benefit benefits contribution contributions finding findings conclusion "
    "conclusions number value gain gains improvement improvements performance difference challenge "
    "challenges limitation limitations goal aim purpose motivation point property properties factor "
    "amount quantity percentage percent fraction share proportion extent degree size level rate "
    "evidence insight insights novelty claim answer drawback drawbacks weakness weaknesses strength "
    "range kind assumption alternative alternatives setting settings task tasks context"
)
"""Nouns a question may ask for that the answering sentence seldom says."""

_AUXILIARY = r"is|are|was|were|do|does|did|can|could|has|have|had|will|would|should|may|might|must"
_BOUNDARY = (
    rf"{_AUXILIARY}|of|in|on|for|to|that|which|with|by|from|as|at|when|it|they|used|using|the|a|an|"
    r"about|compared|between|than|into|over|under|after|before|during|per|without|across|against|beat|beats"
)
_HOW_MANY = re.compile(
    r"\bhow\s+many\s+(?P<a>[\w-]+(?:\s+[\w-]+){0,3})|\bnumber\s+of\s+(?P<b>[\w-]+(?:\s+[\w-]+){0,2})",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\bhow\s+(?:many|much|large|big|high|low|long|small|fast|often|far|deep|wide|tall|old|strong|"
    r"accurate|expensive|heavy)\b"
    r"|\b(?:what|which)\s+(?:(?!(?:happen|cause|determine|affect|influence|limit|improve|raise|reduce)\w*\s)"
    r"\w+\s+){0,3}?(?:percentage|percent|fraction|share|proportion|number|score|"
    r"accuracy|rate|ratio|factor|speedup|speed-up|size|count|threshold|dimension|learning\s+rate|"
    r"f1|bleu|auc|perplexity|error|throughput|latency|budget|temperature)\b"
    r"|\bwhat(?:'s|\s+is|\s+was|\s+are|\s+were)\s+(?:the|its|their)\s+(?:\w+\s+){0,3}?(?:percentage|"
    r"fraction|number|score|accuracy|rate|ratio|speedup|size|error|throughput|latency|gain|improvement|"
    r"reduction|increase|decrease|drop)\b"
    r"|\bby\s+(?:how\s+much|what)\b",
    re.IGNORECASE,
)
NUMBER_WORDS = (
    "two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred "
    "thousand million billion dozen dozens half halves halved third quarter twice double doubles "
    "doubled triple tripled zero couple tens hundreds thousands magnitude fold"
)
_COUNTRY = re.compile(r"\b(?:which|what)\s+(?:country|countries|nation)\b", re.IGNORECASE)
COUNTRIES = re.compile(
    r"\b(?:Argentina|Australia|Austria|Bangladesh|Belgium|Brazil|Britain|Canada|Chile|China|Colombia|Denmark|"
    r"Egypt|England|Ethiopia|Finland|France|Germany|Ghana|Greece|India|Indonesia|Iran|Ireland|Israel|Italy|Japan|"
    r"Kenya|Korea|Malaysia|Mexico|Netherlands|New Zealand|Nigeria|Norway|Pakistan|Peru|Philippines|Poland|Portugal|"
    r"Russia|Rwanda|Saudi Arabia|Scotland|Singapore|South Africa|Spain|Sweden|Switzerland|Taiwan|Tanzania|Thailand|"
    r"Turkey|UK|Uganda|Ukraine|United Kingdom|United States|U\.S\.|USA|Vietnam)\b"
)
TIME = re.compile(
    r"\b(?:seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?|ms)\b", re.IGNORECASE
)
UNITS = re.compile(
    r"\b(?:seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?|ms|tokens?|words|frames?|steps?|characters|"
    r"epochs?|pages|metres?|meters?|km|cm|times|faster|slower)\b|[×x]\b|\\times",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"(?<![A-Za-z\d])\d[\d,]*(?:\.\d+)?")
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(NUMBER_WORDS.split())})\b", re.IGNORECASE)
_LISTED = re.compile(r"\w[^.;:]*,\s+[^,.;:]+,?\s+(?:and|or)\s+\w", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, taken apart."""

    text: str
    names: tuple[str, ...]
    """Words written like names, none of them an abbreviation everybody uses."""
    words: tuple[str, ...]
    """Its telling words without the names, as written."""
    head: tuple[str, ...]
    """The words of the noun it asks for ("batch", "size"); empty where it asks for none."""
    number: bool
    counted: tuple[str, ...]
    """What "how many" counts."""
    open_ended: bool
    """True where nothing is asked but what the paper is or does."""
    duration: re.Pattern[str] | None = None
    """The units of what "how long" or "how fast" asks for; None where a question does not."""
    country: bool = False
    """True where a country is asked for."""
    proper: tuple[str, ...] = ()
    """Names of several words ("Natural Questions") that the answering paper must have."""


def take_apart(question: str, known: Iterable[str] = ()) -> Asked:
    """Take a question apart; `known` are words that named a paper already, and ask nothing."""
    text = question.strip()
    rest = text
    for name in sorted(known, key=len, reverse=True):
        rest = re.sub(rf"(?<!\w){re.escape(name)}(?:['’]s)?(?!\w)", " ", rest, flags=re.IGNORECASE)
    names = tuple(n for n in name_like(rest) if fold(n).rstrip("s") not in ABBREVIATIONS)
    telling = re.sub(
        r"\bhow\s+(?:long|large|big|far|fast|high|low|small|deep)\b", " ", rest, flags=re.IGNORECASE
    )
    said = [
        word
        for word in re.findall(r"[^\W_]+(?:[-'’][^\W_]+)*", telling)
        if not any(word in name or name in word for name in names)
    ]
    if noun := _AUXILIARY_NOUN.search(text):
        said.append(noun["noun"] + "s")
    words = tuple(
        dict.fromkeys(
            part
            for word in said
            for part in fold(re.sub(r"['’]s$", "", word)).split("-")
            if part not in STOP_WORDS and part not in GENERIC and len(part) > 1
        )
    )
    many = _HOW_MANY.search(rest)
    counted = _noun(many["a"] or many["b"]) if many else ()
    return Asked(
        text=text,
        names=names,
        words=words,
        head=counted or _head(rest),
        number=bool(_NUMBER.search(rest)),
        counted=counted,
        open_ended=not words and not names,
        duration=_duration(rest),
        country=bool(_COUNTRY.search(rest)),
        proper=tuple(_proper(rest)),
    )


# "How do I write a will?" asks about wills, which as an auxiliary would ask nothing.
_AUXILIARY_NOUN = re.compile(
    r"\b(?:a|an|the|my|your|his|her|our|their)\s+(?:[\w-]+\s+)?(?P<noun>will|can|might|must)\W*$",
    re.IGNORECASE,
)


def _proper(text: str) -> list[str]:
    """Runs of capitalised words inside a sentence that is not all in capitals."""
    tokens = re.findall(r"[^\W_]+(?:[-'’.][^\W_]+)*|[^\w\s]", text)
    lower = sum(token[0].islower() for token in tokens)
    if 2 * lower < sum(token[0].isalpha() for token in tokens):
        return []
    runs: list[list[str]] = [[]]
    for token in tokens[1:]:
        if token[0].isupper() and token[1:] == token[1:].lower():
            runs[-1].append(token)
        elif runs[-1]:
            runs.append([])
    return [" ".join(run) for run in runs if len(run) > 1]


def _duration(text: str) -> re.Pattern[str] | None:
    if not re.search(r"\bhow\s+(?:long|fast)\b", text, re.IGNORECASE):
        return None
    taking = re.search(r"\b(?:takes?|took|train\w*|runs?|last(?:s|ed)?)\b", text, re.IGNORECASE)
    return TIME if taking else UNITS


def _head(text: str) -> tuple[str, ...]:
    match = re.search(
        rf"\b(?:what|which)\s+(?!(?:{_BOUNDARY})\b)(?P<a>[\w-]+(?:\s+(?!(?:{_BOUNDARY})\b)[\w-]+){{0,3}})"
        rf"\s+(?P<next>{_BOUNDARY})\b"
        rf"|\bwhat(?:'s|\s+(?:is|are|was|were))\s+(?:the|its|their)\s+"
        rf"(?P<b>[\w-]+(?:\s+(?!(?:{_BOUNDARY})\b)[\w-]+){{0,3}})",
        text,
        re.IGNORECASE,
    )
    if match:
        return _noun(match["a"] or match["b"])
    if match := re.match(r"who\s+(?:has\s+|have\s+)?(\w+ed)\b", text.strip(), re.IGNORECASE):
        return (fold(match[1]),)
    # "Which small models beat X": no auxiliary parts the noun from its verb; its plural does.
    match = re.search(r"\bwhich\s+((?:[\w-]+\s+){0,2}?[\w-]+[^s\W]s)\b", text, re.IGNORECASE)
    return _noun(match[1])[-1:] if match else ()


def _noun(text: str) -> tuple[str, ...]:
    out = []
    for word in text.split():
        if re.fullmatch(rf"{_BOUNDARY}", word, re.IGNORECASE):
            break
        folded = fold(word)
        if folded not in STOP_WORDS and folded not in GENERIC:
            out.append(folded)
    return tuple(out)


@dataclass(frozen=True, slots=True)
class Said:
    """The words of a sentence, ready to be compared."""

    text: str
    stems: frozenset[str]

    @staticmethod
    def of(text: str) -> Said:
        """The stems of a text, with abbreviations of the field spelled out both ways."""
        return _said(text)

    def has(self, word: str) -> bool:
        """True where the sentence says the word, one of its forms, or one like it."""
        return self.closeness(word) > 0

    def closeness(self, word: str) -> float:
        """1 for the word itself, .8 for one of its forms, .6 for one of like meaning, else 0."""
        wanted = stem(fold(word))
        if wanted in self.stems or fold(word) in self.stems or fold(word) in self.text.split():
            return 1.0
        if not re.search(r"\d", word) and any(_same_root(wanted, other) for other in self.stems):
            return 0.8
        if SYNONYMS.get(wanted, frozenset()) & self.stems:
            return 0.6
        spelled = ABBREVIATIONS.get(fold(word).rstrip("s"))
        if spelled and set(stems(spelled)) <= self.stems:
            return 1.0
        return 0.0

    def names(self, word: str) -> bool:
        """As `has`, for the noun a question asks for: an optimizer is not an optimization."""
        folded = fold(word)
        if re.search(r"(?:er|or)s?$", folded) and len(word) > 5:
            bare = folded.removesuffix("s")
            return bare in {o.removesuffix("s") for o in re.findall(r"[^\W_]+", self.text)}
        alike = ALIKE.get(stem(folded), frozenset())
        return self.closeness(word) >= 0.8 or bool(alike & self.stems)

    def weighted(self, weights: Mapping[str, float]) -> float:
        """How much of these words the sentence says, by their weights, 0..1."""
        total = sum(weights.values())
        if not total:
            return 0.0
        return sum(weight * self.closeness(word) for word, weight in weights.items()) / total

    def share(self, words: Iterable[str]) -> float:
        """How much of these words the sentence says, 0..1."""
        wanted = list(words)
        if not wanted:
            return 0.0
        return sum(self.closeness(word) for word in wanted) / len(wanted)


@lru_cache(512)
def _said(text: str) -> Said:
    flat = plain(text)
    found = set(stems(flat))
    for short, long in ABBREVIATIONS.items():
        if stem(short) in found or stem(short + "s") in found:
            found.update(stems(long))
        elif long in flat.replace("-", " "):
            found.add(stem(short))
    return Said(flat, frozenset(found))


def _same_root(one: str, other: str) -> bool:
    """`parameter` and `parameteriz`, `disagr` and `disagre`: a long beginning in common."""
    if one[:5] != other[:5]:
        return False
    short, long = sorted((one, other), key=len)
    common = 0
    for a, b in zip(short, long, strict=False):
        if a != b:
            break
        common += 1
    return (common >= 6 and common >= 0.75 * len(short)) or (common == len(short) and common >= 5)


def has_number(text: str, names: Iterable[str] = ()) -> bool:
    """True where a sentence gives a number that is no part of a name."""
    for name in names:
        text = text.replace(name, " ")
    text = re.sub(r"https?://\S+|\b(?:19|20)\d\d\b", " ", text)
    return bool(_DIGITS.search(text) or _NUMBER_WORD.search(text))


def counts(text: str, counted: Iterable[str]) -> float:
    """How surely a sentence counts a thing: 1 for "405 tools", .5 for a list of its members, or 0."""
    wanted = list(counted)
    if not wanted:
        return 0.5 * has_number(text)
    tokens = re.findall(r"[^\W_]+(?:[.,]\d+|[-‐‑][^\W_]+)*", _as_plain_numbers(text))
    noun = wanted[-1]
    for place, token in enumerate(tokens):
        if not Said.of(token).names(noun):
            continue
        if place + 1 < len(tokens) and re.fullmatch(r"[\d.,]+", tokens[place + 1]):
            return 0.5
        for before in reversed(tokens[max(0, place - 6) : place]):
            if _is_number(before):
                return 1.0
            # "400 image and caption pairs" counts them, where both words are asked for;
            # "a 10.7% gain with a template" counts no templates.
            if fold(before) in {"and", "or"} and len(wanted) > 2:
                continue
            if fold(before) in STOP_WORDS:
                break
    listed = re.search(r"\b(?:including|namely|covering|i\.e\.)|:", text)
    return 0.5 if listed and _LISTED.search(text) and Said.of(text).names(noun) else 0.0


def _as_plain_numbers(text: str) -> str:
    return re.sub(r"(\d)[Kk]\b", r"\1 thousand", text)


def _is_number(word: str) -> bool:
    return bool(re.fullmatch(r"\d[\d.,]*[KkMB]?|one|single", word) or _NUMBER_WORD.fullmatch(word))
