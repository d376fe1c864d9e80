"""arXiv: its API, its daily lists, and its whole history."""

from index.sources.arxiv.api import ArxivIds, ArxivSearch
from index.sources.arxiv.listing import ArxivListing
from index.sources.arxiv.oai import ArxivHarvest
from index.sources.arxiv.service import API_URL, OAI_URL, RSS_URL

__all__ = [
    "API_URL",
    "OAI_URL",
    "RSS_URL",
    "ArxivHarvest",
    "ArxivIds",
    "ArxivListing",
    "ArxivSearch",
]
