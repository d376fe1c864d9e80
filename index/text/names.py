"""The name a paper gives its own method, benchmark or system, found by how such names are given."""

from __future__ import annotations

import re
from dataclasses import dataclass

from index.text.readable import readable
from index.text.sentences import split
from index.text.words import words

_LONGEST_ABSTRACT = 6000
_LONGEST_SENTENCE = 1000
_GENERIC = words(
    "ai ml nlp cv dl rl llm lm slm lrm vlm lvlm mllm vla vlas lvm fm dnn cnn rnn gnn gan vae mlp vit "
    "rlhf rlaif rlvr sft dpo ppo grpo peft lora rag qa vqa cot kv icl moe ssm ode sde pde ir gr 2d 3d "
    "4d api gpu cpu tpu flops sota ood iid id ui gui ocr asr tts mri ct eeg t2i t2v i2v us uk eu usa "
    "ieee acm iclr neurips icml acl cvpr arxiv github gpt bert transformer transformers llama qwen "
    "deepseek gemini claude imagenet cifar mnist coco kl nlg nlu ner sgd adam svm knn pca mcts mdp "
    "pomdp nas hpo clip dinov2 sam resnet unet u-net xai vl mllms ai4science iot url html json sql "
    "python pytorch cuda we our this that these those it its the a an here in on to in-context "
    "state-of-the-art sota code data results experiments model models method methods framework new "
    "novel first second third mathematical statistical bayesian gaussian markov monte carlo fourier "
    "euclidean riemannian lipschitz english chinese wikipedia openai google meta nash pareto lagrangian"
)
_NOUNS = (
    "method|framework|algorithm|model|approach|benchmark|dataset|system|architecture|technique|paradigm|"
    "strategy|suite|pipeline|agent|toolkit|library|scheme|module|network|mechanism|optimizer|procedure|"
    "objective|loss|corpus|simulator|platform|tool|metric|attack|defense|protocol|formulation|solver|"
    "estimator|sampler|tokenizer|decoder|encoder|family|environment|testbed|theory|layer|operator"
)
_VERB = (
    r"(?:propos|introduc|releas|devis|creat|describ|provid|contribut|formulat|pioneer)(?:e|es|ed|ing)"
    r"|(?:present|develop|design|construct|offer|establish|unveil|open-?sourc|curat|explor|implement)(?:e?s|e|e?d|ing|ed)?"
    r"|buil[dt](?:s|ing)?|put forward|study|studies|investigates?|instantiates?|employ|use|leverage|train|call|name|yields?|yielding|resulting in|leading to"
)
_WORD = r"[\w$@+][\w+\-‐‑–²³⁺*@&$.]{0,39}(?:/[\w\-]{1,20})?"
_CAPITAL = r"(?<![\w\-])(?=[\w@+$\-‐‑]{0,39}[A-Z])" + _WORD
_PHRASE = rf"(?P<name>{_CAPITAL}(?:[ ](?:(?:of|for|and|in|the|to|on|with|as|from)[ ](?:the[ ])?)?{_CAPITAL}){{0,5}})"
_OWN = re.compile(
    r"\b(?:we|our|I|here|this (?:paper|work|article|study|report|thesis)|the (?:present )?(?:paper|authors))\b",
    re.IGNORECASE,
)
_DIRECT = re.compile(
    rf"\b(?:{_VERB})\s+(?:the |our |an? |and |it, |new |novel |such |first |system ){{0,3}}[\"“'‘]?{_PHRASE}"
)
_CALLED = re.compile(
    r"\b(?:called|named|termed|dubbed|coined|titled|entitled|nicknamed|namely|denoted(?: as| by)?|referred to as|"
    r"abbreviated as|known as|(?:call|name|term|dub|coin|refer to)(?: (?:it|this|them|these|the|resulting|our|new|"
    rf"proposed|full|overall|final|complete|combined|as|{_NOUNS})){{0,6}})\s*[,:]?\s+(?:the |as )?[\"“'‘]?{_PHRASE}"
)
_APPOSED = re.compile(
    rf"\b(?:an?|our|the|new|novel)\s[^,.;:()]{{3,140}}?(?:,|:|—|–| -{{1,3}})\s+[\"“'‘]?{_PHRASE}(?=[\"”'’]?(?:,|\.$|;|:|\s+\(|—|–|\s+that\b))"
)
_NOUN_NAME = re.compile(rf"\b(?:{_NOUNS})s?\s+[\"“'‘(]?{_PHRASE}")
_NAME_NOUN = re.compile(
    rf"\b(?:the|our|an?|this)\s+(?:proposed |novel |new )?{_PHRASE}\s+(?:{_NOUNS})\b"
)
_BRACKETED = re.compile(
    rf"\b(?:{_VERB})\s+(?P<before>[^.;:()]{{3,160}}?)\s*\((?:abbreviated as |denoted as |called |dubbed |named |termed |or |in short |i\.e\., )?[\"“'‘]?{_PHRASE}(?:[,;][^()]{{0,60}})?[\"”'’]?\)"
)
_OURS = re.compile(
    rf"\b(?i:our|the proposed)\s+(?:proposed |new |novel )?(?:(?:{_NOUNS}),?\s+)?[\"“'‘]?{_PHRASE}"
)
_SUBJECT = re.compile(
    rf"(?:^|,\s)(?:Specifically, |Notably, |[A-Z]\w+, )?{_PHRASE},?\s+(?:\(\w+\)\s+)?(?:is|are|has|achieves?|outperforms?|consists?|uses?|leverages?|introduces?|employs?|enables?|improves?|reduces?|provides?|allows?|operates?|combines?|comprises?|learns?|builds?|treats?|decouples?|integrates?|trains?|models?|features?|first|then|also|consistently|significantly|can)\b"
)
_PASSIVE = re.compile(
    rf"{_PHRASE}(?:,|\s\([^()]*\))?\s+(?:is|are)\s+(?:proposed|introduced|presented|developed)\b"
)
_SHOWN = re.compile(
    rf"\b(?:show|demonstrate|find|indicate|suggest|prove|reveal|confirm|validate)s?\s+(?:that\s+)?(?:the\s+)?{_PHRASE}"
)
_SHORT = re.compile(rf"\b(?:or|in short|for short)?,?\s*{_PHRASE},? for short\b")
_MADE = re.compile(
    rf"\b(?:an?|our)\s+[^.;:()]{{3,110}}?\((?:called |named )?{_PHRASE}\)[^.;]{{0,120}}?\s(?:is|are|was)\s+(?:\w+ )?(?:proposed|introduced|presented|developed)\b"
)
_RESULT = re.compile(
    r"\b(?:outperform|achiev|surpass|exceed|improv|experiment|evaluat|result|demonstrat|state-of-the-art)",
    re.IGNORECASE,
)
_OUR_NAMED = re.compile(
    rf"\b(?i:our|the proposed)\s+(?:\w+ )?(?:{_NOUNS}),\s+[\"“'‘]?{_PHRASE}(?=[\"”'’]?,)"
)
_IN_WORD, _GOES_ON = re.compile(r"\w"), re.compile(r"[\w-]")
# Each with a word without which it cannot match, for the sake of speed.
_STRONG = ((_OUR_NAMED, ", ", 9), (_PASSIVE, "ed", 9), (_MADE, "ed", 9), (_SHORT, "for short", 14))
_WEAK = (
    (_NOUN_NAME, "", 5),
    (_NAME_NOUN, "", 6),
    (_OURS, "", 7),
    (_SUBJECT, "", 5),
    (_SHOWN, "", 4),
)
_PROPOSES = re.compile(
    r"\b(?:propos|introduc|present|develop|design|releas|buil[dt]|construct|devis|creat|curat|formulat)",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"\b(?:phenomenon|problem|issue|effect|challenge|task|ability|concept|setting|such as|like|including|e\.g\.,?|"
    r"compared to|over|existing|datasets|benchmarks|baselines?|using|based on|recent|prior|previous)\s*[,:]?\s*$"
)


