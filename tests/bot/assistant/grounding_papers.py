"""Abstracts written for tests, and sentences about them that are true or false by a known edit."""

from __future__ import annotations

from dataclasses import dataclass

from index.paper import Paper


def _paper(handle: str, number: int, title: str, abstract: str, *authors: str) -> Paper:
    return Paper(
        id=f"arxiv:2601.{number:05}",
        title=title,
        abstract=" ".join(abstract.split()),
        authors=authors,
        published="2026-01",
        venue="ICLR 2026",
        links=(f"https://arxiv.org/abs/2601.{number:05}",),
        handle=handle,
    )


PAPERS = (
    _paper(
        "slimcache",
        101,
        "SlimCache: Dropping What Attention Forgets",
        r"""Serving long conversations is bound by the memory that stored keys and values take up.
        SlimCache scores each cached token by the attention it drew in the last window and drops the
        lowest ones, without any retraining. On Llama-3.1-8B it shrinks the cache by $4.5\times$ and
        raises throughput by 62.5\%, while accuracy on LongBench falls by only 0.4 points. The gain
        vanishes for prompts shorter than 2,000 tokens. We tested seven serving workloads on a single
        A100 GPU.""",
        "Ines Okafor",
        "Tom Brandt",
    ),
    _paper(
        "tabmirror",
        102,
        "TabMirror: Watermarks for Generated Tables",
        r"""Synthetic tables can be traced to the generator that made them only if a mark survives
        editing. TabMirror draws several candidate rows, keeps the one whose hash matches a secret key,
        and leaves the generator itself untouched. The detector reaches an accuracy of 97.3\% (F1 of
        0.91) after 30\% of the cells were altered, and it needs 84-88\% fewer rows than the earlier
        ``column shift'' scheme. Experiments cover five public data sets, among them Adult and
        Covertype. The method does not protect against an attacker who knows the key.""",
        "Wei Zhang",
        "Lucia Moretti",
        "Anand Rao",
    ),
    _paper(
        "dualpref",
        103,
        "Choosing Which Preference Pairs to Label",
        r"""Labels for preference optimization are expensive, so one should ask only about the pairs that
        teach the most. We derive a selection rule, DualPref, from the gradient of the policy, in which
        the language model itself serves as the reward model. With 1.5 million comparisons from
        UltraFeedback, DualPref matches random selection using one third of the labels and wins 58.7% of
        head-to-head judgements by GPT-4. The theory holds for non-linear rewards, whereas earlier rules
        assumed a linear one. It cannot correct annotators who contradict each other.""",
        "Xiao Lin",
        "Arun Menon",
    ),
    _paper(
        "graphpilot",
        104,
        "GraphPilot: Molecules without Three-Dimensional Coordinates",
        r"""Predicting molecular properties usually relies on three-dimensional coordinates that are
        costly to compute. GraphPilot learns from bond graphs alone. It is pretrained on 12 million
        molecules from ZINC and fine-tuned on QM9, where its mean absolute error is 0.031 eV, compared
        with 0.045 eV for SchNet. Training took 36 hours on eight GPUs. Performance degrades on molecules
        with more than 50 heavy atoms, and crystals were not studied.""",
        "Marie Dubois",
    ),
    _paper(
        "softlin",
        105,
        "What Softmax Attention Can Do That Linear Attention Cannot",
        r"""We compare softmax and linear attention on in-context regression. For sequences of length $n$
        softmax attention attains a risk of $O(n^{-1})$, while linear attention cannot do better than
        $\Omega(n^{-1/2})$ with a single layer. Two layers of linear attention close the gap. Simulations
        with up to $10^{5}$ tokens agree with the theory to within 3%. Our analysis assumes Gaussian
        inputs and says nothing about training dynamics.""",
        "Petra Novak",
        "John Smith",
    ),
    _paper(
        "fieldnotes",
        106,
        "FieldNotes: Explanations That Disagree",
        r"""Explanation methods such as SHAP, LIME and Integrated Gradients often rank features
        differently for the same prediction. In a study with 48 data scientists we asked how people deal
        with such disagreement. Most participants (71%) trusted whichever method they knew, and only
        nine checked stability. We propose a disagreement score and an interface that shows it. Users of
        the interface found 2.3 times as many spurious features, but took longer to decide: the median
        decision time rose from 40 to 65 seconds.""",
        "Ola Nilsson",
        "Sana Iqbal",
    ),
    _paper(
        "quickstep",
        107,
        "QuickStep: Diffusion Policies in Four Denoising Steps",
        r"""Robots that act by diffusion policies respond slowly because every action needs a hundred
        denoising steps. QuickStep distils the policy into four steps with a consistency loss weighted by
        the value function. Across 15 manipulation tasks of RoboMimic and MetaWorld, the distilled policy
        keeps 98.2% of the teacher's success rate and lowers latency from 210 ms to 11 ms. On a real
        Franka arm, success was 83% over 120 trials. It was not evaluated on locomotion.""",
        "Kenji Sato",
        "Lena Fischer",
    ),
)
SOURCES = {paper.handle: paper for paper in PAPERS}


