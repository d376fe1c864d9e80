"""A small good example of every form that is read, of papers that do not exist."""

from __future__ import annotations

from typing import Any

from tests.index.reading import LONG
from tests.index.sources.arxiv_feeds import FAULT, atom_listing, entry, feed, item, listing

FILES: dict[str, str] = {
    "refs.bib": (
        '@string{conf = "Proc. of "}\n@comment{none of ours}\n'
        "@inproceedings{lund24,\n title = {On {E}els in $x_{i}$ and {\\'E}cole},\n"
        " author = {Lund, Ada and {The Sea, Group} and Ek, Bo and others},\n"
        f" booktitle = conf # {{Tides}}, year = 2024, month = mar, abstract = {{{LONG}}},\n"
        " eprint = {2401.01234v2}, archivePrefix = {arXiv}, doi = {10.1000/e1},\n"
        " keywords = {eels; tides}, url = {https://example.org/a\\_b}}\n"
        "@misc{ek23, title = {Boats}, crossref = {lund24}, date = {2023-05-06}}\n"
    ),
    "refs.ris": (
        "TY  - JOUR\nTI  - On Eels\nAU  - Lund, Ada\nAU  - Ek, Bo\nPY  - 2024/03/04/\n"
        f"DO  - 10.1000/e1\nAB  - {LONG}\nKW  - eels\nKW  - tides\nUR  - https://example.org/e1\n"
        "JO  - Tides\nER  - \n\nTY  - CONF\nT1  - Boats\nA1  - Ek, Bo\nY1  - 2023\nER  - \n"
    ),
    "refs.csv": (
        "Title,Author(s),Abstract,Year,DOI,URL,Keywords,Retracted,PMID\n"
        f'On Eels,"Lund, Ada; Ek, Bo","{LONG}",2024,10.1000/e1,https://example.org/e1,eels; tides,no,12\n'
        'Boats,Bo Ek,"Of ""boats"".",2023,,,,yes,\n'
    ),
    "refs.tsv": f"title\tauthors\tsummary\tid\nOn Eels\tAda Lund and Bo Ek\t{LONG}\tarXiv:2401.01234v2\n",
    "seeds.txt": (
        f"ICLR 2024 Papers\n\nOn Eels\n\n{LONG}\n\n{LONG.replace('boats', 'eels')}\n\n"
        f"- Boats that Drift\n{LONG}\n"
    ),
    "labels.txt": (
        f"Title: On Eels\nAuthors: Ada Lund; Bo Ek\nAbstract: {LONG}\nYear: 2024\nDOI: 10.1000/e1\n\n"
        f"2. Title: Boats\nAbstract: {LONG}\nLink: https://example.org/b\n"
    ),
    "refs.nbib": (
        f"PMID- 123\nTI  - On Eels\n      of the sea\nFAU - Lund, Ada\nAB  - {LONG}\n"
        "LID - 10.1000/e1 [doi]\nDP  - 2024 Mar 4\nJT  - Tides\nOT  - eels\n"
    ),
    "refs.ciw": (
        f"FN Clarivate\nVR 1.0\nPT J\nAU Lund, A\n   Ek, B\nTI On Eels\nAB {LONG}\nPY 2024\nPD MAR 4\n"
        "DI 10.1000/e1\nDE eels; tides\nER\n\nEF\n"
    ),
}
"""File name -> text."""

_RECORDS: list[dict[str, Any]] = [
    {"id": "arXiv:2401.01234v2", "title": "On Eels", "abstract": LONG, "published": "2024-03-04",
     "authors": ["Ada Lund", {"given": "Bo", "family": "Ek"}, {"author": {"name": "Cy Ash"}}],
     "categories": ["q-bio.PE"], "venue": "Tides", "url": "https://example.org/e1",
     "externalIds": {"ArXiv": "2401.01234", "DOI": "10.1000/e1"}, "status": "active"},
    {"content": {"title": {"value": "Boats"}, "abstract": {"value": LONG},
                 "authors": {"value": ["Bo Ek"]}}, "year": 2023, "pmid": 12, "retracted": True},
]  # fmt: skip
JSON_FILES: dict[str, Any] = {
    "papers.json": _RECORDS,
    "line.jsonl": _RECORDS[0],
    "csl.json": [
        {"id": "lund24", "type": "article-journal", "title": "On Eels", "abstract": LONG,
         "author": [{"family": "Lund", "given": "Ada", "dropping-particle": "de"}, {"literal": "Sea"}],
         "issued": {"date-parts": [[2024, "3", 4]]}, "container-title": ["Tides"], "DOI": "10.1000/e1",
         "URL": "https://example.org/e1", "PMID": "12", "note": "arXiv: 2401.01234\nread it",
         "keyword": "eels; tides", "number": "arXiv:2401.01234", "status": "retracted"},
    ],
}  # fmt: skip
"""File name -> value."""

