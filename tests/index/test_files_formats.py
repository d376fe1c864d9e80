"""What people get from the exports of their reference managers."""

from __future__ import annotations

from pathlib import Path

import pytest

from index.sources.files import Skipped
from tests.index.reading import LONG, one, papers, read, skipped

# CSV and TSV


@pytest.mark.parametrize(
    "content",
    [
        f'Title,Author(s),Abstract,YEAR,doi\nTides,"Kim, Ada; Roe, Bo","{LONG}",2020,10.1000/x1y\n',
        f'﻿"Key";"Title";"Author";"Abstract Note";"Date";"DOI"\n"K1";"Tides";"Kim, Ada; Roe, Bo";"{LONG}";"2020";"10.1000/X1Y"\n',
        f"title\tauthors\tabstract\tpublication year\tDOI\nTides\tAda Kim and Bo Roe\t{LONG}\t2020\thttps://doi.org/10.1000/x1y\n",
        f'"SEARCH QUERY","tides"\n------\n\nTitle,Authors,Abstract,Published Year,DOI\nTides,"Kim, A. and Roe, B.","{LONG}",2020,10.1000/x1y\n',
    ],
)
def test_tables_are_read_whatever_their_columns_are_called(tmp_path: Path, content: str) -> None:
    paper = one(tmp_path, "t.csv", content)
    assert (paper.id, paper.title, paper.published) == ("doi:10.1000/x1y", "Tides", "2020")
    assert [author.rpartition(" ")[2] for author in paper.authors] == ["Kim", "Roe"]
    assert paper.abstract == LONG.strip()


def test_broken_rows_are_skipped_with_their_line(tmp_path: Path) -> None:
    table = f'title,abstract\nTides,{LONG}\n,\n"",\nBoats,too,many\n"Two\nlines",fine\n'
    records = read(tmp_path, "t.csv", table)
    assert [paper.title for paper in papers(records)] == ["Tides", "Two lines"]
    assert [skip.where for skip in skipped(records)] == ["t.csv:5"]
    assert "3 cells under 2 columns" in skipped(records)[0].reason


def test_a_table_without_a_known_column_says_so(tmp_path: Path) -> None:
    assert skipped(read(tmp_path, "t.csv", "a,b\n1,2\n")) == [
        Skipped("t.csv:1", "no header row with a title or an abstract column")
    ]


# BibTeX


def test_bibtex_keeps_what_can_be_read_and_names_what_cannot(tmp_path: Path) -> None:
    records = read(
        tmp_path,
        "r.bib",
        "@article{a, title={One},\n author={Kim, Ada and Roe, Bo and others}}\n"
        "@article{a, title={Two}}\n"
        "@article{b, title={Three}\n\n"
        "@misc{c, title={Four}}\n",
    )
    assert [paper.title for paper in papers(records)] == ["One", "Two", "Four"]
    (broken,) = skipped(records)
    assert broken.where == "r.bib:4"
    assert broken.reason.startswith("b: broken entry")
    assert papers(records)[0].authors == ("Ada Kim", "Bo Roe")
    assert papers(records)[0].authors_truncated


def test_bibtex_fields_become_a_record(tmp_path: Path) -> None:
    paper = one(
        tmp_path,
        "r.bib",
        '@string{conf = "Proc. of "}\n@comment{no}\nwords between\n'
        '@InProceedings{k,\n title = {A {L}STM for $x_{i}$ in {\\"O}sterreich},\n'
        ' author = "{The CERN, Group} and M\\"uller, J{\\"u}rgen and Jean de la Fontaine",\n'
        " booktitle = conf # {Tides}, year = 2020, month = mar,\n"
        f" abstract = {{{LONG}}}, eprint = {{2003.01234v2}}, archivePrefix = {{arXiv}}, doi = {{10.1000/x1y}}}}",
    )
    assert paper.id == "arxiv:2003.01234"
    assert paper.title == "A LSTM for $x_{i}$ in Österreich"
    assert paper.authors == ("The CERN Group", "Jürgen Müller", "Jean de la Fontaine")
    assert (paper.venue, paper.published, paper.version) == ("Proc. of Tides", "2020-03", 2)
    assert "https://doi.org/10.1000/x1y" in paper.links


@pytest.mark.parametrize(
    "entry",
    ["@article{a, title={x} year={2020}}", "@article{a,\n title = {x", "@article{title={x}}"],
)
def test_a_broken_entry_is_never_half_a_paper(tmp_path: Path, entry: str) -> None:
    (record,) = read(tmp_path, "r.bib", entry)
    assert isinstance(record, Skipped)


def test_old_encodings_are_read(tmp_path: Path) -> None:
    assert one(tmp_path, "r.bib", "@misc{a, title={Über}}".encode("latin-1")).title == "Über"
    assert one(tmp_path, "s.bib", "@misc{a, title={Über}}".encode("utf-8-sig")).title == "Über"
    assert one(tmp_path, "u.bib", "@misc{a, title={Über}}".encode("utf-16")).title == "Über"
    assert one(tmp_path, "w.bib", b"@misc{a, title={\x93x\x94}}").title == "“x”"


# RIS and its kin


def test_ris_survives_marks_junk_and_missing_ends(tmp_path: Path) -> None:
    content = (
        b"\xef\xbb\xbfTY  - JOUR\r\nTI  - X\r\nER  - \r\n\r\n2.\r\nTY  - JOUR\r\nTI  - Y\r\n"
        b"AU - Kim, Ada\r\nA1  - ignored\r\nPY  - 2020/03/04/\r\nDO  - 10.1000/Y1\r\nAB  - One\r\ntwo.\r\n"
    )
    first, second = papers(read(tmp_path, "a.ris", content))
    assert (first.title, second.title) == ("X", "Y")
    assert (second.id, second.published, second.authors) == (
        "doi:10.1000/y1",
        "2020-03-04",
        ("Ada Kim",),
    )
    assert second.abstract == "One two."


def test_a_ris_record_without_a_title_or_a_beginning_is_skipped(tmp_path: Path) -> None:
    records = read(tmp_path, "a.ris", "TI  - Lost\nER  - \nTY  - JOUR\nDO  - 10.1000/y1\nER  - \n")
    assert [skip.where for skip in skipped(records)] == ["a.ris:1", "a.ris:3"]


def test_pubmed_and_web_of_science_are_read(tmp_path: Path) -> None:
    pubmed = f"PMID- 123\nTI  - Tides\n      of boats\nFAU - Kim, Ada\nAB  - {LONG}\nLID - 10.1000/x1y [doi]\nDP  - 2020 Feb 3\n"
    paper = one(tmp_path, "p.nbib", pubmed)
    assert (paper.id, paper.title, paper.published) == (
        "doi:10.1000/x1y",
        "Tides of boats",
        "2020-02-03",
    )
    wos = f"FN Clarivate\nVR 1.0\nPT J\nAU Kim, A\n   Roe, B\nTI Tides\nAB {LONG}\nPY 2020\nER\n\nEF\n"
    paper = one(tmp_path, "savedrecs.txt", wos)
    assert (paper.title, paper.authors, paper.published) == ("Tides", ("A Kim", "B Roe"), "2020")
