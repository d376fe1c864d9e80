"""What all ways into arXiv share: addresses, the gate, and reading XML without harm."""

from __future__ import annotations

from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from index.sources.gate import Clock, Gate, gate_for
from index.sources.source import BadAnswer

API_URL = "https://export.arxiv.org"
RSS_URL = "https://rss.arxiv.org"
OAI_URL = "https://oaipmh.arxiv.org/oai"
INTERVAL = 3.0
"""Seconds between two requests over one connection: https://info.arxiv.org/help/api/tou.html"""


def gate(clock: Clock) -> Gate:
    """One for API, lists and OAI-PMH: the terms of use count them together."""
    return gate_for("arxiv", INTERVAL, clock)


def below(url: str, path: str) -> str:
    """The address of a path below a configured root, also where the setting names it already."""
    root = url.rstrip("/")
    return root if root.endswith(path) else root + path


def parse(body: bytes) -> Element:
    """The root of an XML document; entities and external references are refused.

    feedparser is no alternative: it reads `$x<y$` in an abstract as the beginning of a tag.

    Raises BadAnswer.
    """
    try:
        root: Element = fromstring(body, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError, LookupError):
        page = b"<html" in body[:1000].lower() or b"<!doctype html" in body[:1000].lower()
        what = "a web page" if page else "something that is no complete XML"
        raise BadAnswer(f"arXiv answered with {what}; try again later") from None
    return root


def local(element: Element) -> str:
    """The name of an element without its namespace, which arXiv has changed before."""
    return str(element.tag).rpartition("}")[2]


def children(element: Element, name: str) -> list[Element]:
    """Direct children of that name."""
    return [child for child in element if local(child) == name]


def text_of(element: Element, name: str) -> str:
    """The text of the first such child, or an empty string."""
    for child in element:
        if local(child) == name:
            return "".join(child.itertext()).strip()
    return ""
