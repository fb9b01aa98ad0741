"""Lists in results, cut to the room of the result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from ..base.tool_result import ToolResult
from ..context.results import ResultBudget

Entry = TypeVar("Entry")


def first_that_fit(
    entries: Sequence[Entry], room: ResultBudget, result: Callable[[Sequence[Entry]], ToolResult]
) -> ToolResult:
    """Return the result of as many of the first entries as there is room for, but at least one.

    `result` gets the shown entries; it reports how many more there are and how to ask for them.
    """
    return result(entries[: how_many_fit(entries, room, result)])


def how_many_fit(
    entries: Sequence[Entry], room: ResultBudget, result: Callable[[Sequence[Entry]], ToolResult]
) -> int:
    """Return how many of the first entries there is room for, at least one if there are any."""
    if len(entries) <= 1 or room.holds(result(entries)):
        return len(entries)
    fewest, most = 1, len(entries) - 1
    while fewest < most:
        middle = (fewest + most + 1) // 2
        if room.holds(result(entries[:middle])):
            fewest = middle
        else:
            most = middle - 1
    return fewest


def more_matches(count: int, most: int, *, is_slim: bool) -> dict[str, Any]:
    """Return how many more matches there are and how to ask for them, for a search with a `limit` of at most `most`.

    Slim forms have no `limit`.
    """
    if not count:
        return {}
    limit = "" if is_slim else f"; limit shows up to {most}, as far as there is room"
    return {"more": count, "hint": f"More words narrow it{limit}."}