@dataclass(frozen=True, slots=True)
class Case:
    """A reply of one sentence, and what was done to it."""

    edit: str
    text: str


_TRUE = r"""
SlimCache needs no retraining [slimcache:2].
SlimCache shrinks the cache 4.5x on Llama-3.1-8B [slimcache].
Throughput rises by 62.5% [slimcache:3].
The accuracy on LongBench falls by 0.4 points [slimcache:3].
The gain vanishes for prompts below 2000 tokens [slimcache].
It was tested on 7 serving workloads with one A100 GPU [slimcache:5].
SlimCache drops the cached tokens that drew the least attention [slimcache].
TabMirror detects marks with 97.3 % accuracy after 30 % of the cells were altered [tabmirror:3].
Its detector has an F1 of 0.91 [tabmirror].
The detector's F1 is 91% [tabmirror].
TabMirror needs 84–88% fewer rows than the earlier "column shift" scheme [tabmirror].
Five public datasets were used, including Adult and Covertype [tabmirror:4].
TabMirror does not protect against attackers who know the key [tabmirror].
The generator itself stays untouched [tabmirror:2].
Its accuracy is about 97% [tabmirror].
In DualPref, the language model itself is the reward model [dualpref:2].
DualPref wins 58.7 percent of the head-to-head judgements by GPT-4 [dualpref].
The comparisons, 1,500,000 in all, come from UltraFeedback [dualpref].
DualPref's theory covers non-linear rewards [dualpref:4].
Annotators who contradict each other cannot be corrected [dualpref:5].
GraphPilot learns from bond graphs alone, without three-dimensional coordinates [graphpilot].
GraphPilot has a mean absolute error of 0.031 eV on QM9 [graphpilot:3].
SchNet's error is 0.045 eV [graphpilot].
It was pretrained on 12M molecules from ZINC [graphpilot].
Training took 36 hours on 8 GPUs [graphpilot:4].
Crystals were not studied [graphpilot].
Softmax attention attains a risk of O(n^-1) [softlin].
A single layer of linear attention cannot do better than $\Omega(n^{-1/2})$ [softlin:2].
Two layers of linear attention close the gap [softlin:3].
Simulations used up to 100,000 tokens [softlin].
The analysis assumes Gaussian inputs [softlin:5].
The study had 48 data scientists [fieldnotes].
71% of the participants trusted the method they already knew [fieldnotes:3].
Users of the interface found 2.3x as many spurious features [fieldnotes].
The median decision time rose from 40 to 65 seconds [fieldnotes:5].
SHAP, LIME and Integrated Gradients often rank features differently [fieldnotes:1].
QuickStep distils the policy into 4 denoising steps [quickstep].
The distilled policy keeps 98.2% of the teacher's success rate [quickstep:3].
Latency drops from 210 ms to 11 ms [quickstep].
On a real Franka arm it succeeded in 83% of 120 trials [quickstep:4].
QuickStep was not evaluated on locomotion [quickstep].
SlimCache raises throughput by 62.5%, whereas QuickStep lowers latency from 210 ms to 11 ms [slimcache:3; quickstep:3].
QuickStep, unlike SlimCache, was evaluated on 15 manipulation tasks [quickstep; slimcache].
Users of the FieldNotes interface found spurious features 2.3 times as often, but hardly decided faster [fieldnotes].
The 8B Llama-3.1 model's throughput rises by 62.5% [slimcache].
Nine of the 48 participants checked stability [fieldnotes].
TabMirror offers no protection against attackers who know the key [tabmirror].
Both SlimCache and QuickStep make inference faster without giving up much accuracy or success [slimcache:3; quickstep:3].
"""

_NUMBER = r"""
SlimCache shrinks the cache 5.4x on Llama-3.1-8B [slimcache].
Throughput rises by 65.2% [slimcache:3].
The accuracy on LongBench falls by 4 points [slimcache:3].
The gain vanishes for prompts below 20,000 tokens [slimcache].
It was tested on six serving workloads with one A100 GPU [slimcache:5].
TabMirror detects marks with 93.7% accuracy [tabmirror:3].
Its detector has an F1 of 97.3% [tabmirror].
Its accuracy is 0.91 [tabmirror].
Its accuracy is 97% [tabmirror].
TabMirror needs 30% fewer rows than the earlier scheme [tabmirror].
TabMirror needs 84–98% fewer rows than the earlier scheme [tabmirror].
Nine public datasets were used [tabmirror:4].
DualPref wins 85.7 percent of the head-to-head judgements by GPT-4 [dualpref].
The comparisons, 15 million in all, come from UltraFeedback [dualpref].
GraphPilot has a mean absolute error of 0.045 eV on QM9 [graphpilot:3].
It was pretrained on 12 billion molecules from ZINC [graphpilot].
Training took 8 hours on 36 GPUs [graphpilot:4].
Performance degrades beyond 12 heavy atoms [graphpilot].
Simulations used up to 10^6 tokens [softlin].
Three layers of linear attention close the gap [softlin:3].
The study had 71 data scientists [fieldnotes].
48% of the participants trusted the method they already knew [fieldnotes:3].
The median decision time rose from 40 to 56 seconds [fieldnotes:5].
QuickStep distils the policy into 5 denoising steps [quickstep].
Latency drops from 210 ms to 83 ms [quickstep].
On a real Franka arm it succeeded in 98.2% of the trials [quickstep:4].
"""

