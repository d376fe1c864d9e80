"""Words of scientific prose: stems, generic words, names, negation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from index.text.readable import readable
from index.text.words import words

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")


@lru_cache(maxsize=4096)
def flat(text: str) -> str:
    """The text as plain words and figures: no TeX, no Markdown, one kind of dash and quote."""
    text = re.sub(r"(?<=\d)(?:\{,\}|\\,|[\u2009\u202f\u00a0])(?=\d{3}(?!\d))", "", text)
    text = readable(text).replace("\\%", "%").replace("\\times", "×")
    text = re.sub(r"(?<=\d)[\u2009\u202f\u00a0](?=\d{3}(?!\d))", "", text)
    text = re.sub(r"\\[A-Za-z]+\s*|[{}$`*\\]", "", text)
    text = re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+", lambda m: "^" + m[0].translate(_SUPERSCRIPTS), text)
    text = unicodedata.normalize("NFKC", text)
    text = re.sub("[‐‑‒–—―−]+|--+", "-", text)
    text = re.sub("[‘’‚‛]", "'", re.sub("[“”„‟«»]", '"', text))
    text = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)
    return " ".join(text.split())


_ENDINGS = sorted(
    words(
        "isations izations isation ization ising izing ised ized ises izes ise ize ations ation "
        "ated ates ating ate itions ition ments ment ingly edly ities ity ness ances ance ences "
        "ence ability able ible ically ical ially ial ings ing ers er ors or ions ion ives ive "
        "ally ly ies ied es ed s al e y ic"
    ),
    key=len,
    reverse=True,
)


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A key that the forms of a word share: `evaluation`, `evaluates` and `evaluating`."""
    word = word.casefold().removesuffix("'s").replace("our", "or")
    if len(word) < 4 or not word.isalpha():
        return word.removesuffix("s") if len(word) > 3 else word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    if word.endswith("ct"):
        word = word[:-1]
    return word[:7]


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in text.split())


STOP = words(
    "a an the this that these those it its they them their there here he she his her we our us i you "
    "your my me who whom whose which what when where why how is are was were be been being am do does "
    "did done have has had having can could may might must shall should will would to of in on at by "
    "for from with without as into onto over under than then so such and or but nor not no yet if "
    "while whereas although though because since until unless via per about above below between among "
    "across through during before after again further once only own same too very just also both "
    "each every either neither all any some most more less least few many much other others another "
    "one ones out up down off s t don doesn isn aren wasn weren won hasn haven didn cannot e g i.e e.g "
    "etc vs et al however therefore thus hence moreover instead even still already rather quite well"
)
GENERIC = _stems(
    "paper papers work works study studies method methods approach approaches model models framework "
    "system technique techniques algorithm algorithms propose proposes present presents introduce "
    "introduces show shows demonstrate demonstrates find finds result results experiment experiments "
    "use uses using based new novel show achieve achieves performance improve improves improvement "
    "state art existing previous prior recent task tasks problem problems author authors abstract "
    "provide provides describe describes report reports develop develops evaluate evaluation test "
    "tests able make makes help helps allow allows enable enables compare compared comparison reach "
    "reaches obtain get gets give gives different several various two three significant better best "
    "good high higher low lower large small set sets call called name named say says state states "
    "train trained training run takes outperform outperforms yield yields main key important effective efficient simple general way approach consider address addresses"
)
"""Stems that tell one paper from another badly."""
REPORTING = _stems(
    "propose present introduce show demonstrate develop describe provide achieve find study analyze "
    "investigate evaluate explore prove derive report offer establish suggest"
)
"""What authors say they do; no abstract says that they do not."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a flat text."""

    text: str
    start: int
    end: int

    @property
    def stem(self) -> str:
        return stem(self.text)


_WORD = re.compile(r"[^\W_]+(?:['.][^\W_]+)*")


@lru_cache(maxsize=4096)
def tokens(text: str) -> tuple[Word, ...]:
    """The words of a flat text in order, parts of hyphenated words apart."""
    return tuple(Word(m[0], m.start(), m.end()) for m in _WORD.finditer(text))


