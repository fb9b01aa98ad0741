"""The recorded queries, and how often a search answers them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

FIXTURES = Path(__file__).parent.parent / "tests" / "fixtures"


def recorded_queries(name: str) -> list[tuple[str, frozenset[str]]]:
    """Each query with the node types that answer it."""
    lines = (FIXTURES / "node_queries" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    # Names of types may hold a colon, too.
    pairs = (line.split(": ", 1) for line in lines)
    return [(query, frozenset(types.split(", "))) for query, types in pairs]


def missed(
    queries: Sequence[tuple[str, frozenset[str]]], search: Callable[[str], Sequence[str]], *, within: int = 3
) -> list[str]:
    """The queries that no accepted type answers among the first."""
    return [query for query, accepted in queries if not accepted & set(search(query)[:within])]
