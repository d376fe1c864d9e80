"""One canonical key for a paper, from any id, link or DOI people write.

Only a trailing `vN` is stripped. Forms of arXiv ids: https://info.arxiv.org/help/arxiv_identifier.html
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import lru_cache
from urllib.parse import SplitResult, parse_qs, quote, unquote, urlsplit

from index.text.plain import visible
from index.text.words import words

PREFIXES = ("arxiv", "openreview", "doi", "text", "s2", "openalex", "pmid")
"""Schemes of canonical ids, as in `arxiv:2510.23127`."""

# The archives that existed before April 2007: without the list, any `word/1234567` would pass.
_ARCHIVES = words(
    "acc-phys adap-org alg-geom ao-sci astro-ph atom-ph bayes-an chao-dyn chem-ph cmp-lg comp-gas "
    "cond-mat cs dg-ga funct-an gr-qc hep-ex hep-lat hep-ph hep-th math math-ph mtrl-th nlin "
    "nucl-ex nucl-th patt-sol physics plasm-ph q-alg q-bio quant-ph solv-int supr-con"
)
# Digits and letters of ASCII: `\d` also takes those of other scripts.
_NEW = r"(?a:(?P<new>\d{2}(?:0[1-9]|1[0-2])\.\d{4,5}))"
_OLD = (
    rf"(?a:(?P<archive>{'|'.join(sorted(_ARCHIVES, key=lambda name: (-len(name), name)))})"
    r"(?:\.(?P<subject>[a-z]+(?:-[a-z]+)*))?/(?P<number>\d{2}(?:0[1-9]|1[0-2])\d{3}))"
)
_ARXIV = re.compile(rf"(?:{_NEW}|{_OLD})(?a:v(?P<version>[1-9]\d{{0,2}}))?", re.IGNORECASE)
_ARXIV_NAMED = re.compile(rf"\barxiv\s*[:.]?\s*{_ARXIV.pattern}(?![\w.]*\d)", re.IGNORECASE)
_ARXIV_SITES = re.compile(
    r"(?:^|\.)(?:arxiv\.org|ar5iv\.org|alphaxiv\.org|huggingface\.co|hf\.co|scirate\.com"
    r"|semanticscholar\.org|emergentmind\.com|paperswithcode\.com)$"
)
_DOI = re.compile(r"(?a:10\.\d{4,9}(?:\.\d+)*)/\S+")
_NAMED_DOI = re.compile(r"(?a:10\.\d{1,9}(?:\.\d+)*)/\S+")
_OPENREVIEW = re.compile(r"[A-Za-z0-9_-]{6,20}")
_PLAIN = {
    "text": re.compile(r"[0-9a-f]{12}"),
    "s2": re.compile(r"[0-9a-f]{40}|[0-9]{1,12}"),
    "openalex": re.compile(r"w[0-9]{4,12}"),
    "pmid": re.compile(r"[0-9]{1,9}"),
}


def canonical_id(text: str) -> str | None:
    """The canonical id that an id, link or DOI stands for, or None where it is none of them.

    >>> canonical_id("https://arxiv.org/pdf/2106.01345v1.pdf")
    'arxiv:2106.01345'
    """
    text = _trim(text)
    if not text or len(text) > 2000:
        return None
    return _from_arxiv(text) or _from_link(text) or _from_prefix(text) or _from_doi(text)


def arxiv_version(text: str) -> int:
    """The `vN` of an arXiv id or link as a number, or 0 where it carries none."""
    match = _arxiv_match(_trim(text))
    return int(match["version"] or 0) if match else 0


_NO_WORD = re.compile(r"[\W_]+")


@lru_cache(maxsize=4096)
def text_id(abstract: str) -> str:
    """An id for a paper known by its abstract alone: `text:` and 12 hex digits.

    Case, spacing, punctuation and compatibility forms of letters do not change it.
    """
    words = _NO_WORD.sub("", unicodedata.normalize("NFKC", abstract).casefold())
    # A text of signs only still gets an id of its own.
    key = words or " ".join(abstract.split())
    return "text:" + hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:12]


def normalised_title(title: str) -> str:
    """Folded words of a title, to compare titles by: no case, accents, markup or punctuation."""
    title = re.sub(r"\\[A-Za-z]+\s*(?=\{)|[{}$*`]", "", title)
    folded = unicodedata.normalize("NFKD", title).casefold()
    kept = "".join(c for c in folded if not unicodedata.combining(c))
    return " ".join(re.findall(r"[^\W_]+", kept))


def file_name(paper_id: str) -> str:
    """A file name for an id, without a raw `/`; `urllib.parse.unquote` gives the id back."""
    return quote(paper_id, safe=":").replace(":", "%3A")


def _trim(text: str) -> str:
    text = unicodedata.normalize("NFKC", visible(text)).strip(" \t\r\n<>\"'“”‘’`")
    text = text.rstrip(".,;:!?<>\"'“”‘’` ")
    for opening, closing in ("()", "[]"):
        if text.startswith(opening) and text.endswith(closing):
            text = text[1:-1].strip()
        elif text.endswith(closing) and text.count(closing) > text.count(opening):
            text = text[:-1]
    return text


def _arxiv_match(text: str) -> re.Match[str] | None:
    """The arXiv id in a bare id, a prefixed one, a link or a DataCite DOI."""
    bare = re.sub(r"\s*\[[a-z-]+(?:\.[A-Za-z-]+)?\]$", "", text)
    if match := _ARXIV.fullmatch(bare):
        return match
    link = _address(bare)
    if link and _ARXIV_SITES.search(link.hostname or ""):
        path = re.sub(
            r"(?:\.pdf|\.html?)$", "", unquote(link.path).rstrip("/"), flags=re.IGNORECASE
        )
        for part in (
            path.partition("/")[2].partition("/")[2],
            path.strip("/"),
            path.rpartition("/")[2],
        ):
            if match := _ARXIV.fullmatch(re.sub(r"^arxiv:", "", part, flags=re.IGNORECASE)):
                return match
        return None
    doi = re.fullmatch(r"(?:.*/|doi:\s*)?10\.48550/arxiv\.(.+)", unquote(bare), re.IGNORECASE)
    if doi:
        return _ARXIV.fullmatch(doi[1].partition("?")[0].partition("#")[0])
    if re.match(r"(?:corr\b.*|https?://)?arxiv", bare, re.IGNORECASE):
        named = re.sub(r"^arxiv\s+(?:e-?prints?|preprint)s?,?\s*", "", bare, flags=re.IGNORECASE)
        named = named if named.casefold().startswith("arxiv") else f"arxiv:{named}"
        named = re.sub(r"\.(?:pdf|html?)$", "", named, flags=re.IGNORECASE)
        return _ARXIV_NAMED.match(named)
    return None


def _from_arxiv(text: str) -> str | None:
    match = _arxiv_match(text)
    if not match:
        return None
    if match["new"]:
        return f"arxiv:{match['new']}"
    subject = match["subject"] or ""
    # `math.CA` but `physics.flu-dyn`: arXiv writes two-letter classes in capitals.
    subject = subject.upper() if len(subject) == 2 else subject.casefold()
    archive = match["archive"].casefold() + (f".{subject}" if subject else "")
    return f"arxiv:{archive}/{match['number']}"


def _address(text: str) -> SplitResult | None:
    """The parts of a web address, also one without `https://`; None where it is no address."""
    if not re.match(r"https?://", text, re.IGNORECASE):
        if not re.match(
            r"(?:www\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}/\S", text, re.IGNORECASE
        ):
            return None
        text = f"https://{text}"
    try:
        parts = urlsplit(text)
    except ValueError:
        return None
    return parts if parts.hostname else None


def _from_link(text: str) -> str | None:
    link = _address(text)
    if not link or " " in text:
        return None
    host = (link.hostname or "").removeprefix("www.")
    if host.endswith("openreview.net"):
        named = parse_qs(link.query).get("id", [""])[0] or re.sub(
            r"^/(?:forum|pdf|attachment)/|\.pdf$", "", link.path
        )
        return f"openreview:{named}" if _OPENREVIEW.fullmatch(named) else None
    if host.endswith("openalex.org"):
        return _from_prefix(f"openalex:{link.path.rpartition('/')[2]}")
    if host == "pubmed.ncbi.nlm.nih.gov":
        return _from_prefix(f"pmid:{link.path.strip('/')}")
    if host == "semanticscholar.org" and (tail := re.search(r"/([0-9a-f]{40})$", link.path)):
        return f"s2:{tail[1]}"
    path = unquote(link.path)
    if host.endswith("doi.org"):
        return _from_doi("doi:" + path.lstrip("/"))
    # Publishers keep the DOI in the path: dl.acm.org/doi/abs/10.1145/…
    if named_doi := re.search(r"/(?:doi|article|articles)/(?:[a-z]+/)*(10\.\d{4,9}/.+)", path):
        return _from_doi(re.sub(r"(?:\.pdf|/full|/pdf|/abstract)$", "", named_doi[1]))
    return None


def _from_prefix(text: str) -> str | None:
    prefix, colon, rest = text.partition(":")
    prefix, rest = prefix.casefold().strip(), rest.strip()
    if not colon:
        return None
    if prefix == "doi":
        return _from_doi(text)
    if prefix == "openreview":
        return f"openreview:{rest}" if _OPENREVIEW.fullmatch(rest) else _from_link(rest)
    form = _PLAIN.get(prefix)
    if form and form.fullmatch(rest.casefold()):
        return f"{prefix}:{rest.upper() if prefix == 'openalex' else rest.casefold()}"
    return None


def _from_doi(text: str) -> str | None:
    bare = re.sub(r"^doi:?\s*(?:https?://(?:dx\.)?doi\.org/)?", "", text, flags=re.IGNORECASE)
    form = _DOI if bare == text else _NAMED_DOI
    # What stood escaped may end in a full stop or be escaped once more.
    while (plain := _trim(unquote(bare))) != bare:
        bare = plain
    # DOIs are compared without case (ISO 26324).
    return f"doi:{bare.casefold()}" if form.fullmatch(bare) else None
