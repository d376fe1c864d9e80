"""How many false sentences the guard catches, and how many true ones it drops.

    python -m tests.bench.guards SUMMARIES ABSTRACTS [--papers N] [--show KIND] [--passed]

SUMMARIES is a JSON Lines file with `title`, `text` and `tldrs` of papers, ABSTRACTS anything
that `index add` reads. True sentences are made from an abstract's own by edits that keep the
meaning (third person, connectives and brackets dropped), and from summaries all of whose figures,
names and four fifths of whose words stand in the abstract. False ones are made from the true ones:
a figure changed, a name exchanged, a negation put in, another paper cited. Each is checked among
the five papers of the set that are nearest to its own, as in a conversation about one topic.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from bot.assistant.grounding import ground
from bot.assistant.numbers import equal, numbers
from bot.assistant.wording import content, flat, names
from index.paper import Paper
from index.sources.files import read_file
from index.text.sentences import split
from index.text.tex import clean

NEIGHBOURS = 4
_VERB = re.compile(
    r"\b(is|are|can|improves?|outperforms?|achieves?|requires?|leads?|learns?|uses?|shows?|provides?|"
    r"reduces?|allows?|enables?|introduces?|propose|present|demonstrate|develop)\b"
)
_THIRD = (
    (r"\bwe've\b", "they have"), (r"\bwe\b", "the authors"), (r"\bour\b", "their"),
    (r"\bus\b", "them"), (r"\bours\b", "theirs"),
)  # fmt: skip
_OPENING = re.compile(
    r"^(?:however|moreover|furthermore|finally|specifically|in particular|in this (?:paper|work)|here|"
    r"in addition|additionally|to this end|thus|therefore|notably|indeed),? ",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence with its citation, and the papers it is checked against."""

    kind: str
    text: str
    cites: str
    papers: tuple[Paper, ...]

    def problems(self) -> list[str]:
        """What the guard has against it."""
        cited = " ".join(f"{part.text.rstrip('. ')} [{self.cites}]." for part in split(self.text))
        checked = ground(cited, {paper.handle: paper for paper in self.papers})
        return [sentence.problem for sentence in checked.sentences if sentence.problem]


def retold(sentence: str) -> str:
    """The sentence as another would say it, its meaning kept."""
    text = _OPENING.sub("", sentence)
    text = re.sub(r" \([^()]*\)", "", text)
    for pattern, said in _THIRD:
        text = re.sub(pattern, said, text, flags=re.IGNORECASE)
    return text[:1].upper() + text[1:]


def supported(summary: str, abstract: str) -> bool:
    """Whether all figures and names and four fifths of the words stand in the abstract."""
    words, there = content(flat(summary)), {word.stem for word in content(flat(abstract))}
    given = numbers(flat(abstract))
    folded = flat(abstract).casefold()
    return (
        len(words) > 3
        and all(any(equal(n, g) for g in given) for n in numbers(flat(summary)))
        and all(name.casefold() in folded for name in names(flat(summary)))
        and sum(word.stem in there for word in words) >= 0.8 * len(words)
        and not re.search(r"\b(?:not|no|without|n't|never)\b", summary)
    )


def negated(text: str) -> str:
    """The sentence with its first verb denied, or an empty string."""
    match = _VERB.search(text)
    if not match:
        return ""
    word = match[1]
    said = {"is": "is not", "are": "are not", "can": "cannot"}.get(word) or (
        f"does not {word[:-1]}" if word.endswith("s") else f"do not {word}"
    )
    return text[: match.start()] + said + text[match.end() :]


def other_figure(text: str, chance: random.Random) -> str:
    """The sentence with one figure changed, or an empty string."""
    plain = flat(text)
    found = [n for n in numbers(plain) if re.search(r"\d", n.text)] or list(numbers(plain))
    if not found:
        return ""
    figure = chance.choice(found)
    digits = re.search(r"\d+(?:\.\d+)?", figure.text)
    if digits:
        places = len(digits[0].partition(".")[2])
        value = float(digits[0]) * chance.choice([0.5, 1.1, 1.3, 2, 3]) + chance.choice([1, 2])
        said = figure.text.replace(digits[0], f"{value:.{places}f}", 1)
    else:
        few = ["two", "three", "four", "five", "six", "eight", "nine"]
        said = chance.choice([word for word in few if word != figure.text.casefold()])
    return plain[: figure.start] + said + plain[figure.end :]


