"""Scope: the venue, category, source or status a request names, and whether it wants the newest."""

from __future__ import annotations

import re
from collections.abc import Iterator

from index.query.parts import Kind, Part
from index.text.words import words

_YEAR = r"(?:19|20)\d\d"
_PAPERS = r"(?:papers?|works?|articles?|research|literature|studies|publications?|preprints?|submissions?|posters?|ones?)"
_ACRONYM = r"(?:[A-Z][A-Za-z&]*[A-Z][A-Za-z]*|[A-Z]{2,}\w*)"
_NAMED = r"(?:Nature|Science|Cell|Interspeech|INTERSPEECH|SIGGRAPH|Findings|Rivers|[A-Z][a-z]+(?:\s+(?:of|on|and|in|for)?\s*[A-Z][A-Za-z]+){0,4})"
_VENUE_AT = re.compile(
    r"(?:(?:that\s+(?:were|was|are)\s+)?(?:published|presented|accepted|appeared|appearing|submitted)\s+)?"
    rf"\b(?:(?P<at>at|in|from|to)\s+)(?:the\s+)?(?P<venue>{_ACRONYM}|{_NAMED})(?:[\s’']+(?P<year>{_YEAR}|\d\d))?"
    rf"(?=\s*$|[\s]*[,;.!?)]|\s+(?:on|about|that|which|with|without|by|and|but|not|since|only|{_PAPERS}|excluding|from|in)\b)"
)
_VENUE_LEADS = re.compile(
    rf"(?:^|(?<=\bonly\s)|(?<=\bjust\s)|(?<=\bthe\s)|(?<=\blatest\s)|(?<=\bnewest\s)|(?<=\brecent\s))(?P<venue>{_ACRONYM})(?:\s+(?P<year>{_YEAR}))?(?=\s+{_PAPERS}\b|\s*$)"
)
_VENUE_YEAR = re.compile(rf"\b(?P<venue>{_ACRONYM})\s+(?P<year>{_YEAR})(?=\s*$|[,;.?!)])")
_FIELD = re.compile(
    r"\b(?P<name>venue|journal|conference|category|cat|source|status)\s*[:=]\s*(?:\"(?P<quoted>[^\"]+)\"|(?P<value>\S+))",
    re.IGNORECASE,
)
_ARCHIVES = r"cs|stat|math|eess|econ|q-bio|q-fin|astro-ph|cond-mat|physics|nlin"
_CATEGORY = re.compile(
    rf"(?:\b(?:in|from|of)\s+(?:the\s+)?(?:categor(?:y|ies)\s+)?|\bcategory\s+)?(?<![\w.])(?P<category>(?:{_ARCHIVES})\.[A-Za-z]{{2,3}}(?:-[a-z]{{2,4}})?|(?<=in )(?:quant-ph|hep-(?:th|ph|ex|lat)|gr-qc|math-ph|nucl-(?:th|ex)))(?![\w.]|-\w)",
    re.IGNORECASE,
)
_SOURCE = re.compile(
    r"\b(?:on|from|in)\s+(?P<source>arxiv|openreview|semantic\s+scholar|openalex|pubmed|biorxiv|medrxiv)\b(?!\s*\w*\d)",
    re.IGNORECASE,
)
_STATUS = re.compile(
    r"(?P<not>(?:,\s*)?\b(?:excluding|without|except|no|not|but\s+not|leaving\s+out|that\s+(?:were|are)\s+not|hide|skip)\s+(?:any\s+|the\s+)?)?"
    rf"\b(?P<status>(?:withdrawn|retracted)(?:\s+(?:or|and)\s+(?:withdrawn|retracted))?)(?P<papers>\s+(?:{_PAPERS}))?(?!\w)",
    re.IGNORECASE,
)

