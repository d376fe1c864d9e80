"""Catalogue: from the words of `SOURCES` and `fetch` to sources."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from index.settings import IndexSettings
from index.sources.own_files import FileSource
from index.sources.records import SourceError
from index.sources.source import Source
from index.sources.web import Clock, Web


class UnknownSource(SourceError):
    """A word that names no source; the message says what to write."""


EXAMPLES = (
    'arxiv:cs.CL,cs.LG, openreview:ICLR.cc/2026/Conference, openalex:"graph transformers", '
    's2:"graph transformers", zotero:users/123 or file:refs.bib'
)
_ALIASES = {"s2": "semantic_scholar", "semanticscholar": "semantic_scholar"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is asked of a source besides its name; empty where nothing is."""

    since: str = ""
    """ISO date of the first day."""
    until: str = ""
    """ISO date of the last day, itself included."""
    limit: int = 0
    """At most so many papers; 0 sets none."""
    submissions: bool = False
    """OpenReview: all submissions, and not only what was accepted."""

    def days(self) -> tuple[date | None, date | None]:
        """First and last day.

        Raises:
            UnknownSource: one is no date, or they run backwards.
        """
        first, last = _day("--since", self.since), _day("--until", self.until)
        if first and last and first > last:
            raise UnknownSource(
                f"--since {first} is after --until {last}; write them the other way"
            )
        return first, last


FOLLOWED = Wish()


def followed(settings: IndexSettings) -> list[Source]:
    """The sources that `SOURCES` names, each once.

    Raises:
        UnknownSource: a word in it names none.
    """
    found = {
        source.name: source
        for word in words(settings.sources)
        for source in sources_of(word, settings, FOLLOWED)
    }
    return list(found.values())


def words(text: str) -> list[str]:
    """The words of `SOURCES`: parted by blanks, which quotation marks keep together."""
    splitter = shlex.shlex(text, posix=True, punctuation_chars="")
    splitter.whitespace_split = True
    splitter.commenters = ""
    # A path on Windows holds backslashes.
    splitter.escape = ""
    try:
        return list(splitter)
    except ValueError:
        raise UnknownSource(
            'SOURCES: a quotation mark is not closed; write words as in openalex:"graph transformers"'
        ) from None


def sources_of(word: str, settings: IndexSettings, wish: Wish) -> list[Source]:
    """The sources a word names; several where categories are parted by commas.

    Raises:
        UnknownSource: it names none, or asks what its service does not offer.
    """
    written, colon, rest = word.strip().partition(":")
    scheme = _ALIASES.get(written.casefold(), written.casefold())
    rest = rest.strip()
    wish.days()
    if colon and scheme in _MAKERS:
        if not rest:
            raise UnknownSource(f"{word!r} says not what to read; write one like {EXAMPLES}")
        return list(_MAKERS[scheme](rest, settings, wish))
    if word.strip() and Path(word).expanduser().exists():
        return list(_own_file(word, settings, wish))
    if not colon and scheme in _MAKERS:
        raise UnknownSource(f"{word!r} lacks what to read; write one like {EXAMPLES}")
    raise UnknownSource(f"{word!r} is no source and no file; write one like {EXAMPLES}")


def _offers(scheme: str, wish: Wish, *options: str) -> None:
    """Refuse what a source cannot do; passing it over would look as if it had been done."""
    asked = {name for name in ("since", "until", "limit", "submissions") if getattr(wish, name)}
    if odd := sorted(asked.difference(options)):
        raise UnknownSource(f"{scheme}: knows no --{odd[0]}; leave it out")


def _own_file(rest: str, _settings: IndexSettings, wish: Wish) -> Iterator[Source]:
    _offers("file", wish)
    yield FileSource(rest)


_ARCHIVES = frozenset(
    "astro-ph cond-mat cs econ eess gr-qc hep-ex hep-lat hep-ph hep-th math math-ph nlin nucl-ex "
    "nucl-th physics q-bio q-fin quant-ph stat".split()
)
"""https://arxiv.org/category_taxonomy"""


def category(text: str) -> str | None:
    """A category of arXiv as it is written there, or None where it is none: `CS.cl` is `cs.CL`."""
    archive, dot, subject = text.strip().partition(".")
    archive = archive.casefold()
    if archive not in _ARCHIVES:
        return None
    if not dot:
        return archive
    if re.fullmatch(r"[A-Za-z]{2}", subject):
        return f"{archive}.{subject.upper()}"
    return f"{archive}.{subject.casefold()}" if re.fullmatch(r"[A-Za-z-]{3,}", subject) else None


