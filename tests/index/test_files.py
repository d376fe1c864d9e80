"""What people get from a file they add: papers, and a reason for each record that is none."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from index.paper import Paper, Status
from index.sources.files import Skipped, SourceError, read_file
from tests.index.reading import LONG, one, papers, read, read_or_line, skipped

# Files that hold nothing to read


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("empty.txt", b"", "is empty"),
        ("blank.bib", b" \n\t\r\n", "is empty"),
        ("bom.csv", b"\xef\xbb\xbf\n", "is empty"),
        ("picture.txt", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "binary"),
        ("noise.bin", bytes(range(256)) * 10, "binary"),
        ("paper.pdf", b"%PDF-1.7\n%\xe2\xe3", "a PDF"),
        ("table.xlsx", b"PK\x03\x04rest", "save the table in it as CSV"),
        ("cut.jsonl.gz", gzip.compress(b'{"title": "A"}' * 500)[:-20], "cut short"),
        ("page.html", b"<html><body>" + b"word " * 50, "no format"),
        ("few.dat", b"three small words", "no format"),
        ("only.bib", b"@comment{nothing} @string{a = \"b\"}", "no records"),
        ("strange.jsonl", b"\xff\xfe\x00", "damaged UTF-16"),
    ],
)  # fmt: skip
def test_a_file_of_no_use_costs_one_clear_line(
    tmp_path: Path, name: str, content: bytes, told: str
) -> None:
    with pytest.raises(SourceError) as error:
        read(tmp_path, name, content)
    message = str(error.value)
    assert told in message
    assert name in message
    assert "\n" not in message


def test_a_missing_file_and_a_folder_say_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"there is no file .*nowhere\.bib; check"):
        read_file(tmp_path / "nowhere.bib")
    with pytest.raises(SourceError, match="is a folder; name the files in it"):
        read_file(tmp_path)


# Plain text


def test_abstracts_under_a_heading_get_its_venue_and_titles_of_their_own(tmp_path: Path) -> None:
    text = f"ICLR 2026 Papers\n\n{LONG}\n\nWe propose FooBar, a sampler for tides. {LONG}\n"
    first, second = papers(read(tmp_path, "list.txt", text))
    assert first.venue == second.venue == "ICLR 2026"
    assert first.published == "2026"
    assert (first.title_derived, second.title_derived) == (True, True)
    assert second.title == "FooBar: a sampler for tides"
    assert first.id.startswith("text:")
    assert first.id != second.id
    assert first.source == "file:list.txt"


def test_titles_on_a_line_of_their_own_are_kept(tmp_path: Path) -> None:
    apart = f"Tides and Boats\n\n{LONG}\n\nBoats and Tides\n\n{LONG} Twice.\n"
    together = f"Tides and Boats\n{LONG}\n\nBoats and Tides\n{LONG} Twice.\n"
    for text in (apart, together):
        assert [paper.title for paper in papers(read(tmp_path, "a.txt", text))][
            -1
        ] == "Boats and Tides"
    assert [p.title for p in papers(read(tmp_path, "a.txt", together))] == [
        "Tides and Boats",
        "Boats and Tides",
    ]


def test_wrapped_lines_of_an_abstract_hold_no_title(tmp_path: Path) -> None:
    words = LONG.split()
    wrapped = "\n".join(" ".join(words[n : n + 8]) for n in range(0, len(words), 8))
    paper = one(tmp_path, "w.txt", wrapped)
    assert paper.title_derived
    assert paper.abstract == LONG.strip()


def test_labelled_text_is_read_by_its_labels(tmp_path: Path) -> None:
    text = (
        "Title: Tides\nAuthors: Kim, Ada and Roe, Bo\nYear: 2020\nURL: https://arxiv.org/abs/2001.00001v2\n"
        f"Abstract: {LONG}\n\nTitle: Boats\nAbstract: {LONG}"
    )
    first, second = papers(read(tmp_path, "l.txt", text))
    assert (first.id, first.title, first.authors) == (
        "arxiv:2001.00001",
        "Tides",
        ("Ada Kim", "Bo Roe"),
    )
    assert second.title == "Boats"


def test_a_stray_line_is_skipped_with_its_place(tmp_path: Path) -> None:
    records = read(tmp_path, "s.txt", f"ICLR 2026\n\n{LONG}\n\nThanks for reading\n")
    assert skipped(records) == [
        Skipped("s.txt:5", "too short for an abstract: 'Thanks for reading'")
    ]
    assert len(papers(records)) == 1


# JSON Lines


def test_a_json_line_is_read_whole(tmp_path: Path) -> None:
    record = {
        "id": "arxiv:2503.00001v3", "title": "Tides  of\nBoats", "abstract": LONG, "authors": ["Ada Kim", "et al."],
        "year": 2025, "venue": "arXiv", "url": "https://arxiv.org/abs/2503.00001", "categories": ["cs.LG"],
        "announced": "2025-03-04",
    }  # fmt: skip
    paper = one(tmp_path, "a.jsonl", json.dumps(record))
    assert paper.id == "arxiv:2503.00001"
    assert paper.title == "Tides of Boats"
    assert paper.authors == ("Ada Kim",)
    assert paper.authors_truncated
    assert paper.published == "2025-03-04"
    assert paper.categories == ("cs.LG",)
    assert paper.links == ("https://arxiv.org/abs/2503.00001",)
    assert paper.version == 3


def test_gzip_pretty_json_and_arrays_are_read_too(tmp_path: Path) -> None:
    record = {"title": "A", "text": LONG, "doi": "10.1000/ABC", "date": "2024-05-06"}
    for name, content in (
        ("a.jsonl.gz", gzip.compress(json.dumps(record).encode())),
        ("a.json", json.dumps([record], indent=2).encode()),
        ("b.json", json.dumps(record, indent=2).encode()),
        ("c.json", json.dumps({"data": [record]}).encode()),
        ("noname", json.dumps(record).encode()),
    ):
        paper = one(tmp_path, name, content)
        assert (paper.id, paper.published, paper.abstract) == (
            "doi:10.1000/abc",
            "2024-05-06",
            LONG.strip(),
        )


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"title": ', "not valid JSON"),
        ("[1, 2", "not valid JSON"),
        ("42", "not a JSON object"),
        ("null", "not a JSON object"),
        ('{"title": null, "abstract": " "}', "neither a title nor an abstract"),
        ('{"abstract": "[No abstract available]"}', "neither a title nor an abstract"),
        ("[" * 100000, "nested too deeply"),
    ],
)
def test_a_broken_line_is_skipped_with_its_number(tmp_path: Path, line: str, reason: str) -> None:
    records = read(tmp_path, "b.jsonl", f'{{"title": "A"}}\n\n{line}\n{{"title": "B"}}\n')
    assert [paper.title for paper in papers(records)] == ["A", "B"]
    (broken,) = skipped(records)
    assert broken.where == "b.jsonl:3"
    assert reason in broken.reason


def test_an_abstract_that_is_missing_stays_empty(tmp_path: Path) -> None:
    for nothing in (None, "", "None", "n/a", "No abstract available."):
        assert (
            one(tmp_path, "n.jsonl", json.dumps({"title": "A", "abstract": nothing})).abstract == ""
        )


def test_shapes_of_openreview_and_semantic_scholar_are_understood(tmp_path: Path) -> None:
    note = {
        "id": "RD4XgyVyGh",
        "content": {"title": {"value": "A"}, "authors": {"value": ["Bo Roe"]}},
    }
    assert one(tmp_path, "o.json", json.dumps({"notes": [note]})).authors == ("Bo Roe",)
    found = {
        "paperId": "ab",
        "title": "A",
        "authors": [{"name": "Bo Roe"}],
        "externalIds": {"ArXiv": "2001.00001"},
    }
    paper = one(tmp_path, "s.json", json.dumps({"data": [found]}))
    assert (paper.id, paper.authors) == ("arxiv:2001.00001", ("Bo Roe",))


# All of them


def test_a_withdrawn_or_retracted_paper_is_marked(tmp_path: Path) -> None:
    withdrawn = {
        "title": "A",
        "abstract": "This paper has been withdrawn by the author due to an error.",
    }
    assert one(tmp_path, "a.jsonl", json.dumps(withdrawn)).status is Status.WITHDRAWN
    assert (
        one(tmp_path, "b.jsonl", json.dumps({"title": "RETRACTED: Tides"})).status
        is Status.RETRACTED
    )


FRAGMENTS = (
    "@article{a,", "title={x}", "}", "{", '"', ",", "\n", "TY  - JOUR\n", "ER  - \n", "TI  - x\n", "#",
    "title,abstract\n", "\t", ";", "[", "]", ":", "null", "a", "PMID- 1\n", "PT J\n", "\\", "$", " and ",
    "author=", "@string{a=", "%", "\0", "Title: ", "\nAbstract: ", '{"title": "x"}\n',
)  # fmt: skip
NAMES = ("a.txt", "a.jsonl", "a.json", "a.csv", "a.tsv", "a.bib", "a.ris", "a.nbib", "a", "a.gz")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.sampled_from(NAMES),
    st.one_of(
        st.binary(max_size=200),
        st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace")),
        st.lists(st.sampled_from(FRAGMENTS), max_size=40).map(
            lambda parts: "".join(parts).encode()
        ),
    ),
)
def test_no_content_breaks_a_reader(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    records, refusal = read_or_line(path)
    assert bool(records) != bool(refusal)
    for record in records:
        assert isinstance(record, Paper | Skipped)
        if isinstance(record, Paper):
            assert record.id
            assert record.title.strip()
            assert "\n" not in record.title
        else:
            assert record.where.startswith(name)
            assert record.reason


def test_the_first_nineteen_abstracts_are_nineteen_papers(shared: Path) -> None:
    records = list(read_file(shared / "data/seeds/iclr2026-abstracts.txt"))
    assert len(papers(records)) == len(records) == 19
    assert {paper.venue for paper in papers(records)} == {"ICLR 2026"}
    assert {paper.published for paper in papers(records)} == {"2026"}
    assert all(paper.title_derived for paper in papers(records))


def test_a_conference_of_json_lines_is_read_without_loss(shared: Path) -> None:
    records = list(read_file(shared / "data/corpora/iclr2026.jsonl.gz"))
    assert len({paper.id for paper in papers(records)}) == len(records) == 4302


@pytest.mark.parametrize("folder", ["bibtex_nasty", "ris_nasty", "zotero_exports"])
def test_recorded_exports_are_papers_reasons_or_one_line(shared: Path, folder: str) -> None:
    read_papers = 0
    for path in sorted((shared / "data/payloads" / folder).rglob("*.*")):
        if path.is_dir():
            continue
        records, _ = read_or_line(path)
        assert all(isinstance(record, Paper | Skipped) for record in records)
        assert len(papers(records)) + len(skipped(records)) == len(records)
        if path.suffix == ".bib":
            text = path.read_bytes().decode("utf-8", "replace")
            entries = [
                part.split("{")[0].split("(")[0].strip().casefold() for part in text.split("@")[1:]
            ]
            known = [
                kind for kind in entries if kind in {"article", "book", "misc", "inproceedings"}
            ]
            assert len(records) >= len(known) - text.count("%")
        read_papers += len(papers(records))
    assert read_papers > {"bibtex_nasty": 150, "ris_nasty": 15, "zotero_exports": 700}[folder]


@pytest.mark.parametrize("content", ["0", "null", "true", '"word"', "[0, null]", '{"data": 3}'])
def test_json_that_holds_no_records_is_skipped_with_its_reason(
    tmp_path: Path, content: str
) -> None:
    path = tmp_path / "odd.json"
    path.write_text(content)
    records, _ = read_or_line(path)
    assert records
    assert all(isinstance(record, Skipped) and record.reason for record in records)