_WORKS = rf"(?:{_PAPERS}|advances|progress|developments|results|findings|additions|stuff|approaches|methods|preprints)"
_NEWEST = (
    r"(?:^|[\s,;(]+)(?:(?:sort(?:ed)?|order(?:ed)?)\s+by\s+(?:date|recency|time|year)|(?:by\s+date)|(?:the\s+)?(?:newest|latest|most\s+recent)(?:\s+(?:ones?\s+)?(?:first|on\s+top|only))?|newest\s+to\s+oldest)\)?[\s.!?]*$",
    rf"^\s*(?:(?:show|find|list|give|get|tell)\s+(?:me\s+)?)?(?:the\s+|any\s+|some\s+)?(?:newest|latest|most\s+recent|recent)\b(?!\s+(?:history|past|memory|bias))(?:\s+{_WORKS})?(?:\s+(?:on|about|in|for|of|from|into|regarding)\b)?",
    rf"^\s*(?:(?:show|find|list|give|get)\s+(?:me\s+)?)?(?:the\s+|any\s+|some\s+)?new\s+{_WORKS}(?:\s+(?:on|about|in|for|of|from)\b)?",
    r"^\s*(?:what(?:'s|’s|\s+is|\s+are|s)?\s+(?:the\s+)?(?:new|latest|newest|recent|hot)|anything\s+(?:new|recent)|any\s+news|news(?=\s+(?:on|about|from)\b))\b(?:\s+(?:on|about|in|for|with|from)\b)?",
    rf"\b(?:newest|latest|most\s+recent|recent)\s+{_WORKS}\b(?:\s+(?:on|about|in|for|of|regarding)\b)?",
)
_NEWEST_FORMS = tuple(re.compile(form, re.IGNORECASE) for form in _NEWEST)


_KNOWN = words(
    "iclr icml neurips nips acl emnlp naacl eacl coling cvpr iccv eccv aaai ijcai kdd www sigir cikm wsdm recsys aistats "
    "uai colt corl icra iros rss interspeech icassp tmlr jmlr tacl tpami chi vldb sigmod colm mlsys siggraph wacv miccai "
    "pnas nature science ecir conll icdm jair"
)


def known_venue(name: str) -> bool:
    """True for a venue everybody knows: that the library has nothing of it is then the answer."""
    return name.casefold().strip(". ") in _KNOWN


def venues(text: str) -> Iterator[Part]:
    """Venues a request may name; the library says whether they are any."""
    for form in (_VENUE_AT, _VENUE_LEADS, _VENUE_YEAR):
        for match in form.finditer(text):
            value = " ".join(filter(None, (match["venue"], match["year"])))
            yield Part(
                kind=Kind.VENUE, start=match.start(), end=match.end(), value=value, sure=False
            )


def fields(text: str) -> Iterator[Part]:
    """`venue:ICLR`, `category:cs.CL`, categories by their code, sources and statuses."""
    kinds = {
        "venue": Kind.VENUE,
        "journal": Kind.VENUE,
        "conference": Kind.VENUE,
        "source": Kind.SOURCE,
    }
    for match in _FIELD.finditer(text):
        name = match["name"].casefold()
        if name != "status":
            value = (match["quoted"] or match["value"]).strip(" ,;")
            yield Part(
                kind=kinds.get(name, Kind.CATEGORY),
                start=match.start(),
                end=match.end(),
                value=value,
            )
    for match in _CATEGORY.finditer(text):
        archive, dot, subject = match["category"].partition(".")
        value = archive.casefold() + dot + (subject.upper() if len(subject) == 2 else subject)
        yield Part(kind=Kind.CATEGORY, start=match.start(), end=match.end(), value=value)
    for match in _SOURCE.finditer(text):
        value = "_".join(match["source"].casefold().split())
        yield Part(kind=Kind.SOURCE, start=match.start(), end=match.end(), value=value, sure=False)


def statuses(text: str) -> Iterator[Part]:
    """`withdrawn papers`, `excluding retracted papers`."""
    for match in _STATUS.finditer(text):
        named = sorted(set(re.findall(r"withdrawn|retracted", match["status"].casefold())))
        if match["not"]:
            rest = {"active", "withdrawn", "retracted"} - set(named)
            value = " ".join(sorted(rest))
        elif match["papers"] or not text[: match.start()].strip():
            value = " ".join(named)
        else:
            continue
        yield Part(kind=Kind.STATUS, start=match.start(), end=match.end(), value=value)


def newest(text: str) -> Iterator[Part]:
    """Whether the newest are asked for, by the words that say so."""
    for form in _NEWEST_FORMS:
        if match := form.search(text):
            yield Part(kind=Kind.NEWEST, start=match.start(), end=match.end())
            return