def content(text: str) -> list[Word]:
    """Words that carry meaning, figures left out."""
    return [
        word
        for word in tokens(text)
        if word.text.casefold() not in STOP and not word.text[0].isdigit() and len(word.text) > 1
    ]


_NAME = re.compile(
    r"(?<!\w)(?:[A-Za-z][\w]*(?:[-.+/][A-Za-z0-9][\w]*)*\+*"
    r"|\d+(?:[Dd]|[x×]\d+|[A-Z][A-Za-z]{2,}\w*)\b)"
)
_UNREMARKABLE = words(
    "AI ML NLP DL CV NN DNN DNNs GPU GPUs CPU CPUs API ID PDF URL TLDR US UK OK SOTA I A e.g i.e Q "
    "vs TL DR LLM LLMs PhD"
)


def names(text: str) -> Iterator[str]:
    """Names of methods, models and data sets: `ActiveDPO`, `GPT-4`, `CIFAR-10`, `SSE-H`, `BLEU`."""
    for match in _NAME.finditer(text):
        name = match[0].removesuffix("'s").strip("-./")
        parts = re.split(r"[-/]", name)
        if name in _UNREMARKABLE or all(part in _UNREMARKABLE for part in parts):
            continue
        if any(_distinctive(part) for part in parts) or re.search(r"[A-Z]\w*-\d", name):
            yield name


def _distinctive(part: str) -> bool:
    bare = part.removesuffix("s")
    return bool(
        len(re.findall(r"[A-Z]", bare)) >= 2
        or re.search(r"[a-z][A-Z]|[A-Za-z]\d", part)
        or re.fullmatch(r"\d+(?:[Dd]|[x×]\d+|[A-Z][A-Za-z]{2,}\w*)", part)
    )


def proper(text: str) -> Iterator[str]:
    """Words with a capital in the middle of a sentence: `Wikipedia`, `Adam`; none in Title Case."""
    said = content(text)[1:]
    if sum(word.text[0].isupper() for word in said) > max(3, 0.75 * len(said)):
        return
    for match in re.finditer(r"(?<=[a-z0-9,;)%] )[A-Z][a-z]{2,}\b(?!\w*[A-Z0-9]|-)", text):
        yield match[0]


@lru_cache(maxsize=1024)
def initials(text: str) -> frozenset[str]:
    """Acronyms that runs of the text's words spell, with and without the small ones.

    Nearly any two letters are spelt by some two words, so those need capitals in the text.
    """
    found = set()
    every = [word.text for word in tokens(text)]
    for kept in (every, [w for w in every if w.casefold() not in STOP]):
        letters = "".join(word[0] for word in kept)
        found |= {letters[i : i + 2].casefold() for i in _pairs(letters)}
        letters = letters.casefold()
        for length in range(3, 7):
            found |= {letters[i : i + length] for i in range(len(letters) - length + 1)}
    return frozenset(found)


def _pairs(letters: str) -> Iterator[int]:
    return (match.start() for match in re.finditer(r"(?=[A-Z][A-Z])", letters))


SPELT_OUT = {
    "cnn": "convolutional", "rnn": "recurrent", "gan": "adversarial", "vae": "autoencoder",
    "gnn": "graph", "gcn": "graph", "lstm": "recurrent", "mlp": "perceptron", "dqn": "q-learning",
    "sgd": "gradient", "nmt": "translation", "asr": "recognition", "qa": "answering",
    "vqa": "answering", "rl": "reinforcement", "mdp": "markov", "pomdp": "observable",
    "gp": "gaussian", "mcmc": "monte", "ood": "distribution", "lm": "language", "kl": "divergence",
    "bnn": "bayesian", "gd": "gradient", "mt": "translation", "kg": "knowledge",
}  # fmt: skip
"""A word that stands in texts which mean the acronym without writing it."""


