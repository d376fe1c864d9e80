"""Words of the field: names, abbreviations, and words of like meaning."""

from __future__ import annotations

import re

from index.lexical import fold, stem
from index.paper import Paper

_DASHES = re.compile(r"[\u2010-\u2015\u2212]")
_NAME = re.compile(r"(?<![\w-])[A-Za-z0-9][\w+]*(?:[-.][A-Za-z0-9]+)*(?![\w])")


_GROUPS = (
    "beat beats outperform surpass exceed better superior best win",
    "improve improvement gain increase boost enhance raise higher growth rise rose climb up",
    "reduce reduction decrease lower drop fall fell decline cut shrink shorten less fewer save saving",
    "fast faster speed speedup quick latency throughput accelerate acceleration runtime time",
    "cost expensive budget price cheap overhead",
    "choose choosing pick select selection",
    "label labels annotate annotation labeling",
    "table tables tabular",
    "picture image photo visual images pixel",
    "question query queries",
    "test evaluate evaluation benchmark assess validate experiment experiments",
    "dataset datasets data corpus corpora",
    "keep preserve maintain retain",
    "remove eliminate discard rid",
    "fake synthetic artificial",
    "car cars driving vehicle vehicles autonomous",
    "doctor medical clinical medicine patient hospital",
    "answer response responses reply",
    "problem challenge issue limitation difficulty struggle suffer drawback shortcoming",
    "cause due lead reason because stem",
    "need require necessitate depend",
    "part component stage step phase module",
    "extra additional further add",
    "new novel",
    "short concise brief shorter",
    "remember memorize memorise memorization memorisation",
    "hard difficult harder challenging",
    "wrong incorrect error errors mistake mistakes",
    "build construct create creation construction",
    "size large big scale billion parameters",
    "bigger larger",
    "agent agents",
    "score accuracy performance",
    "train training trained retrain",
    "tiny small",
    "secure security safe safety",
    "noise noisy",
    "explain explanation interpret interpretability interpretable attribution",
    "code program repository github open-source implementation",
    "store storage storing compress compact",
    "pair comparison pairwise",
    "article wikipedia page",
    "cheap cheaper inexpensive efficient",
    "break broke broken",
    "build built",
    "take took taken",
    "give gave given",
    "teach taught",
    "grow grew grown growth",
    "drive drove driven driving",
    "try tried trial",
    "copy leak leakage extraction steal",
    "hidden invisible embedded",
    "robot robotic humanoid embodied",
    "song music audio",
    "hospital clinical",
    "guarantee provable provably theoretical theory proof prove",
    "human person people",
    "attack adversarial jailbreak",
    "recover reconstruct reconstruction restore",
)
_COUNTED_ALIKE = (
    "part component stage step phase module",
    "dataset data corpus benchmark testbed",
    "picture image photo",
    "scenario setting",
    "example sample instance",
)
"""Nouns that may stand for each other where things are counted or asked for."""
SYNONYMS: dict[str, frozenset[str]] = {}
for _group in _GROUPS:
    _stems = frozenset(stem(word) for word in _group.split())
    for _word in _stems:
        SYNONYMS[_word] = SYNONYMS.get(_word, frozenset()) | _stems
ALIKE: dict[str, frozenset[str]] = {
    stem(word): frozenset(stem(other) for other in group.split())
    for group in _COUNTED_ALIKE
    for word in group.split()
}


def plain(text: str) -> str:
    """Lower case, plain hyphens, no marks of emphasis, single blanks: for comparing names."""
    text = _DASHES.sub("-", text)
    text = re.sub(r"\\text\w+\{([^{}]*)\}", r"\1", text).replace("*", "")
    return " ".join(fold(text).split())


def contains(paper: Paper, name: str) -> bool:
    """True where title, handle or abstract have the name as a whole word."""
    key = plain(name)
    pattern = rf"(?<!\w){re.escape(key)}(?:s|'s)?(?!\w)"
    return bool(
        re.search(pattern, plain(paper.title))
        or re.search(pattern, plain(paper.abstract))
        or handle_form(name) == paper.handle
    )


def contains_title(paper: Paper, name: str) -> bool:
    """True where the title has the name as whole words."""
    return bool(re.search(rf"(?<!\w){re.escape(plain(name))}(?!\w)", plain(paper.title)))


def handle_form(name: str) -> str:
    """A name as a handle would have it."""
    return re.sub(r"[^a-z0-9]", "", fold(name))


def name_like(text: str) -> list[str]:
    """The words of a text that are written like names: `ActiveDPO`, `SSE-H`, `GPT-4`, `KV`."""
    found = []
    for match in _NAME.finditer(_DASHES.sub("-", text)):
        word = match[0]
        letters = re.sub(r"[^A-Za-z]", "", word)
        capitals = sum(letter.isupper() for letter in word)
        inside = any(letter.isupper() for letter in word[1:])
        digits = any(letter.isdigit() for letter in word) and letters
        if len(word) > 1 and (inside or digits) and (capitals or digits):
            found.append(word)
    return list(dict.fromkeys(found))
