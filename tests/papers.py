"""Eight papers that do not exist, written for the tests."""

from __future__ import annotations

from index.paper import Paper, Status


def _paper(number: int, title: str, abstract: str, *authors: str, **more: object) -> Paper:
    fields: dict[str, object] = {
        "published": f"202{number % 6}-0{number}-15",
        "venue": "ICLR 2025" if number % 2 else "NeurIPS 2024",
        "categories": ("cs.LG",) if number % 2 else ("cs.CL", "cs.LG"),
        "links": (f"https://arxiv.org/abs/2401.0000{number}",),
        "source": "arxiv",
        **more,
    }
    return Paper(
        id=f"arxiv:2401.0000{number}",
        title=title,
        abstract=abstract,
        authors=authors,
        **fields,  # type: ignore[arg-type]
    )


PAPERS = (
    _paper(
        1,
        "TideNet: Forecasting Harbour Water Levels with Gated Convolutions",
        "Harbour pilots need water levels some hours ahead, and tide tables ignore the wind. "
        "We introduce TideNet, a gated convolutional network that reads pressure maps together with gauge records. "
        "TideNet is trained on 14 years of data from 31 gauges of the North Sea. "
        "It lowers the mean error by 38% against harmonic tables and stays within 6.2 cm in storms. "
        "Rivers with locks are not covered.",
        "Yu Chen",
        "Jürgen Müller",
    ),
    _paper(
        2,
        "QLoRA-7 at the Edge: Adapting Language Models on Phones",
        "Adapting a language model on a phone runs out of memory. "
        "QLoRA-7 keeps the frozen weights in seven bits and trains low-rank adapters on top. "
        "On three phones a model of 3 billion parameters is adapted in 41 minutes. "
        "Accuracy on MMLU drops by 0.9 points.",
        "Xiaoyu Chen",
        "Ada Obi",
    ),
    _paper(
        3,
        "QLoRA-8 at the Edge: One Bit More for Language Models on Phones",
        "We revisit the memory of language models adapted on phones. "
        "QLoRA-8 spends one more bit on the frozen weights and trains low-rank adapters on top. "
        "Adaptation takes 47 minutes on three phones, and accuracy on MMLU drops by 0.2 points only.",
        "Ada Obi",
        "Li Ming",
    ),
    _paper(
        4,
        "Which Birds Sang: Counting Species from Night Recordings",
        "Counting birds by ear is slow work. "
        "We present NightEar, a transformer over spectrograms that counts species in recordings of whole nights. "
        "NightEar was tested on 212 nights from nine wetlands. "
        "It reaches an F1 of 0.81, while the accuracy of expert listeners is 87.3%. "
        "Overlapping calls remain its main source of error.",
        "Maria José Lévy",
    ),
    _paper(
        5,
        "Fewer Labels for Crop Maps through Active Sampling",
        "Mapping crops from satellites needs labelled fields, and visiting fields is expensive. "
        "We propose FieldPick, which asks for the labels of the fields whose neighbours disagree most. "
        "With 500 visited fields FieldPick matches a model trained on 4,000. "
        "Experiments cover wheat and maize in Kenya and France.",
        "Wanjiru Kamau",
        "Jean Le Goff",
    ),
    _paper(
        6,
        "A Theory of Gradient Noise in Linear Networks",
        "We study stochastic gradient descent in deep linear networks. "
        "The noise of the gradient acts as a regulariser whose strength grows with the learning rate. "
        "We prove that it prefers solutions of low rank, and simulations with up to 12 layers agree with the theory. "
        "The analysis does not extend to non-linear activations.",
        "Paul de Bruyn Kops",
    ),
    _paper(
        7,
        "SafeGrip: Reinforcement Learning of Robot Grasps without Drops",
        "Robots that learn to grasp by trial drop what they hold. "
        "SafeGrip learns a critic of slippage first, and reinforcement learning then explores only grasps that the critic calls firm. "
        "In 1,200 trials with glassware SafeGrip broke two objects; the baseline broke 61.",
        "Tomás Nowak",
        "Yu Chen",
    ),
    _paper(
        8,
        "Sorting Waste with One Camera",
        "We describe a waste sorter with one camera and a small vision network. "
        "It separates five materials at 92.4% accuracy on a public sorting line. "
        "The paper was withdrawn since the test images were part of the training set.",
        "Olu Adeyemi",
        status=Status.WITHDRAWN,
    ),
)
