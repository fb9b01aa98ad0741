"""Long lists in answers without a model: their first entries, how many more there are and how to ask for those."""

from __future__ import annotations

from collections.abc import Sequence

from .workflow import Node

MOST_TOLD = 12


def more_told(nodes: Sequence[Node]) -> str:
    """ "" where all entries are told; `nodes` are those of each."""
    left = nodes[MOST_TOLD:]
    return f"… and {len(left):,} more. Ask for one by its number, such as node {left[0].id}." if left else ""
