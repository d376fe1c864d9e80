"""Phrases that tell the role of a sentence, each a feature of the model."""

from __future__ import annotations

import re

# The order is part of the model: append, and train again.
CUES: tuple[re.Pattern[str], ...] = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # What was known and what is missing.
        r"^(?:however|although|despite|while|unfortunately|traditionally|recently|existing|previous|prior|current|most|many|yet|nevertheless|in recent years|over the (?:last|past)|conventional)\b",
        r"\b(?:has|have) (?:been|become|shown|gained|received|attracted|emerged|achieved|demonstrated|made|led|revolutioni[sz]ed|proven)\b",
        r"\b(?:challeng\w+|difficult|remains?|limitations?|suffers?|fails? to|struggles?|lacks?|bottleneck|costly|expensive|underexplored|open (?:problem|question)|often|typically|usually|widely|commonly|crucial|important|essential|fundamental)\b",
        r"\b(?:existing|previous|prior|traditional|conventional|current) (?:\w+ )?(?:methods?|approaches|work|works|techniques|models|studies|systems|algorithms)\b",
        # What the paper sets out to do.
        r"\bthis (?:paper|work|article|study|thesis|report|research)\b[^.]{0,30}\b(?:propos|introduc|present|investigat|stud|address|aim|explor|examin|tackl|consider|describ|report|discuss|focus|seek|revisit)",
        r"\b(?:the (?:goal|aim|purpose|objective) of|our (?:goal|aim|objective)|we (?:\w+ )?(?:aim|seek|investigate|ask))\b",
        r"\bwe (?:\w+ )?(?:propos|introduc|present|stud|address|tackl|explor|consider|focus|revisit)",
        r"\bin this (?:paper|work|article|study)\b",
        r"\bwe (?:\w+ )?(?:propos|introduc|present|describ|develop|examin|tackl|discuss|compare)|\bto (?:address|tackle|overcome|solve|mitigate|bridge|fill|remedy|alleviate) (?:this|these|the|such)|\bto this end\b",
        r"\b(?:novel|new)\b[^.]{0,40}\b(?:method|approach|framework|algorithm|model|technique|dataset|benchmark|system|architecture)\b",
        # How it is done.
        r"\bwe (?:\w+ly |then |first |also |further |next |finally |instead )?(?:use|employ|apply|train|design|develop|formulate|combine|adopt|extend|collect|construct|build|leverage|define|derive|model|implement|utili[sz]e|integrate|incorporate|learn|compute|optimi[sz]e|introduce|represent|perform|conduct|analy[sz]e|create|generate|cast|treat|exploit|adapt|replace|augment|annotate|fine-?tune|decompose)\b",
        r"^(?:specifically|in particular|more specifically|concretely|first(?:ly)?|second(?:ly)?|third(?:ly)?|then|next|finally|our (?:\w+ )?(?:method|approach|framework|model|algorithm|system|technique|key idea)|the (?:proposed|method|approach|model|framework|algorithm|system|key idea)|by|using|inspired by|building on|based on|instead)\b",
        r"\b(?:consists? of|is based on|are based on|composed of|comprises|is trained|are trained|is used to|are used to|leverag(?:es|ing)|allow(?:s|ing)|enabl(?:es|ing)|which (?:uses|learns|enables|allows)|components?|stages?|module|loss|objective function|architecture|procedure)\b",
        # What came out.
        r"\b(?:results?|experiments?|experimental\w*|evaluations?|findings?|simulations?|empirically|analysis|analyses|study) (?:[\w-]+ ){0,8}?(?:show|demonstrat|indicat|suggest|reveal|confirm|validat|prove|highlight|illustrat|verif|establish|support)",
        r"\bwe (?:\w+ly |also |further |then |finally )?(?:show|demonstrate|find|observe|prove|achieve|obtain|report|establish|discover|conclude|validate|verify|confirm|evaluate|identify)\b",
        r"\b(?:outperform\w*|surpass\w*|state[- ]of[- ]the[- ]art|improv(?:es|ed|ement|ements|ing) (?:\w+ ){0,4}(?:by|over|up to|of)|achiev(?:es|ed|ing)|significant(?:ly)? (?:better|improv|outperform|reduc)|superior|competitive|compared (?:to|with)|in comparison|better than|effectiveness of)\b",
        r"\d+(?:\.\d+)?\s?(?:\\?%|×|x\b|\$\\times|percent|points?)|\b\d+\.\d+\b",
        r"^(?:extensive|experiments?|results?|empirical|experimental|our (?:experiments?|results?|findings?|analysis|study|evaluation)|evaluat\w+|notably|remarkably|overall|these results|the results|moreover, (?:we|our)|on (?:\w+ ){1,5}(?:benchmarks?|datasets?|tasks?))\b",
        # What is neither.
        r"\b(?:code|data|dataset|models?|implementation|software|demo|project page|videos?|supplementary|website|repository)\b[^.]{0,60}\b(?:available|released|found|published|open[- ]sourced?)\b|https?://|\bgithub\b",
        r"^(?:copyright|keywords?|index terms|\(c\)|©|to appear|accepted)\b",
    )
)  # fmt: skip
