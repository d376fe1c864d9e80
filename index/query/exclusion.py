"""Exclusion: what a person wants left out, and what only sounds like it.

Two kinds of words mark it. `excluding`, `but not`, `not on`, `other than` and a leading minus leave
no doubt. After `without` and `no` stands either a thing to leave out (`forecasting without
transformers`) or a part of the topic (`training without labels`); those are marked as unsure, and
the library decides (`index.query.asking`). What is known to be part of a topic is not marked at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from index.query.parts import Kind, Part
from index.text.words import words

_PAPERS = r"(?:papers?|works?|articles?|studies|ones?|publications?|preprints?|anything|those)"
_CERTAIN = re.compile(
    rf"""(?P<lead>(?:[\s,;(]+(?:but|and|while|yet)\b)?[\s,;(]*)
    (?:\b(?:excluding|exclude|excludes|except(?:\s+for)?|other\s+than|leaving\s+out|leave\s+out|leave\s+aside|omit(?:ting)?
      |minus|ignor(?:e|ing)|skip(?:ping)?|filter(?:ing)?\s+out|apart\s+from|aside\s+from|hide|hiding)\b
      (?:\s+(?:all|any)\b)?(?:\s+(?:the|those)\b)?(?:\s+{_PAPERS}\s+(?:on|about|with|using|that\s+use|involving)\b)?
    |(?:(?<=\bbut\s)|(?<=\band\s)|(?<=,\s)|(?<=^))(?:not|no)\b(?!-)(?:\s+(?:on|about|in|for|using|with|involving|based\s+on)\b)?(?:\s+any\b)?
      (?:\s+{_PAPERS}\s+(?:on|about|with|using|that\s+use|involving)\b)?
    |(?:that|which|and|who)\s+(?:do|does|did|is|are)(?:\s+not|n't|n’t)\s+
      (?:use|using|rely(?:ing)?\s+on|involve|need|require|employ|about|on|concern(?:ed\s+with)?|mention|cover|discuss|contain|include|based\s+on|study|deal\s+with)\b(?:\s+any\b)?
    |\bnot\s+(?:about|on|using|with|involving|concerning|related\s+to|based\s+on|mentioning|covering|including|dealing\s+with)\b(?:\s+any\b)?
    |\bnothing\s+(?:on|about|with|using)\b
    |\bno\s+{_PAPERS}\s+(?:on|about|with|using|that\s+use|involving)\b
    |\bNOT\b)
    \s+(?P<what>.+)""",
    re.IGNORECASE | re.VERBOSE,
)
_MINUS = re.compile(r"(?:(?<=\s)|^)[-−](?:\"(?P<quoted>[^\"]+)\"|(?P<word>[^\W\d_][\w’'-]*))(?!\S)")
_MAYBE = re.compile(
    r"(?P<lead>(?:[\s,;(]+(?:but|and|that\s+works?|which\s+works?)\b)?[\s,;(]*)"
    r"(?:\bw/o|\bwithout|\b(?:with\s+|using\s+)?no(?!-)|\bfree\s+of|\bsans|\bnot(?!-))\s+"
    r"(?:(?:using|use\s+of|the\s+use\s+of|relying\s+on|resorting\s+to|recourse\s+to|employing|involving|the\s+help\s+of)\s+)?"
    r"(?:(?:any|a|an|the|explicit|additional)\s+)?(?P<what>\S.*)",
    re.IGNORECASE,
)
# Where the thing ends: another part of the request begins, or the sentence goes on.
_ENDS = re.compile(
    r"\s*[,;.:!?()\"”]|\s+[-−](?=\w)"
    r"|\s+(?:but|since|before|after|until|published|posted|from|between|by|excluding|except|without|not|while|yet|so|please|"
    r"only|just|newest|latest|most\s+recent|sorted|in\s+(?:19|20)\d\d|in\s+the\s+(?:last|past)|(?:last|this|past)\s+"
    r"(?:week|month|year|quarter|\w+\s+(?:days|weeks|months|years))|for|on|at|via|using|with|through|when|where|because|if|"
    r"that|which|is|are|was|were|can|could|should|in)\b",
    re.IGNORECASE,
)
_AND = re.compile(
    r"\s*(?:,\s*(?:and|or|nor)\s+|,|\s+(?:and|or|nor|&)\s+|/(?=\s))\s*(?:not\s+|no\s+|without\s+)?",
    re.IGNORECASE,
)
_TRIM = re.compile(
    r"^(?:(?:any|all|the|a|an|those|these|other|such|on|about|involving|using|with)\s+)+"
    r"|(?:[\s-]+(?:papers?|articles?|works?|methods?|approach(?:es)?|techniques?|algorithms?|architectures?|ones?|stuff|"
    r"studies|publications?|preprints?|based|too|either|at\s+all|please|anymore))+$",
    re.IGNORECASE,
)
_ONE_WORD_MODELS = re.compile(
    r"^((?:\w*former|mamba|[A-Z]\w*[A-Z]\w*)s?)[\s-]+(?:models?|networks?)$"
)

_PHRASES = re.compile(
    r"^(?:only|just|merely|simply|all|every|everything|necessarily|always|enough|yet|so|too|even|to|be|being|been|been|the|"
    r"a|an|one|mere|more|longer|less|fewer|later|need|matter|doubt|wonder|way|time|free\s+lunch|loss|regret|such|other|"
    r"effects?|evidence|difference|impact|guarantees?|exceptions?|further|prior|known|as|very|really|quite|nearly|by|"
    r"what|how|why|when|where|who|it|its|their|them|this|that|these|those|you|we|i|having|knowing|losing|loosing|"
    r"sacrificing|compromising|degrading|increasing|reducing|requiring|needing|breaking|changing|hurting|harming|"
    r"forgetting|leaving|leaking|revealing|sharing|seeing|looking|touching|moving|paying|tears|borders|strings|"
    r"exception|question|consent|notice|warning|end|limits?|bounds?|hope|fear|reason)\b",
    re.IGNORECASE,
)
_RESOURCES = words(
    "supervision supervisory label labels labelled labeled annotation annotations annotated training retraining "
    "data examples demonstrations demonstration rewards reward feedback gradient gradients backpropagation backprop "
    "replacement access knowledge assumption assumptions assuming information ground-truth truth teacher teachers "
    "human humans experts expert help guidance cost costs overhead forgetting tuning fine-tuning finetuning pretraining "
    "pre-training parameters memory side noise communication synchronization normalization regularization smoothness "
    "convexity strong-convexity projections projection momentum warmup overfitting collapse hyperparameters hyperparameter "
    "internet gps vision sight maps map calibration poses pose prompts prompt instructions references reference paired "
    "parallel negatives negative-samples attention positional"
)
"""Things that methods are known for doing without."""
_VERBS = re.compile(
    r"(?:\b(?:is|are|was|were|be|do|does|did|can|could|will|would|should|may|might|must|need|needs|has|have|had|why|whether|or|if|"
    r"when|there|than|shows?|showed|found|finds?|gives?|makes?|leaves?|says?|sees?|yields?|requires?)|\w{3,}ing)\s*$",
    re.IGNORECASE,
)
_NOUNS_IN_ING = words(
    "learning training processing modeling modelling forecasting reasoning planning engineering computing clustering "
    "rendering tracking mapping coding programming prompting pruning editing sampling ranking matching pretraining "
    "finetuning pre-training fine-tuning understanding encoding decoding scheduling routing sensing imaging printing "
    "manufacturing driving parsing tagging captioning grounding alignment monitoring trading pricing grasping"
)


def exclusions(text: str) -> Iterator[Part]:
    """The things a request leaves out, each a part; several things of one marker share its span."""
    for match in _MINUS.finditer(text):
        yield _part(match.start(), match.end(), match["quoted"] or match["word"], literal=True)
    at = 0
    while certain := _CERTAIN.search(text, at):
        end, things = _things(text, certain)
        before = text[: certain.start("what")].rstrip()
        bare = re.search(r"\b(?:not|no)$", before, re.IGNORECASE) is not None
        capital = before.endswith("NOT") and not text.isupper()
        if (
            things
            and not (bare and not capital and _PHRASES.match(certain["what"]))
            and not (bare and _asks(text, certain))
        ):
            yield from (_part(certain.start(), end, thing) for thing in things)
        at = max(end, certain.start("what"))
    at = 0
    while maybe := _MAYBE.search(text, at):
        end, things = _things(text, maybe)
        if things and not _is_topic(text, maybe, things, end):
            for thing in things:
                yield _part(maybe.start(), end, thing, sure=False)
        at = max(end, maybe.start("what"))


def is_resource(thing: str) -> bool:
    """True for what methods are known for doing without: labels, supervision, fine-tuning."""
    found = re.findall(r"[\w-]+", thing.casefold())
    return bool(found) and (found[0] in _RESOURCES or found[-1] in _RESOURCES)


def _asks(text: str, match: re.Match[str]) -> bool:
    """`is X and not Y?`, `attention is not explanation`: a statement, no request to leave out."""
    before = text[: match.start()].rstrip(" ,")
    return bool(re.search(r"\b(?:whether|is|are|was|were|do|does|why)$", before, re.IGNORECASE))


def _is_topic(text: str, match: re.Match[str], things: list[str], end: int) -> bool:
    marker = re.sub(r"[\s,;(]+", " ", text[match.start() : match.start("what")]).strip().casefold()
    before = text[: match.start()].strip(" ,;(")
    first = things[0].split()[0].casefold()
    if _PHRASES.match(match["what"]):
        return True
    # "loss of generality", "effect of dropout", "access to weights": what is meant comes after.
    if re.match(r"\s+(?:of|to)\b", text[end:], re.IGNORECASE) or re.match(
        r"\w+\s+(?:of|to)\s", match["what"]
    ):
        return True
    if (
        first.endswith("ing")
        and first not in _NOUNS_IN_ING
        and len(things[0].split()) > 1
        and first != "using"
    ):
        return True
    if re.search(r"\b(?:not|no)\b", marker) and not marker.startswith(("with no", "using no")):
        # "time series, not images" leaves out; "attention is not explanation" states.
        return (
            not before
            or bool(_VERBS.search(before))
            or bool(re.match(r"\S+ing\b", first) and "no" not in marker)
        )
    return False


def _things(text: str, match: re.Match[str]) -> tuple[int, list[str]]:
    """Where the things after a marker end, and each of them."""
    start = match.start("what")
    words_there = text[start:]
    ends = len(words_there)
    for stop in _ENDS.finditer(words_there):
        comma = words_there[stop.start() : stop.end()].strip() == ","
        if stop.start() > 0 and not (comma and _goes_on(words_there[stop.end() :])):
            ends = stop.start()
            break
    said = words_there[:ends].rstrip()
    things = [thing for item in _AND.split(said) if (thing := _thing(item))]
    if not things or any(len(thing.split()) > 5 for thing in things):
        return start + len(said), []
    return start + len(said), things


def _goes_on(rest: str) -> bool:
    """True after the first comma of `surveys, tutorials and benchmarks`."""
    return bool(re.match(r"\s*(?:[\w-]+\s+){0,2}[\w-]+\s*(?:,|\s(?:and|or|nor)\s)", rest)) or bool(
        re.match(r"\s*(?:and|or|nor)\s", rest)
    )


def _thing(words_there: str) -> str:
    thing = words_there.strip(" \t,;:.!?()\"“”'")
    while (shorter := _TRIM.sub("", thing).strip()) != thing:
        thing = shorter
    if match := _ONE_WORD_MODELS.match(thing):
        thing = match[1]
    return thing if re.search(r"[^\W_]", thing) else ""


def _part(start: int, end: int, value: str, *, sure: bool = True, literal: bool = False) -> Part:
    return Part(
        kind=Kind.WITHOUT, start=start, end=end, value=value.strip(), sure=sure, literal=literal
    )
