"""The rhetorical role of each sentence of an abstract, by cues and position.

A function of sentences alone, so that a trained model can stand in for it. The roles are those of
CSAbstruct (Cohan et al. 2019, https://arxiv.org/abs/1909.04054).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum


class Role(StrEnum):
    """What a sentence does in its abstract."""

    BACKGROUND = "background"
    OBJECTIVE = "objective"
    METHOD = "method"
    RESULT = "result"
    OTHER = "other"


# A cue adds its weight to its role; several may speak in one sentence.
_CUES: tuple[tuple[Role, float, re.Pattern[str]], ...] = tuple(
    (role, weight, re.compile(pattern, re.IGNORECASE))
    for role, weight, pattern in (
        # What was known and what is missing.
        (Role.BACKGROUND, 2.0, r"^(?:however|although|despite|while|unfortunately|traditionally|recently|existing|previous|prior|current|most|many|yet|nevertheless|in recent years|over the (?:last|past)|conventional)\b"),
        (Role.BACKGROUND, 1.2, r"\b(?:has|have) (?:been|become|shown|gained|received|attracted|emerged|achieved|demonstrated|made|led|revolutioni[sz]ed|proven)\b"),
        (Role.BACKGROUND, 1.2, r"\b(?:challeng\w+|difficult|remains?|limitations?|suffers?|fails? to|struggles?|lacks?|bottleneck|costly|expensive|underexplored|open (?:problem|question)|often|typically|usually|widely|commonly|crucial|important|essential|fundamental)\b"),
        (Role.BACKGROUND, 0.8, r"\b(?:existing|previous|prior|traditional|conventional|current) (?:\w+ )?(?:methods?|approaches|work|works|techniques|models|studies|systems|algorithms)\b"),
        # What the paper sets out to do.
        (Role.OBJECTIVE, 2.6, r"\bthis (?:paper|work|article|study|thesis|report|research)\b[^.]{0,30}\b(?:propos|introduc|present|investigat|stud|address|aim|explor|examin|tackl|consider|describ|report|discuss|focus|seek|revisit)"),
        (Role.OBJECTIVE, 2.6, r"\b(?:the (?:goal|aim|purpose|objective) of|our (?:goal|aim|objective)|we (?:\w+ )?(?:aim|seek|investigate|ask))\b"),
        (Role.OBJECTIVE, 1.4, r"\bwe (?:\w+ )?(?:propos|introduc|present|stud|address|tackl|explor|consider|focus|revisit)"),
        (Role.OBJECTIVE, 1.2, r"\bin this (?:paper|work|article|study)\b"),
        (Role.METHOD, 1.6, r"\bwe (?:\w+ )?(?:propos|introduc|present|describ|develop|examin|tackl|discuss|compare)|\bto (?:address|tackle|overcome|solve|mitigate|bridge|fill|remedy|alleviate) (?:this|these|the|such)|\bto this end\b"),
        (Role.OBJECTIVE, 0.5, r"\b(?:novel|new)\b[^.]{0,40}\b(?:method|approach|framework|algorithm|model|technique|dataset|benchmark|system|architecture)\b"),
        # How it is done.
        (Role.METHOD, 1.8, r"\bwe (?:\w+ly |then |first |also |further |next |finally |instead )?(?:use|employ|apply|train|design|develop|formulate|combine|adopt|extend|collect|construct|build|leverage|define|derive|model|implement|utili[sz]e|integrate|incorporate|learn|compute|optimi[sz]e|introduce|represent|perform|conduct|analy[sz]e|create|generate|cast|treat|exploit|adapt|replace|augment|annotate|fine-?tune|decompose)\b"),
        (Role.METHOD, 1.5, r"^(?:specifically|in particular|more specifically|concretely|first(?:ly)?|second(?:ly)?|third(?:ly)?|then|next|finally|our (?:\w+ )?(?:method|approach|framework|model|algorithm|system|technique|key idea)|the (?:proposed|method|approach|model|framework|algorithm|system|key idea)|by|using|inspired by|building on|based on|instead)\b"),
        (Role.METHOD, 1.0, r"\b(?:consists? of|is based on|are based on|composed of|comprises|is trained|are trained|is used to|are used to|leverag(?:es|ing)|allow(?:s|ing)|enabl(?:es|ing)|which (?:uses|learns|enables|allows)|components?|stages?|module|loss|objective function|architecture|procedure)\b"),
        # What came out.
        (Role.RESULT, 3.0, r"\b(?:results?|experiments?|experimental\w*|evaluations?|findings?|simulations?|empirically|analysis|analyses|study) (?:\w+ ){0,6}?(?:show|demonstrat|indicat|suggest|reveal|confirm|validat|prove|highlight|illustrat|verif|establish|support)"),
        (Role.RESULT, 2.5, r"\bwe (?:\w+ly |also |further |then |finally )?(?:show|demonstrate|find|observe|prove|achieve|obtain|report|establish|discover|conclude|validate|verify|confirm|evaluate|identify)\b"),
        (Role.RESULT, 2.2, r"\b(?:outperform\w*|surpass\w*|state[- ]of[- ]the[- ]art|improv(?:es|ed|ement|ements|ing) (?:\w+ ){0,4}(?:by|over|up to|of)|achiev(?:es|ed|ing)|significant(?:ly)? (?:better|improv|outperform|reduc)|superior|competitive|compared (?:to|with)|in comparison|better than|effectiveness of)\b"),
        (Role.RESULT, 1.5, r"\d+(?:\.\d+)?\s?(?:\\?%|×|x\b|\$\\times|percent|points?)|\b\d+\.\d+\b"),
        (Role.RESULT, 1.5, r"^(?:extensive|experiments?|results?|empirical|experimental|our (?:experiments?|results?|findings?|analysis|study|evaluation)|evaluat\w+|notably|remarkably|overall|these results|the results|moreover, (?:we|our)|on (?:\w+ ){1,5}(?:benchmarks?|datasets?|tasks?))\b"),
        # What is neither.
        (Role.OTHER, 3.6, r"\b(?:code|data|dataset|models?|implementation|software|demo|project page|videos?|supplementary|website|repository)\b[^.]{0,60}\b(?:available|released|found|published|open[- ]sourced?)\b|https?://|\bgithub\b"),
        (Role.OTHER, 3.0, r"^(?:copyright|keywords?|index terms|\(c\)|©|to appear|accepted)\b"),
    )
)  # fmt: skip


def roles(sentences: Sequence[str]) -> list[Role]:
    """One role for each sentence of one abstract, in order."""
    found: list[Role] = []
    begun = False
    for number, sentence in enumerate(sentences):
        weights = _weights(sentence, number, len(sentences), begun)
        best = max(weights, key=lambda role: weights[role])
        begun = begun or best is not Role.BACKGROUND
        found.append(best)
    return found


def _weights(sentence: str, number: int, total: int, begun: bool) -> dict[Role, float]:
    place = number / max(1, total - 1)
    weights = {
        Role.BACKGROUND: 2.2 * (1 - place) - (1.4 if begun else 0),
        Role.OBJECTIVE: 0.3 - (1.0 if begun and place > 0.6 else 0),
        Role.METHOD: 1.8 - 3.0 * abs(place - 0.55) + (0.6 if begun else -0.4),
        Role.RESULT: 2.6 * place - 0.8,
        Role.OTHER: 0.0,
    }
    for role, weight, cue in _CUES:
        if cue.search(sentence):
            weights[role] += weight
    return weights