_PAPER = r"""
SlimCache shrinks the cache 4.5x on Llama-3.1-8B [tabmirror].
The gain vanishes for prompts below 2000 tokens [quickstep].
It drops the cached tokens that drew the least attention [softlin].
The generator itself stays untouched and several candidate rows are drawn [slimcache].
The language model itself serves as the reward model [graphpilot:2].
Labels for preference optimization are expensive [fieldnotes:1].
It learns from bond graphs alone [dualpref].
Molecular properties are predicted without coordinates [tabmirror].
Two layers of linear attention close the gap [slimcache:2].
The analysis assumes Gaussian inputs [graphpilot].
Explanation methods often rank features differently [dualpref:1].
People trusted whichever explanation method they knew [quickstep].
The policy is distilled into four steps with a consistency loss [fieldnotes].
Robots respond slowly because every action needs many denoising steps [slimcache:1].
"""

_NEGATED = r"""
SlimCache needs retraining [slimcache:2].
SlimCache does not raise throughput [slimcache].
TabMirror protects against an attacker who knows the key [tabmirror].
TabMirror does not leave the generator untouched [tabmirror].
DualPref can correct annotators who contradict each other [dualpref:5].
The theory does not hold for non-linear rewards [dualpref].
Crystals were studied [graphpilot].
GraphPilot never learns from bond graphs [graphpilot].
Two layers of linear attention do not close the gap [softlin:3].
The analysis does not assume Gaussian inputs [softlin].
Explanation methods never rank features differently [fieldnotes].
QuickStep was evaluated on locomotion [quickstep].
"""

_ENTITY = r"""
SlimCache shrinks the cache 4.5x on Mistral-7B [slimcache].
The accuracy on MMLU falls by 0.4 points [slimcache:3].
It was tested on a single H100 GPU [slimcache].
StableTab detects marks with 97.3% accuracy [tabmirror].
Five public data sets were used, among them Adult and Wikipedia [tabmirror].
DualPref wins 58.7% of the judgements by Claude [dualpref].
The comparisons come from HelpSteer2 [dualpref].
GraphPilot was pretrained on molecules from PubChem [graphpilot].
The error on MD17 is 0.031 eV [graphpilot].
The analysis assumes Bernoulli inputs [softlin].
SHAP, LIME and Grad-CAM often rank features differently [fieldnotes].
QuickStep was tested on the 15 manipulation tasks of RLBench [quickstep].
"""

_ATTRIBUTION = r"""
QuickStep raises throughput by 62.5% [slimcache:3; quickstep:3].
SlimCache keeps 98.2% of the success rate, and QuickStep raises throughput [slimcache; quickstep].
Linear attention is faster, and LightFlow outperforms GraphPilot [graphpilot].
"""

_QUOTATION = r"""
The authors call it a "row shift" scheme [tabmirror].
It "scores each cached token and drops the lowest ones" [slimcache].
It "drops the lowest ones, with some retraining" [slimcache].
The paper says that "Labels for preference optimization are expensive" [slimcache].
"Two layers of softmax attention close the gap." [softlin:3]
The rule "matches random selection … by GPT-4" [dualpref].
"""

_REFERENCE = r"""
This was shown by Miller et al. (2021) as well [dualpref].
The theory of arXiv:2401.99999 holds for non-linear rewards [dualpref].
The code is at https://example.org/dualpref, and the labels are expensive [dualpref].
Labels are expensive (doi:10.1234/made.up) [dualpref].
"""


def cases() -> list[Case]:
    """Every sentence with the edit that made it, `true` for none."""
    lists = {
        "true": _TRUE, "number": _NUMBER, "paper": _PAPER, "negated": _NEGATED,
        "entity": _ENTITY, "attribution": _ATTRIBUTION, "quotation": _QUOTATION, "reference": _REFERENCE,
    }  # fmt: skip
    return [
        Case(edit, line.strip())
        for edit, lines in lists.items()
        for line in lines.strip().splitlines()
    ]