_OAI_RECORD = """<record><header{deleted}><identifier>oai:arXiv.org:2401.01234</identifier>
<datestamp>2026-03-03</datestamp><setSpec>q-bio</setSpec></header><metadata><arXiv
xmlns="http://arxiv.org/OAI/arXiv/"><id>2401.01234</id><created>2024-01-02</created>
<updated>2024-03-04</updated><authors><author><keyname>Lund</keyname><forenames>Ada</forenames></author>
<author><keyname>Ek</keyname><suffix>Jr</suffix></author></authors><title>On Eels</title>
<categories>q-bio.PE cs.LG</categories><comments>9 pages</comments><journal-ref>Tides 3</journal-ref>
<doi>10.1000/e1</doi><abstract>We follow eels where $x&lt;y$.</abstract></arXiv></metadata></record>
<record><header><identifier>oai:arXiv.org:hep-th/9901001</identifier><datestamp>2026-03-03</datestamp>
</header><metadata><arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/"><id>hep-th/9901001</id>
<version version="v1"><date>Mon, 4 Jan 1999 10:00:00 GMT</date></version><version version="v2">
<date>Tue, 5 Jan 1999 10:00:00 GMT</date></version><title>Boats</title><authors>Bo Ek (Sea (North))
and Ada Lund</authors><categories>hep-th</categories><abstract>We follow boats.</abstract></arXivRaw>
</metadata></record>"""
XML: dict[str, bytes] = {
    "arxiv api": feed([entry("2603.00001", comment="Withdrawn by the author"), entry("2603.00002"), FAULT]).encode(),
    "arxiv rss": listing([item("2603.00001"), item("2603.00002", "replace", 3)]).encode(),
    "arxiv atom": atom_listing([("2603.00001", "new"), ("2603.00002", "cross")]).encode(),
    "arxiv oai": (
        '<?xml version="1.0"?><OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords>'
        f"{_OAI_RECORD.replace('{deleted}', '')}<record><header status='deleted'><identifier>x"
        "</identifier></header></record><resumptionToken>t1</resumptionToken></ListRecords></OAI-PMH>"
    ).encode(),
}  # fmt: skip
"""Form -> answer."""

_CONTENT: dict[str, Any] = {
    "title": "On Eels", "abstract": LONG, "authors": ["Ada Lund", "Bo Ek"], "keywords": ["eels"],
    "pdf": "/pdf/abc.pdf", "html": "https://example.org/e1", "venue": "Tides 2026 Oral",
    "venueid": "Sea.org/2026/Tides", "doi": "10.1000/e1",
}  # fmt: skip
_TIMES = {"cdate": 1700000000000, "pdate": 1710000000000, "mdate": 1720000000000.5}
JSON_ANSWERS: dict[str, Any] = {
    "openreview v2": {
        "count": 1,
        "notes": [
            {"id": "RD4XgyVyGh", "forum": "RD4XgyVyGh", **_TIMES, "invitations": ["Sea.org/2026/Tides/-/Submission"],
             "content": {name: {"value": value} for name, value in _CONTENT.items()}},
        ],
    },
    "openreview v1": {
        "notes": [
            {"id": "RD4XgyVyGh", "forum": "RD4XgyVyGh", **_TIMES, "content": _CONTENT,
             "invitation": "Sea.org/2026/Tides/-/Blind_Submission",
             "details": {"directReplies": [{"invitation": "Sea.org/-/Decision",
                                            "content": {"decision": "Accept (oral)"}}]}},
        ],
    },
    "semantic scholar": {
        "total": 2, "offset": 0, "next": 2,
        "data": [
            {"paperId": "a" * 40, "externalIds": {"ArXiv": "2401.01234", "DOI": "10.1000/e1",
             "PubMed": "12", "CorpusId": 77}, "title": "On Eels", "abstract": LONG,
             "authors": [{"authorId": "1", "name": "Ada Lund"}], "publicationDate": "2024-03-04",
             "year": 2024, "venue": "", "journal": {"name": "Tides"}, "fieldsOfStudy": ["Biology"],
             "url": "https://example.org/e1", "openAccessPdf": {"url": "https://example.org/e1.pdf"}},
            {"paperId": "b" * 40, "title": "Boats", "abstract": None, "year": 2023},
        ],
    },
    "openalex": {
        "meta": {"count": 1, "next_cursor": "n"},
        "results": [
            {"id": "https://openalex.org/W4387881419", "doi": "https://doi.org/10.1000/e1",
             "ids": {"pmid": "https://pubmed.ncbi.nlm.nih.gov/12"}, "display_name": "On <i>Eels</i>",
             "abstract_inverted_index": {"We": [0], "follow": [1, 4], "eels": [2], "and": [3]},
             "authorships": [{"author": {"display_name": "Ada Lund"}, "raw_author_name": "A. Lund"}],
             "is_authors_truncated": True, "publication_date": "2024-03-04", "publication_year": 2024,
             "primary_location": {"landing_page_url": "https://arxiv.org/abs/2401.01234",
                                  "source": {"display_name": "Tides &amp; Boats"}},
             "locations": [{"landing_page_url": "https://example.org/e1"}], "type": "article",
             "primary_topic": {"display_name": "Eels"}, "is_retracted": False, "is_paratext": False},
        ],
    },
    "zotero": [
        {"key": "ABCD2345", "version": 7, "meta": {"parsedDate": "2024-03-04"},
         "data": {"key": "ABCD2345", "itemType": "journalArticle", "title": "On Eels", "abstractNote": LONG,
                  "date": "4 March 2024", "DOI": "10.1000/e1", "url": "https://example.org/e1",
                  "archiveID": "arXiv:2401.01234", "extra": "PMID: 12\nread", "publicationTitle": "Tides",
                  "tags": [{"tag": "eels"}], "deleted": 0,
                  "creators": [{"creatorType": "author", "firstName": "Ada", "lastName": "Lund"},
                               {"creatorType": "author", "name": "The Sea"}]}},
    ],
}  # fmt: skip
"""Service -> answer."""