def _arxiv(rest: str, settings: IndexSettings, wish: Wish) -> Iterator[Source]:
    """Daily lists of categories; with days or a limit, a search in them; else ids, else words."""
    from index.identity import canonical_id
    from index.sources.arxiv import ArxivIds, ArxivListing, ArxivSearch

    if rest.startswith("oai:"):
        yield from _arxiv_history(rest.removeprefix("oai:"), settings, wish)
        return
    _offers("arxiv", wish, "since", "until", "limit")
    since, until = wish.days()
    parts = [part.strip() for part in rest.split(",") if part.strip()]
    categories = [found for part in parts if (found := category(part))]
    if len(categories) == len(parts):
        if not (since or until or wish.limit):
            rss, api = settings.arxiv_rss_url, settings.arxiv_url
            yield from (ArxivListing(one, url=rss, api=api) for one in categories)
            return
        words, ids = "", []
    else:
        categories, words = [], rest
        ids = [part for part in parts if (canonical_id(part) or "").startswith("arxiv:")]
    if ids and len(ids) == len(parts):
        _offers("arxiv: with ids", wish)
        yield ArxivIds(ids, url=settings.arxiv_url)
        return
    yield ArxivSearch(
        words,
        categories=categories,
        since=since,
        until=until,
        limit=wish.limit,
        url=settings.arxiv_url,
    )


def _arxiv_history(rest: str, settings: IndexSettings, wish: Wish) -> Iterator[Source]:
    """All records of a set by OAI-PMH: `cs`, `physics:hep-th`, or `all`."""
    from index.sources.arxiv import ArxivHarvest

    _offers("arxiv:oai", wish, "since", "until")
    since, until = wish.days()
    yield ArxivHarvest(
        "" if rest == "all" else rest, since=since, until=until, url=settings.arxiv_url
    )


def _openreview(rest: str, settings: IndexSettings, wish: Wish) -> Iterator[Source]:
    from index.sources.openreview import OpenReview

    _offers("openreview", wish, "limit", "submissions")
    url = settings.openreview_url
    yield OpenReview(rest, submissions=wish.submissions, limit=wish.limit, url=url)


def _zotero(rest: str, settings: IndexSettings, wish: Wish) -> Iterator[Source]:
    from index.sources.zotero import Zotero

    _offers("zotero", wish)
    key = settings.zotero_key.get_secret_value() if settings.zotero_key else ""
    yield Zotero(rest, key=key, url=settings.zotero_url)


def _semantic_scholar(rest: str, settings: IndexSettings, wish: Wish) -> Iterator[Source]:
    from index.sources.semantic_scholar import SemanticScholar

    _offers("s2", wish, "since", "until", "limit")
    since, until = wish.days()
    key = settings.semantic_scholar_key
    source = SemanticScholar(
        rest,
        since=since,
        until=until,
        limit=wish.limit,
        key=key.get_secret_value() if key else "",
        url=settings.semantic_scholar_url,
    )
    if source.kind != "words":
        _offers(f"s2: with {source.kind}", wish, "limit")
    yield source


def _openalex(rest: str, settings: IndexSettings, wish: Wish) -> Iterator[Source]:
    from index.sources.openalex import OpenAlex

    _offers("openalex", wish, "since", "until", "limit")
    since, until = wish.days()
    key = settings.openalex_key
    source = OpenAlex(
        rest,
        since=since,
        until=until,
        limit=wish.limit,
        key=key.get_secret_value() if key else "",
        contact=settings.contact,
        url=settings.openalex_url,
    )
    if source.ids:
        _offers("openalex: with ids", wish, "limit")
    yield source


Maker = Callable[[str, IndexSettings, Wish], Iterator[Source]]

_MAKERS: dict[str, Maker] = {
    "arxiv": _arxiv,
    "file": _own_file,
    "openalex": _openalex,
    "openreview": _openreview,
    "semantic_scholar": _semantic_scholar,
    "zotero": _zotero,
}


def web_of(settings: IndexSettings, clock: Clock) -> Web:
    """The way out to the services, with the person's contact."""
    return Web(settings.contact, clock)


def _day(option: str, text: str) -> date | None:
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UnknownSource(f"{option} {text!r} is no day; write it as in 2026-01-31") from None