def other_name(text: str, paper: Paper, pool: list[str], chance: random.Random) -> str:
    """The sentence with one name exchanged for one of another paper, or an empty string."""
    plain = flat(text)
    mine = sorted(set(names(plain)))
    there = flat(f"{paper.title} {paper.abstract}").casefold()
    others = [name for name in pool if name.casefold() not in there]
    if not mine or not others:
        return ""
    return plain.replace(chance.choice(mine), chance.choice(others))


def cases(papers: list[Paper], summaries: dict[str, str], seed: int = 7) -> Iterator[Case]:
    """All cases of a set of papers, in a fixed order."""
    chance = random.Random(seed)
    bags = [frozenset(w.stem for w in content(flat(f"{p.title} {p.abstract}"))) for p in papers]
    pool = sorted({name for p in papers for name in names(flat(p.abstract))})
    for i, paper in enumerate(papers):
        nearest = sorted(
            (j for j in range(len(papers)) if j != i),
            key=lambda j: -len(bags[i] & bags[j]) / max(1, len(bags[i] | bags[j])),
        )[:NEIGHBOURS]
        among = (paper, *(papers[j] for j in nearest))
        sentences = [span.text for span in split(paper.abstract) if 40 < len(span.text) < 300]
        true = [retold(chance.choice(sentences))] if sentences else []
        summary = " ".join(clean(summaries.get(paper.handle, "")).split()).rstrip(".")
        if summary and supported(summary, f"{paper.title} {paper.abstract}"):
            true.append(summary)
        for text in true:
            made = Case("true", text, paper.handle, among)
            yield made
            yield replace(made, kind="paper swapped", cites=papers[nearest[0]].handle)
            for kind, edited in (
                ("number swapped", other_figure(text, chance)),
                ("name swapped", other_name(text, paper, pool, chance)),
                ("negated", negated(text)),
            ):
                if edited:
                    yield replace(made, kind=kind, text=edited)


def read(summaries: Path, abstracts: Path, count: int) -> tuple[list[Paper], dict[str, str]]:
    """Papers with handles p0, p1, …, and one summary of those that have one."""
    papers, said = [], {}
    for line in summaries.read_text().splitlines()[:count]:
        row = json.loads(line)
        handle = f"p{len(papers)}"
        papers.append(
            Paper(id=f"openreview:{handle}", title=clean(row["title"]), abstract=clean(row["text"]), handle=handle)
        )  # fmt: skip
        given = row.get("tldrs") or [""]
        said[handle] = given if isinstance(given, str) else given[0]
    for record in read_file(abstracts):
        if isinstance(record, Paper):
            papers.append(replace(record, handle=f"p{len(papers)}"))
    return papers, said


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("summaries", type=Path)
    arguments.add_argument("abstracts", type=Path)
    arguments.add_argument("--papers", type=int, default=600)
    arguments.add_argument("--show", default="", help="print the cases of a kind that went wrong")
    chosen = arguments.parse_args()
    papers, summaries = read(chosen.summaries, chosen.abstracts, chosen.papers)
    flagged: dict[str, list[bool]] = defaultdict(list)
    begun = time.process_time()
    for case in cases(papers, summaries):
        problems = case.problems()
        flagged[case.kind].append(bool(problems))
        if case.kind == chosen.show and bool(problems) == (case.kind == "true"):
            print(f"- {case.text}\n    {'; '.join(problems)}")
    count = sum(map(len, flagged.values()))
    print(
        f"{count:,} sentences of {len(papers):,} papers, {1000 * (time.process_time() - begun) / count:.1f} ms each"
    )
    for kind, found in flagged.items():
        word = "dropped" if kind == "true" else "caught"
        print(f"{kind:15} {sum(found):4} of {len(found):4} {word}  {sum(found) / len(found):.1%}")


if __name__ == "__main__":
    main()
