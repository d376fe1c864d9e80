"""Papers from a file: plain text, JSON Lines, CSV and TSV, BibTeX, RIS; also gzipped."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from index.paper import Paper
from index.sources.bibtex import read_bibtex
from index.sources.csljson import is_csl, read_csl
from index.sources.jsonlines import read_json
from index.sources.plaintext import read_text
from index.sources.records import Skipped, SourceError
from index.sources.ris import read_ris
from index.sources.tables import has_header, read_table
from index.sources.tagged import is_medline, is_wos, read_medline, read_wos

__all__ = ["Skipped", "SourceError", "read_file"]

Reader = Callable[[str, str], Iterator[Paper | Skipped]]
"""Takes the text and the file's name, and gives each record once, as a Paper or a Skipped."""

_READERS: dict[str, tuple[str, Reader]] = {
    "text": ("plain text", read_text),
    "json": ("JSON Lines", read_json),
    "csl": ("CSL JSON", read_csl),
    "table": ("a table", read_table),
    "bibtex": ("BibTeX", read_bibtex),
    "ris": ("RIS", read_ris),
    "medline": ("a PubMed export", read_medline),
    "wos": ("a Web of Science export", read_wos),
}
_SUFFIXES = {
    ".txt": "text", ".text": "text", ".md": "text", ".markdown": "text",
    ".jsonl": "json", ".ndjson": "json", ".json": "json",
    ".csv": "table", ".tsv": "table", ".tab": "table",
    ".bib": "bibtex", ".bibtex": "bibtex",
    ".ris": "ris", ".nbib": "medline", ".ciw": "wos",
}  # fmt: skip
# First bytes of what people hand in by mistake, and what to do instead.
_BINARY = {
    b"%PDF": "a PDF; add its abstract as text, or its record as BibTeX or RIS",
    b"PK\x03\x04": "a ZIP archive or an office document; save the table in it as CSV",
    b"\xd0\xcf\x11\xe0": "an old office document; save it as CSV or text",
    b"SQLite format 3": "an SQLite database; export its records as CSV, RIS or BibTeX",
    b"\x1f\x8b": "compressed twice; unpack it first",
}
_FORMATS = "plain text, JSON Lines, CSV, TSV, BibTeX or RIS"


def read_file(path: Path) -> Iterator[Paper | Skipped]:
    """Every record of a file, in order, as a Paper or as Skipped with its place and reason.

    Raises SourceError before the first record where the file cannot be read at all, and at the end
    where it held no record.
    """
    text = _decode(_read(path), path)
    kind = _kind(path, text)
    name, reader = _READERS[kind]
    return _counted(reader(text, path.name), f"{path} (read as {name})")


def _counted(records: Iterator[Paper | Skipped], what: str) -> Iterator[Paper | Skipped]:
    found = False
    for record in records:
        found = True
        yield record
    if not found:
        raise SourceError(f"no records in {what}; check that it is the file you mean")


def _read(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise SourceError(f"{path} is a folder; name the files in it, for example {path}/*.bib")
        data = path.read_bytes()
    except FileNotFoundError:
        raise SourceError(f"there is no file {path}; check the name and the folder") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise SourceError(f"cannot read {str(path)!r}: {reason}; check the file") from error
    if data.startswith(b"\x1f\x8b"):
        try:
            data = gzip.decompress(data)
        except (EOFError, OSError, zlib.error):
            raise SourceError(
                f"{path} is cut short or damaged (gzip); download or compress it again"
            ) from None
    if not data.strip(b"\xef\xbb\xbf \t\r\n\f\v\x00"):
        raise SourceError(f"{path} is empty; there is nothing to add")
    return data


def _decode(data: bytes, path: Path) -> str:
    for magic, what in _BINARY.items():
        if data.startswith(magic):
            raise SourceError(f"{path} is {what}")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            return _lines(data.decode("utf-16"))
        except UnicodeDecodeError:
            raise SourceError(f"{path} is damaged UTF-16; save it as UTF-8") from None
    head = data[:65536]
    controls = sum(byte < 32 and byte not in b"\t\n\r\f\v\x1b" for byte in head)
    if b"\x00" in head or controls > len(head) // 50:
        raise SourceError(f"{path} is a binary file; give {_FORMATS}")
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            return _lines(data.decode(encoding))
        except UnicodeDecodeError:
            continue
    return _lines(data.decode("latin-1"))


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff")


def _kind(path: Path, text: str) -> str:
    """The format: the suffix says it unless the content plainly says another."""
    suffixes = [suffix.casefold() for suffix in path.suffixes]
    suffix = next((s for s in reversed(suffixes) if s not in {".gz", ".gzip"}), "")
    named = _SUFFIXES.get(suffix)
    seen = _sniff(text)
    if named == "table":
        return named
    if seen:
        return seen
    if named in _READERS:
        return named
    is_markup = re.match(r"\s*<[!?a-z]", text, re.IGNORECASE)
    if re.search(r"\S+(?:\s+\S+){20}", text) and not is_markup:
        return "text"
    raise SourceError(f"{path} is of no format Footnote reads; give {_FORMATS}")


def _sniff(text: str) -> str | None:
    head = text[:20000]
    if re.match(r"\s*(?:\{\s*[\"}]|\[\s*[\[{\]])", head):
        return "csl" if is_csl(head) else "json"
    if is_medline(head):
        return "medline"
    if is_wos(head):
        return "wos"
    if re.search(r"^\s{0,3}TY {1,2}- ?\S", head, re.MULTILINE):
        return "ris"
    if re.search(r"^\s*@[A-Za-z]+\s*[{(]\s*[^\s,{}()\"=]*\s*[,=]", head, re.MULTILINE):
        return "bibtex"
    if has_header(head):
        return "table"
    return None
