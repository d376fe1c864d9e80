"""Data sets and methods that an abstract mentions by name."""

from __future__ import annotations

import re
from collections.abc import Iterable

from index.text.words import words

# `ImageNet-1k`, `AIME24`, `BEIR`, `Natural Questions`: words written as names are.
_WRITTEN = r"(?:[A-Z][\w+]*[A-Z\d][\w+]*|[A-Z][a-z]+)(?:[-‐‑.][\w+]+)*"
_MARKED = re.compile(r"[A-Z].*[A-Z]|[A-Z].*\d|\d.*[A-Z]")
_NAME = rf"{_WRITTEN}(?:[ ]{_WRITTEN}){{0,3}}"
_LIST = rf"{_NAME}(?:(?:,? (?:and|or|as well as) |, ){_NAME})*"
# `LLaDA-8B-Instruct`: a model by its size or its family.
_MODEL = re.compile(
    r"\d[BM]\b|^(?:Ll?a?ma|LLaMA|Llama|Qwen|GPT|ChatGPT|BERT|RoBERTa|Claude|Gemini|Gemma|Mistral|Mixtral|DeepSeek|"
    r"Phi|ResNet|ViT|CLIP|SAM|DINO|T5)\w*(?:[-. ]|$)"
)
_DATA_NOUN = (
    r"(?:data ?sets?|benchmarks?|corpus|corpora|test ?sets?|leaderboards?|challenges?|suites?)"
)
_DATA = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?P<names>{_LIST}) (?:\w+ ){{0,2}}?{_DATA_NOUN}\b",
        rf"{_DATA_NOUN}(?:(?: \w+)?,? ?[(:–-]? ?(?:including|such as|like|namely|called|named|e\.g\.,?|i\.e\.,?) | ?[(:–] ?| )(?:the )?(?P<names>{_LIST})",
        rf"(?:[Ee]xperiments|[Ee]valuat\w+|[Tt]ested?|[Tt]rain(?:ed|ing)?|[Vv]alidated?|results|accuracy|performance|perplexity|state-of-the-art|\d\s?\\?%)(?: \w+)? (?:on|across|over) (?:the )?(?P<names>{_LIST})",
        rf"(?:^|, )[Oo]n (?:the )?(?P<names>{_NAME}(?: and {_NAME})*)(?=,| )",
    )
)
_METHOD_NOUN = (
    r"(?:methods?|algorithms?|models?|frameworks?|networks?|optimi[sz]ers?|architectures?|approach(?:es)?|"
    r"baselines?|techniques?|estimators?|samplers?|losses|agents?|systems?|decoders?|encoders?)"
)
_METHODS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?P<names>{_LIST}) {_METHOD_NOUN}\b",
        rf"{_METHOD_NOUN}(?:,| \()? ?(?:including|such as|like|e\.g\.,?|called|named|namely) (?P<names>{_LIST})",
        rf"(?:outperform\w*|surpass\w*|beats?|exceeds?|compared (?:to|with)|better than|than|over|versus|vs\.?|against|(?:based|built|builds) (?:up)?on|combin\w+|extends?|fine-tun\w+) (?P<names>{_LIST})",
    )
)
# Fields, kinds of model, venues and words that only open a sentence.
_NO_NAME = words(
    "ai ml nlp cv rl dl llm llms lm lms slm vlm vlms lvlm mllm mllms vla dnn dnns cnn cnns rnn rnns gnn "
    "gnns gan gans vae mlp vit nn nns sde sdes ode pde pdes mdp pomdp rag qa vqa cot icl moe ssm peft "
    "rlhf rlvr sft sota ood id iid 2d 3d 4d api gpu gpus cpu cpus tpu ui gui mri ct eeg ehr iot ir us "
    "uk eu ieee acm iclr neurips icml acl cvpr arxiv github our we the this that these those in on for "
    "with from by to a an it its however moreover here there experiments results code data dataset "
    "large language model models markov gaussian bayesian english chinese german french python "
    "transformer transformers bellman hilbert euclidean fourier monte carlo deep neural"
)


def datasets(sentences: Iterable[str]) -> tuple[str, ...]:
    """Names of the data an abstract speaks of, in order, each once."""
    return tuple(name for name in _named(sentences, _DATA) if not _MODEL.search(name))


def methods(sentences: Iterable[str], own: str, data: Iterable[str]) -> tuple[str, ...]:
    """The paper's own method first, then the others it names; what is a data set is no method."""
    known = {name.casefold() for name in data}
    named = {name.casefold(): name for name in (own, *_named(sentences, _METHODS)) if name}
    return tuple(name for folded, name in named.items() if folded not in known)


def _named(sentences: Iterable[str], patterns: tuple[re.Pattern[str], ...]) -> tuple[str, ...]:
    found: dict[str, str] = {}
    for sentence in sentences:
        places = sorted(
            (match.start("names") + part.start(), part[0])
            for pattern in patterns
            for match in pattern.finditer(sentence)
            for part in re.finditer(_NAME, match["names"])
        )
        for _, written in places:
            name = written
            # `The CIFAR-10` and `On ImageNet`: what only opens the sentence is no part of a name.
            while name and name.split()[0].casefold() in _NO_NAME:
                name = name.partition(" ")[2]
            while name and name.split()[-1].casefold() in _NO_NAME:
                name = name.rpartition(" ")[0]
            if _MARKED.search(name):
                found.setdefault(name.casefold(), name)
    return tuple(found.values())
