"""Words for one quantity: a sentence that names one must meet it beside the source's figure."""

from __future__ import annotations

from bot.assistant.wording import stem

_QUANTITIES = """
accuracy accurate accurately
f1 fscore
precision
recall
bleu
rouge
perplexity
time runtime latency faster speed speeds speedup speedups slower fast quick hours minutes seconds days ms milliseconds throughput accelerate accelerates accelerating acceleration
memory footprint vram ram storage
parameters parameter params
energy power
auc auroc roc
map
iou miou
fid
psnr
ssim
ndcg
reward rewards return
success
win
cost costs cheaper budget price expensive
size sizes
loss
correlation
carbon emissions
error errors wer
tokens token
languages language
data datasets dataset benchmark benchmarks corpora corpus tasks task domains environments games testbeds suites
gpus gpu
layers layer
questions question queries query prompts problems
steps step stages stage phases phase
participants people users humans annotators subjects patients
images image pictures photos videos clips frames
epochs epoch
shots shot examples example samples sample demonstrations labels pairs instances
bits bit
years year
classes class categories
papers abstracts articles documents document
""".strip().splitlines()
_CONCEPTS = {stem(word): number for number, line in enumerate(_QUANTITIES) for word in line.split()}


def concept(word: str) -> str:
    """A key that names of one quantity share."""
    key = stem(word)
    return f"#{_CONCEPTS[key]}" if key in _CONCEPTS else key


def measures_work(key: str) -> bool:
    """Whether a key of `concept` stands for a thing worked on or counted, not for a score."""
    return int(key[1:]) >= _CONCEPTS[stem("tokens")]