@dataclass(slots=True)
class _Candidate:
    score: float
    place: int


def method_name(title: str, abstract: str) -> str | None:
    """The name this paper gives its own work (`ActiveDPO`), or None where it names nothing.

    An empty `title` means that only the abstract is known. Names of baselines, data sets that are
    only used, and words of the field (`LLM`) are not the paper's own.
    """
    title, plain = readable(title), readable(abstract[:_LONGEST_ABSTRACT])
    left = _before_colon(title)
    if left and " " not in left and _distinctive(left):
        return left
    candidates = _candidates(plain)
    if left and _is_used_as_name(left, plain, candidates):
        return left
    best = _best(candidates, title, plain)
    return _short_form(best, plain, candidates) if best else None


def _best(candidates: dict[str, _Candidate], title: str, plain: str) -> str | None:
    """The candidate that is given most clearly, most often, and where the results are told."""
    sure = [name for name, candidate in candidates.items() if candidate.score >= 6]
    if len(sure) == len(candidates) == 1:
        return sure[0]
    results = " ".join(span.text for span in split(plain) if _RESULT.search(span.text))
    best, most = None, 0.0
    for name, candidate in candidates.items():
        score = candidate.score + min(_mentions(name, plain) - 1, 4) * 0.75
        score += 1.5 * bool(_mentions(name, results)) + 4 * bool(_mentions(name, title))
        if score > most and score >= 6:
            best, most = name, score
    return best


