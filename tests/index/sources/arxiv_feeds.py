"""Answers in arXiv's forms, with papers of our own."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape


def entry(number: str, *, title: str = "", abstract: str = "", day: str = "2026-03-02",
          updated: str = "", comment: str = "", version: int = 1, category: str = "q-bio.PE") -> str:  # fmt: skip
    """An entry of the API."""
    return f"""<entry><id>http://arxiv.org/abs/{number}v{version}</id>
    <title>{escape(title or f"On Eel {number}")}</title><updated>{updated or day}T10:00:00Z</updated>
    <summary>{escape(abstract or f"  We follow eel {number} to the sea.")}</summary>
    <published>{day}T10:00:00Z</published><arxiv:primary_category term="{category}"/>
    <category term="{category}"/>{f"<arxiv:comment>{escape(comment)}</arxiv:comment>" if comment else ""}
    <author><name>Ada Lund</name><arxiv:affiliation>Sea</arxiv:affiliation></author></entry>"""


FAULT = """<entry><id>https://arxiv.org/api/errors#incorrect_id_format_for_x</id>
<title>Error</title><summary>incorrect id format for x</summary></entry>"""


def feed(entries: Sequence[str], total: int | None = None) -> str:
    """A page of the API."""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
    <feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom"
      xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/"><title>arXiv Query</title>
    <opensearch:totalResults>{len(entries) if total is None else total}</opensearch:totalResults>
    {"".join(entries)}</feed>"""


def numbers(first: int, last: int) -> list[str]:
    """Entries of consecutive papers."""
    return [entry(f"2603.{number:05}") for number in range(first, last)]


def item(number: str, kind: str = "new", version: int = 1) -> str:
    """An item of a daily list."""
    return f"""<item><title>On Eel {number}</title><link>https://arxiv.org/abs/{number}</link>
    <description>arXiv:{number}v{version} Announce Type: {kind}
Abstract: We follow eel {number} where $x&lt;y$.</description>
    <guid isPermaLink="false">oai:arXiv.org:{number}v{version}</guid>
    <category>q-bio.PE</category><arxiv:announce_type>{kind}</arxiv:announce_type>
    <dc:creator>Ada Lund, Bo Ek</dc:creator></item>"""


def listing(items: Sequence[str], day: str = "Wed, 04 Mar 2026") -> str:
    """A daily list in RSS."""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
    <rss xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns:dc="http://purl.org/dc/elements/1.1/"
      version="2.0"><channel><title>q-bio.PE updates on arXiv.org</title>
    <pubDate>{day} 00:00:00 -0500</pubDate>{"".join(items)}</channel></rss>"""


def atom_listing(entries: Sequence[tuple[str, str]]) -> str:
    """A daily list in Atom."""
    made = "".join(
        f"""<entry><id>oai:arXiv.org:{number}v1</id><title>On Eel {number}</title>
        <updated>2026-03-04T05:00:00Z</updated>
        <summary>arXiv:{number}v1 Announce Type: {kind}\nAbstract: We follow it.</summary>
        <category term="q-bio.PE"/><arxiv:announce_type>{kind}</arxiv:announce_type>
        <dc:creator>Ada Lund</dc:creator></entry>"""
        for number, kind in entries
    )
    return f"""<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom"
      xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns:dc="http://purl.org/dc/elements/1.1/">
    <title>q-bio.PE updates on arXiv.org</title><updated>2026-03-04T05:00:00Z</updated>{made}</feed>"""


def harvested(number: str, stamp: str, *, deleted: bool = False) -> str:
    """A record of OAI-PMH."""
    head = f"""<header{' status="deleted"' if deleted else ""}>
    <identifier>oai:arXiv.org:{number}</identifier><datestamp>{stamp}</datestamp></header>"""
    if deleted:
        return f"<record>{head}</record>"
    return f"""<record>{head}<metadata><arXiv xmlns="http://arxiv.org/OAI/arXiv/">
    <id>{number}</id><created>2007-05-02</created><authors><author><keyname>Lund</keyname>
    <forenames>Ada</forenames></author></authors><title>On Eel {number}</title>
    <categories>q-bio.PE cs.LG</categories><abstract>We follow eel {number}.</abstract>
    </arXiv></metadata></record>"""


def oai(records: Sequence[str] = (), token: str = "", error: str = "") -> str:
    """An answer of OAI-PMH."""
    inner = f'<error code="{error}">so it is</error>'
    if not error:
        inner = f"""<ListRecords>{"".join(records)}
        <resumptionToken>{token}</resumptionToken></ListRecords>"""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
    <OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">{inner}</OAI-PMH>"""
