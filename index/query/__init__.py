"""What a search asks for: a person's words as a query, and what the library finds for it."""

from index.query.parsing import parse
from index.query.parts import Query

__all__ = ["Query", "parse"]
