"""Papers that do not exist, and what words find among them."""

from __future__ import annotations

from datetime import date

from index.library import Filters, Found, Library
from index.paper import Paper, Status
from index.query import parse

TODAY = date(2025, 7, 3)
"""A Thursday."""


def paper(name: str, title: str, abstract: str, *authors: str, **more: object) -> Paper:
    fields: dict[str, object] = {"published": "2024-01-15", "source": "arxiv", **more}
    return Paper(id=f"arxiv:{name}", title=title, abstract=abstract, authors=authors, **fields)  # type: ignore[arg-type]


TRANSFORMER = paper(
    "2401.10001",
    "Wave Transformers for Long Forecasts of Time Series",
    "We forecast time series of wave heights with a transformer. Its attention looks back a year.",
    "Yu Chen",
    published="2024-05-02",
    venue="ICLR 2024",
    categories=("cs.LG",),
)
LINEAR = paper(
    "2401.10002",
    "Straight Lines: Forecasting Time Series with Linear Maps",
    "A single linear map forecasts time series well. It needs no transformer and trains in seconds.",
    "Xiaoyu Chen",
    published="2025-06-11",
    venue="ICML 2025",
    categories=("cs.LG", "stat.ML"),
)
CONVOLUTION = paper(
    "2401.10003",
    "Forecasting Time Series of River Flow by Convolutions",
    "Convolutions over hours and days forecast time series of river flow at 40 stations.",
    "Ana Pérez",
    "Chen, Yu",
    published="2023-12-31",
    venue="NeurIPS 2023",
)
MIXED = paper(
    "2401.10004",
    "Mixed Heads Forecast Time Series of Electric Load",
    "Convolutions and a light Transformer-based head forecast time series of load.",
    "Yann Çelik",
    published="2025-03",
)
SURVEY = paper(
    "2401.10005",
    "Forecasting of Time Series: A Survey",
    "In this survey we compare forty methods that forecast time series, old and new.",
    "Y. Chen",
    published="2025",
)
GALAXY = paper(
    "2401.10006",
    "Dust in Galaxies Seen at Long Waves",
    "We map the dust of 3,000 galaxies. The newest telescope sees further into the dust.",
    "Ada Obi",
    published="2025-07-02",
)
EXPERTS = paper(
    "2401.10007",
    "Sparse Mixture of Experts for Speech",
    "A mixture of experts (MoE) recognises speech with a tenth of the work.",
    "Ada Obi",
    published="2022-03-01",
)
MOE = paper(
    "2401.10008",
    "Balancing the Load of MoE Layers",
    "MoE layers waste half of their capacity. We balance what each of them is given.",
    "Jean Le Goff",
    published="2022-04-01",
)
LABELS = paper(
    "2401.10009",
    "Training without Labels by Comparing Crops",
    "Training without labels works where two crops of one picture are compared.",
    "Jean Le Goff",
    published="2021-04-01",
)
RETRACTED = paper(
    "2401.10010",
    "Perfect Forecasts of Time Series",
    "Our method forecasts time series without any error.",
    "Olu Adeyemi",
    published="2024-02-01",
    status=Status.RETRACTED,
)
ATTENTION = paper(
    "2401.10011",
    "Attention Is Mostly What One Needs: Reading by Heads",
    "Heads that attend read better than heads that do not.",
    "Olu Adeyemi",
    published="2019-02-01",
)
PAPERS = (
    TRANSFORMER, LINEAR, CONVOLUTION, MIXED, SURVEY, GALAXY, EXPERTS, MOE, LABELS, RETRACTED, ATTENTION,
)  # fmt: skip


def ask(library: Library, words: str, k: int = 20, filters: Filters = Filters()) -> Found:  # noqa: B008
    return library.ask(parse(words, today=TODAY), k, filters)


def found(library: Library, words: str, k: int = 20) -> set[str]:
    return {hit.paper.id for hit in ask(library, words, k).hits}


def ids(*papers: Paper) -> set[str]:
    return {one.id for one in papers}
