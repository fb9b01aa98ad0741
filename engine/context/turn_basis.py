"""What the running turn stands on: skills and readings of the workflow, whole as long as it lasts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..base.messages import Part, tool_name
from .position import Block
from .repeats import call_of
from .tool_facts import ToolFacts, facts_of


def basis_of_turn(blocks: Sequence[Block], facts: Mapping[str, ToolFacts]) -> list[int]:
    """The places of the newest turn's rounds with a result for which its tool asks the most room.

    Of equal calls only the newest counts.
    """
    newest: set[str] = set()
    places: list[int] = []
    for place in range(len(blocks) - 1, -1, -1):
        if blocks[place].kind == "user":
            break
        calls = {call_of(part) for part in blocks[place].calls if _is_basis(part, facts)}
        if calls - newest:
            places.append(place)
        newest |= calls
    return places[::-1]


def _is_basis(part: Part, facts: Mapping[str, ToolFacts]) -> bool:
    output = part.get("output")
    is_done = isinstance(output, dict) and output.get("ok") is True
    return is_done and facts_of(tool_name(part), facts).share == "most"
