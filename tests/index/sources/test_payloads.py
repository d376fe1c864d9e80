"""What services and programs really sent becomes papers or reasons, and nothing is lost between."""

from __future__ import annotations

from pathlib import Path

import pytest

from index.paper import Paper
from index.sources.records import Skipped
from tests.bench.payloads import READERS, Read, read_folder

# By folder: files, papers, records skipped with a reason, files refused with a line.
FOUND = {
    "arxiv_api": (20, 221, 1, 0),
    "arxiv_rss": (3, 1504, 0, 1),
    "bibtex_nasty": (55, 182, 30, 5),
    "openalex": (3, 21, 0, 0),
    "openreview": (18, 98, 110, 0),
    "ris_nasty": (15, 23, 2, 0),
    "semantic_scholar": (34, 10352, 9372, 0),
    "zotero_exports": (43, 860, 1, 3),
}
# Web of Science and PubMed write other marks than RIS; the tables of Embase and Excel hold lines
# before their head.
COUNTED_OTHERWISE = {
    "example_wos.ris", "_baseline_pubmed.ris", "_baseline_embase.csv", "_baseline_excel.csv",
}  # fmt: skip


@pytest.mark.parametrize("name", READERS)
def test_recorded_answers_and_exports_add_up(shared: Path, name: str) -> None:
    read = read_folder(shared / "data/payloads" / name)
    skipped = [record for one in read for record in one.records if isinstance(record, Skipped)]
    assert all(record.reason and record.where and "\n" not in record.reason for record in skipped)
    assert not any("\n" in one.refused for one in read)
    assert {one.name for one in read if not one.adds_up} <= COUNTED_OTHERWISE
    papers = sum(one.papers for one in read)
    refused = sum(bool(one.refused) for one in read)
    assert (len(read), papers, len(skipped), refused) == FOUND[name]


def test_a_record_that_was_lost_shows() -> None:
    paper = Paper(id="doi:10.1/x", title="Eels", abstract="")
    gap = Skipped("refs.bib:3", "'kay7' has neither a title nor an abstract")
    assert Read("refs.bib", [paper, gap], 2).adds_up
    assert not Read("refs.bib", [paper, gap], 3).adds_up
    assert Read("refs.bib", [paper, gap]).reasons == {"… has neither a title nor an abstract": 1}
