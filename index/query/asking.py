"""Asking: a query carried out over the library, and what was done said in a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, replace

from index.filters import Filters
from index.naming import named
from index.paper import Paper
from index.papers import Papers
from index.query.about import Barred
from index.query.acronyms import is_short, other_names
from index.query.parts import Query, leaving_out
from index.query.relevance import relevant
from index.query.settling import settled
from index.query.spelling import meant_titles
from index.query.twins import Also, is_twin, merged
from index.search import Hit

POOL = 200
"""Papers of which the newest on a topic are chosen."""
SHORT = 8
"""Words of a topic whose abbreviations are spelled out at most."""

Search = Callable[[str, int, Filters], list[Hit]]
Find = Callable[[int], tuple[list[Hit], bool]]


@dataclass(frozen=True, slots=True)
class Found:
    """What the library has for a query."""

    hits: tuple[Hit, ...] = ()
    """Each paper once, with the links of all its records."""
    echo: tuple[str, ...] = ()
    """Lines that say how the words were read and what was left out."""
    left_out: int = 0
    """Papers that would be among the hits and are about what was excluded."""
    query: Query = field(default_factory=lambda: Query(text=""))
    """The query as it was carried out, once the library had decided what was unsure."""
    offered: tuple[Paper, ...] = ()
    """Papers whose title a misspelt one was likely meant for; the first of the hits."""
    also: Also = field(default_factory=dict)
    """Other records of the papers found, a preprint of a conference paper say, by the id shown."""


def ask(papers: Papers, search: Search, query: Query, k: int, also: Filters = Filters()) -> Found:  # noqa: B008
    """The best k papers for a query, best first; `also` is asked for besides what the words say.

    Filters and exclusions come before the best k are taken, so that k papers are found where so
    many pass. A title that reads like a request ("Attention without …") is a title.
    """
    asks = bool((query.said or query.text).strip()) or query.newest or also != Filters()
    if k <= 0 or not asks:
        return Found(query=query)
    if not query.plain and (named(papers, query.said) or meant_titles(papers, query.said)):
        query = Query(text=query.said, said=query.said)
    query, lines = settled(papers, query)
    filters = both(query.filters, also)
    narrowed = replace(query.filters, without=()) != Filters() or also != Filters() or query.newest
    if query.excluded and not query.text and not narrowed:
        # Nothing to leave it out of: the words are the topic.
        query, filters = Query(text=query.said, said=query.said), also
    wording, spelled = _spelled_out(papers, query.text) if query.text else ("", [])
    barred = Barred(papers, filters.without)
    filters = replace(filters, without=())
    hits, also_there, left_out = _passing(
        _finder(papers, search, query, wording, filters), barred, k
    )
    echo = list(query.echo)
    if query.excluded:
        line = leaving_out(query.excluded)
        echo = [leaving_out(query.excluded, left_out) if said == line else said for said in echo]
    offered = _offered(papers, query.text, hits, filters, barred)
    if offered:
        hits = _first(offered, hits)
        titles = " or ".join(f"“{paper.title}”" for paper in offered)
        lines.append(f"Nothing goes by “{query.text}”; did you mean {titles}?")
    return Found(tuple(hits[:k]), (*echo, *lines, *spelled), left_out, query, offered, also_there)


def like(similar: Callable[[int], list[Hit]], paper: Paper, k: int) -> Found:
    """The k papers most like one, each once; another record of the same paper is none of them."""
    wanted = k + 5
    while True:
        found = similar(wanted)
        hits, also_there = merged([hit for hit in found if not is_twin(hit.paper, paper)])
        if len(hits) >= k or len(found) < wanted:
            return Found(tuple(hits[:k]), also=also_there)
        wanted *= 2


def both(one: Filters, other: Filters) -> Filters:
    """Both filters at once; where both say the same thing differently, the second counts."""
    values = {
        name: getattr(other, name) or getattr(one, name)
        for name in (each.name for each in fields(Filters))
    }
    for name in ("statuses", "ids"):
        # An empty set lets nothing pass, and None everything.
        values[name] = getattr(one, name) if getattr(other, name) is None else getattr(other, name)
    values["without"] = tuple(dict.fromkeys((*one.without, *other.without)))
    return Filters(**values)


def _passing(find: Find, barred: Barred, k: int) -> tuple[list[Hit], Also, int]:
    """k different papers that are not barred, and how many that are would have been among them.

    As many are looked at as it takes: what is about a thing is seen in a paper's text, and to read
    every abstract with a common word in it would take longer than to look further down.
    """
    wanted = k + 5 if not barred else 2 * k + 20
    while True:
        found, all_of_them = find(wanted)
        out = [barred.bars(hit.paper) for hit in found]
        hits, also_there = merged([hit for hit, gone in zip(found, out, strict=True) if not gone])
        if all_of_them or len(hits) >= k:
            return hits[: 2 * k + 20], also_there, sum(out[:k])
        wanted *= 4


def _finder(papers: Papers, search: Search, query: Query, text: str, filters: Filters) -> Find:
    """The first so many papers in the order asked for, and whether there are no more."""

    def best(count: int) -> tuple[list[Hit], bool]:
        found = search(text, count, filters)
        return found, len(found) < count

    def newest(count: int) -> tuple[list[Hit], bool]:
        # Relevant first: only then does the date count.
        pool = max(POOL, 4 * count)
        found = search(text, pool, filters)
        about_it = relevant(found)
        about_it.sort(key=lambda hit: hit.paper.published, reverse=True)
        return about_it, len(about_it) < len(found) or len(found) < pool

    def listed(count: int) -> tuple[list[Hit], bool]:
        found = _listed(papers, filters, count)
        return found, len(found) < count

    if not text:
        return listed
    return newest if query.newest else best


def _listed(papers: Papers, filters: Filters, limit: int) -> list[Hit]:
    """Papers that pass the filters, the newest first."""
    rows = filters.rows(papers)
    within = "1" if rows is None else "row IN (SELECT value FROM json_each(?))"
    values = () if rows is None else (str(rows.tolist()),)
    found = papers.many(
        f"{within} ORDER BY json_extract(more, '$.published') DESC, sequence DESC LIMIT {int(limit)}",
        *values,
    )
    return [Hit(paper=paper, score=1.0, cosine=0.0, coverage=0.0) for _, paper in found]


def _offered(
    papers: Papers, text: str, hits: Iterable[Hit], filters: Filters, barred: Barred
) -> tuple[Paper, ...]:
    if not text or any(hit.exact for hit in hits):
        return ()
    meant = meant_titles(papers, text)
    if meant and filters != Filters():
        ids = frozenset(paper.id for paper in meant)
        passing = replace(filters, ids=ids if filters.ids is None else ids & filters.ids).rows(
            papers
        )
        kept = {} if passing is None else papers.at(passing.tolist())
        allowed = {paper.id for paper in kept.values()}
        meant = [paper for paper in meant if paper.id in allowed]
    return tuple(paper for paper in meant if not barred.bars(paper))


def _first(offered: Iterable[Paper], hits: list[Hit]) -> list[Hit]:
    """The offered papers before all others."""
    known = {hit.paper.id: hit for hit in hits}
    first = [
        replace(known[paper.id], exact=True, score=1.0)
        if paper.id in known
        else Hit(paper=paper, score=1.0, cosine=0.0, coverage=0.0, exact=True)
        for paper in offered
    ]
    ids = {hit.paper.id for hit in first}
    return [*first, *(hit for hit in hits if hit.paper.id not in ids)]


def _spelled_out(papers: Papers, text: str) -> tuple[str, list[str]]:
    """The topic with its abbreviations spelled out, or its long forms abbreviated, and a line on it."""
    words = text.split()
    if len(words) > SHORT:
        return text, []
    added: dict[str, str] = {}
    for word in words:
        bare = word.strip(".,;:!?()\"'“”")
        if is_short(bare) and (names := other_names(papers, bare)):
            added[bare] = names[0]
    for size in range(min(5, len(words)), 1, -1):
        for start in range(len(words) - size + 1):
            phrase = " ".join(words[start : start + size])
            if any(phrase in known for known in added):
                continue
            if names := other_names(papers, phrase):
                added[phrase] = names[0]
    if not added:
        return text, []
    said = ", ".join(f"{one} also as {other}" for one, other in added.items())
    return f"{text} {' '.join(added.values())}", [f"Searched for {said}."]
