"""Lists in results, as long as the room of the result allows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from ..base.tool_result import ToolResult
from ..context.result_budget import ResultBudget

Entry = TypeVar("Entry")


def first_that_fit(
    entries: Sequence[Entry], room: ResultBudget, result: Callable[[Sequence[Entry]], ToolResult]
) -> ToolResult:
    """The result of as many of the first entries as there is room for, and of one at least.

    `result` is told which entries are shown, and says itself how many more there are and how to ask for them.
    """
    return result(entries[: how_many_fit(entries, room, result)])


def how_many_fit(
    entries: Sequence[Entry], room: ResultBudget, result: Callable[[Sequence[Entry]], ToolResult]
) -> int:
    """Of the first entries; one at least, if there is one."""
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


def more_of(count: int, most: int, *, is_slim: bool) -> dict[str, Any]:
    """For searches with a `limit` of `most`, which slim forms have not: how many more there are, and how to ask."""
    if not count:
        return {}
    limit = "" if is_slim else f"; limit shows up to {most}, as far as there is room"
    return {"more": count, "hint": f"More words narrow it{limit}."}
