"""Namesakes: the papers of an author, however the name is written, without a look at every paper."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import product

from index.filters import family_name, same_author
from index.lexical import fold
from index.papers import Papers
from index.query.memory import remembered

AND = " & "
"""Between the names of authors who wrote together."""

MOST = 64
"""Spellings of a name that are looked up."""


def rows_by(papers: Papers, author: str) -> list[int]:
    """Rows of the papers by an author, or by several joined with `AND`, ascending.

    The full-text index knows who has the family name; the whole name is then compared.
    """
    each = [
        remembered(papers, "by", name, partial(_rows, papers, name)) for name in author.split(AND)
    ]
    return sorted(frozenset.intersection(*each))


def _rows(papers: Papers, author: str) -> Iterator[int]:
    spellings = _spellings(family_name(author))
    if not spellings:
        return
    wanted = " OR ".join(f'"{name}"' for name in spellings)
    found = papers.connection.execute(
        "SELECT row, authors FROM papers WHERE row IN (SELECT rowid FROM words WHERE words MATCH ?)",
        (f"authors : ({wanted})",),
    )
    for row, names in found:
        # The stems of the index take in other names, and most authors of a paper are others.
        near = (name for name in str(names).split("\n") if any(s in fold(name) for s in spellings))
        if any(same_author(author, name) for name in near):
            yield int(row)


def _spellings(family: str) -> list[str]:
    """`muller` as it is and as `mueller`, `weiss` also as `weiß`: what is one name to `same_author`."""
    choices = []
    for at, letter in enumerate(family):
        umlaut = letter in "aou" and not re.match(r"[aeiou]", family[at + 1 : at + 2])
        choices.append((letter, letter + "e") if umlaut else (letter,))
    out = {"".join(letters) for letters, _ in zip(product(*choices), range(MOST), strict=False)}
    out |= {name.replace("ss", "ß") for name in out}
    return sorted(out) if re.search(r"[^\W\d_]", family) else []
