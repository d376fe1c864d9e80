"""A paper may be like another in what it starts from, how it goes about it, or what came out."""

from __future__ import annotations

from pathlib import Path

import pytest

from index.facets import Facet, facet_text
from index.library import Library
from index.paper import Paper

EELS = Paper(
    id="a:1",
    title="Counting eels in rivers",
    abstract=(
        "Eel populations have declined for decades, and existing surveys are costly. "
        "However, counting eels in turbid rivers remains difficult. "
        "In this paper, we propose a method to count eels from sonar. "
        "We train a convolutional network on sonar recordings with contrastive learning. "
        "The network is then applied to sonar recordings of four rivers. "
        "Experimental results show that our counts outperform those of divers."
    ),
)
SAME_METHOD = Paper(
    id="a:2",
    title="Contrastive learning of heart sounds",
    abstract="We train a convolutional network on recordings with contrastive learning.",
)
SAME_BACKGROUND = Paper(
    id="a:3",
    title="Dams and the decline of eels",
    abstract="Eel populations have declined for decades. Dams in rivers are one reason, surveys say.",
)
OTHERS = [
    Paper(id="a:4", title="Taxes on land", abstract="Taxes on land in the ninth century."),
    Paper(id="a:5", title="Yeast", abstract="Yeast raises bread, and temperature matters."),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("facets")
    with Library.open(made, create=True) as library:
        library.add([EELS, SAME_METHOD, SAME_BACKGROUND, *OTHERS])
    return made


def test_each_facet_has_its_sentences() -> None:
    assert facet_text(EELS, Facet.BACKGROUND).startswith("Eel populations")
    assert facet_text(EELS, Facet.METHOD).startswith("We train")
    assert facet_text(EELS, Facet.RESULT).startswith("Experimental results")


def test_a_paper_like_one_in_a_facet_gains_by_it(folder: Path) -> None:
    with Library.open(folder) as library:

        def scores(facet: Facet | None) -> dict[str, float]:
            return {hit.paper.id: hit.score for hit in library.similar("a:1", 5, facet=facet)}

        method, background = scores(Facet.METHOD), scores(Facet.BACKGROUND)
        assert method["a:2"] - method["a:3"] > background["a:2"] - background["a:3"]
        assert "a:1" not in method
        assert set(method) == set(background) == set(scores(None)) == {"a:2", "a:3", "a:4", "a:5"}


def test_a_facet_the_abstract_says_nothing_of_is_no_error(folder: Path) -> None:
    with Library.open(folder) as library:
        assert [hit.paper.id for hit in library.similar("a:4", 9, facet=Facet.METHOD)]
        bare = Paper(id="a:6", title="A title alone", abstract="")
        assert facet_text(bare, Facet.RESULT) == ""