NEGATION = re.compile(
    r"\b(?:not|never|no|none|nor|neither|cannot|without|nothing|unable|"
    r"fail(?:s|ed|ing)?|lacks?|lacking|nowhere|incapable)\b|n't\b",
    re.IGNORECASE,
)
_DENYING = re.compile(
    NEGATION.pattern + r"|\b(?:in(?:sufficient|adequate|valid|correct|effective|efficient)\w*|"
    r"im(?:possible|practical)\w*|infeasible|limit(?:ed|ation|ations|s)|avoid\w*|eliminat\w*|remov\w*|rather|"
    r"instead|prevent\w*|drop(?:s|ping|ped)|ignor\w*|omit\w*|obviat\w*|forgo\w*|absen(?:t|ce)|hardly|barely|rarely|difficult\w*|"
    r"hard (?:to|for)|prohibitive\w*|challeng\w*|less|few(?!-)|little|independent\w*|agnostic|degrad\w*|"
    r"decreas\w*|reduc\w*|no longer)\b|\w-(?:free|less)\b",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(_DENYING.pattern + r"|\bun(?!i|der|til|less|cert|it)\w{4,}", re.IGNORECASE)
_IDIOMS = re.compile(
    r"\bnot only\b|\bno (?:longer|more than|less than|fewer than)\b|\bnot just\b|\bnot merely\b"
    r"|\bwhether or not\b|\bif not\b|\bno matter\b",
    re.IGNORECASE,
)


def negated(text: str, reach: int = 3) -> list[tuple[str, ...]]:
    """For each negation the stems of the content words it reaches, nearest first."""
    text = _IDIOMS.sub(lambda match: " " * len(match[0]), text)
    found = []
    for match in NEGATION.finditer(text):
        clause = re.split(r"[.;:()]|\bbut\b", text[match.end() :])[0]
        found.append(tuple(word.stem for word in content(clause)[:reach]))
    return found


_CLAUSES = re.compile(
    r"[.,;:()]\s|\b(?:but|while|whereas|however|although|though|that|which|because|when)\b"
    r"|\band (?=(?:says?|is|are|was|were|has|have|can|cannot|do|does|it|we|they|this|its|needs?|leaves?|"
    r"makes?|shows?|uses?|\w+ed)\b)"
)


@lru_cache(maxsize=4096)
def clauses(text: str) -> tuple[tuple[frozenset[str], bool, bool], ...]:
    """For each clause its stems, whether it denies or limits anything, and whether by a "not"."""
    text = _IDIOMS.sub(" ", text)
    return tuple(
        (
            frozenset(word.stem for word in content(clause)),
            bool(_DENYING.search(clause)),
            bool(NEGATION.search(clause)),
        )
        for clause in _CLAUSES.split(text)
    )


def sounds_negative(text: str) -> bool:
    """Whether the text denies, removes or limits anything in any way."""
    return bool(_NEGATIVE.search(_IDIOMS.sub("", text)))


_OPPOSITES = [
    (_stems(left), _stems(right))
    for left, right in (
        ("increase increases increasing raise raises grow grows", "decrease decreases decreasing reduce reduces shrink lowers lowering"),
        ("faster quicker", "slower"),
        ("higher", "lower"),
        ("larger bigger", "smaller"),
        ("more", "fewer less"),
        ("outperforms exceeds surpasses beats", "underperforms trails lags"),
        ("supervised", "unsupervised"),
        ("simple simpler", "complex"),
        ("online", "offline"),
        ("worse worsens degrades harms hurts", "better improves"),
        ("convex", "nonconvex"),
        ("linear", "nonlinear"),
        ("cheap cheaper", "expensive costly"),
        ("strong stronger", "weak weaker"),
    )
]  # fmt: skip


def opposed(sentence: str, source: str) -> tuple[str, str] | None:
    """A word of the sentence whose opposite, and not itself, stands in the source."""
    mine = {word.stem: word.text for word in tokens(sentence)}
    theirs = {word.stem: word.text for word in tokens(source)}
    for pair in _OPPOSITES:
        for left, right in (pair, pair[::-1]):
            here, there = left & mine.keys(), right & theirs.keys()
            if here and there and not (left & theirs.keys()) and not (right & mine.keys()):
                return mine[min(here)], theirs[min(there)]
    return None