def _mentions(name: str, text: str) -> int:
    """How often a name stands in a text as a word; a pattern made for each name costs far more."""
    found, place = 0, text.find(name)
    while place >= 0:
        end = place + len(name)
        whole = not _IN_WORD.match(text[place - 1 : place]) and not _GOES_ON.match(
            text[end : end + 1]
        )
        found += whole
        place = text.find(name, end if whole else place + 1)
    return found


def _short_form(name: str, plain: str, candidates: dict[str, _Candidate]) -> str:
    """`BWCache` for `Block-Wise Caching (BWCache)`."""
    short = (
        re.search(rf"(?<!\w){re.escape(name)}[\"”]?\s*\({_PHRASE}\)", plain)
        if " " in name
        else None
    )
    return _tidy(short["name"]) if short and _tidy(short["name"]) in candidates else name


def full_name(name: str, abstract: str) -> str:
    """What a name stands for (`SSE` -> `Sparse State Expansion`), or an empty string."""
    plain = readable(abstract)
    inside = re.search(rf"(?<!\w){re.escape(name)}\s*\((?P<full>[^()]{{8,80}})\)", plain)
    if inside and _abbreviates(name, inside["full"]):
        return inside["full"]
    before = re.search(rf"(?P<full>[^.;:()]{{5,90}}?)\s*\({re.escape(name)}\b[^()]*\)", plain)
    return _expansion(name, before["full"]) if before else ""


def _before_colon(title: str) -> str:
    """`ActiveDPO` of `ActiveDPO: …`, where it may be a name."""
    left, colon, _ = title.partition(": ")
    if not colon:
        left, colon, _ = title.partition(" - ")
    left = left.strip("\"“”'‘’ ")
    return left if colon and len(left.split()) <= 4 and _acceptable(left) else ""


def _is_used_as_name(left: str, plain: str, candidates: dict[str, _Candidate]) -> bool:
    if left.casefold() in {name.casefold() for name in candidates}:
        return True
    # `Hubble: …`: a capitalised word that the abstract uses as a name within a sentence.
    inside = re.search(rf"[a-z,(] {re.escape(left)}(?!\w)", plain)
    return bool(inside) and left[:1].isupper()


def _candidates(plain: str) -> dict[str, _Candidate]:
    found: dict[str, _Candidate] = {}
    proposing = False

    def add(name: str, score: float, place: int) -> None:
        name = _tidy(name)
        if score and _acceptable(name):
            score -= (not _distinctive(name)) + (" " in name)
            known = found.setdefault(name, _Candidate(score, place))
            known.score = max(known.score, score)

    for span in split(plain):
        sentence = span.text[:_LONGEST_SENTENCE]
        own = _OWN.search(sentence)
        proposing = proposing or bool(own and _PROPOSES.search(sentence, own.start()))
        if own:
            for match in _DIRECT.finditer(sentence, own.start()):
                add(match["name"], _direct_score(match, sentence), span.start)
            for match in _BRACKETED.finditer(sentence, own.start()):
                add(match["name"], _bracket_score(match), span.start)
            for match in _APPOSED.finditer(sentence, own.start()):
                add(match["name"], 9 if proposing else 5, span.start)
        settled = any(candidate.score >= 9 for candidate in found.values())
        for pattern, hint, score in (*_STRONG, *(_WEAK if proposing and not settled else ())):
            for match in pattern.finditer(sentence) if hint in sentence else ():
                if not _OTHERS.search(sentence[: match.start()]):
                    add(match["name"], score, span.start)
        for match in _CALLED.finditer(sentence) if own or proposing else ():
            if not _OTHERS.search(sentence[: match.start()]):
                add(match["name"], _called_score(match, bool(own)), span.start)
    return found


def _called_score(match: re.Match[str], own: bool) -> float:
    """How surely "called X" names the work as a whole rather than something met on the way."""
    around = match.string[max(0, match.start() - 60) : match.start("name")]
    final = re.search(r"\b(?:final|resulting|overall|full|complete|combined)\b", around)
    made = re.search(rf"\b(?:{_NOUNS}|tool|software|program|package|method)s?\b", around)
    return (12 if own and made else 9 if own or made else 6) + (3 if final else 0)


def _direct_score(match: re.Match[str], sentence: str) -> float:
    """How surely what stands right behind "we propose" is a name."""
    name, after = _tidy(match["name"]), sentence[match.end("name") :]
    after = after.lstrip("\"”'’")
    weak_verb = bool(
        re.match(
            r"stud|investigat|employ|use\b|leverage|explor|train|describ|provid|yield|implement|creat|call|name",
            match[0],
        )
    )
    apposed = re.match(
        r"\s*(?:,\s+(?:an?|the|which|our|one|where|short|based|built|designed)\b|:|—|–|\s-{1,3}\s|\()",
        after,
    )
    if " " in name and not apposed:
        return 4
    if weak_verb and not apposed:
        return 0
    if apposed:
        return 9 if weak_verb else 12
    if re.match(rf"\s+(?:{_NOUNS})\b", after) or re.match(
        r"\s*[,.;]|\s+(?:to|that|as|for|by|and|on|in|-)\b", after
    ):
        return 10 if _distinctive(name) else 6
    return 7 if _distinctive(name) else 3


def _bracket_score(match: re.Match[str]) -> float:
    """How surely the abbreviation in brackets stands for what is proposed, not for a part of it."""
    name, before = _tidy(match["name"]), match["before"]
    if " " in name or not _distinctive(name):
        return 0
    full = _expansion(name, before)
    head = before[: len(before) - len(full)] if full else before
    borrowed = re.search(
        r"\b(?:based on|using|with|via|from|by|through|that|which|to|into|between|against|under|than)\b",
        head,
    )
    # `Diffusion Models (DMs)` are everybody's.
    if re.fullmatch(r"[A-Z]{1,4}s", name):
        return 5
    if full:
        return 4 if borrowed else 10 if re.search(r"\b(?:of|for|in|on)\b", head) else 12
    return 3 if borrowed else 8


def _expansion(name: str, before: str) -> str:
    """The last words of `before` that `name` abbreviates."""
    tokens = re.split(r"(?<=[\s\-‐‑–])", before)
    for first in range(len(tokens) - 1, max(-1, len(tokens) - 14), -1):
        full = "".join(tokens[first:])
        if tokens[first][:1].casefold() == name[0].casefold() and _abbreviates(name, full):
            return full.strip()
    return ""


def _abbreviates(name: str, full: str) -> bool:
    """Whether the letters of the name occur in order in its words, mostly as initials."""
    letters = re.sub(r"[^A-Za-z]", "", name).casefold()
    initials = "".join(word[0] for word in re.findall(r"[^\W\d_]+", full)).casefold()
    if len(letters) < 2 or not initials or initials[0] != letters[0]:
        return False
    # As many initials as possible, then any letters in order.
    place = 0
    for letter in letters:
        place = full.casefold().find(letter, place) + 1
        if not place:
            return False
    shared = sum(letter in initials for letter in letters)
    return shared * 2 >= len(letters)


def _tidy(name: str) -> str:
    name = name.strip("\"“”'‘’ ").rstrip(".-‐–*&$")
    name = re.sub(r"[’']s$", "", name)
    # A name does not end in a function word of the sentence around it.
    return re.sub(r"(?: (?:of|for|and|in|the|to|on|with|as|from))+$", "", name)


def _distinctive(token: str) -> bool:
    """Whether a word looks like a name wherever it stands: `ActiveDPO`, `GAS`, `A2D`."""
    core = token.replace("-", "")
    capitals = sum(c.isupper() for c in core)
    inner = any(c.isupper() for c in core[1:])
    return bool(core) and (
        capitals >= 2 or inner or (capitals >= 1 and any(c.isdigit() for c in core))
    )


def _acceptable(name: str) -> bool:
    # Sizes of models are no names: `8B`.
    if (
        not 2 <= len(name) <= 60
        or re.fullmatch(r"[\d.]+[BMKTbmkx]", name)
        or not re.search(r"[A-Za-z]{2}|[A-Z]\d|\d[A-Z]", name)
    ):
        return False
    parts = name.split()
    folded = [part.casefold().rstrip("s") if len(part) < 7 else part.casefold() for part in parts]
    if len(parts) == 1:
        stem = re.sub(
            r"-(?:based|style|like|driven|free|generated|guided|specific|level|aware|enhanced|powered|trained|centric|induced|agnostic)$",
            "",
            name.casefold(),
        )
        return (
            not ({name.casefold(), folded[0], stem, stem.rstrip("s")} & _GENERIC)
            and stem == name.casefold()
        )
    return not all(part in _GENERIC or part.casefold() in _GENERIC for part in [*folded]) and parts[
        0
    ].casefold() not in {"we", "this", "our", "in", "the"}
