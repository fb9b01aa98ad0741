"""Pages of long texts in results, cut at a boundary and to the room of the result."""

from __future__ import annotations

from collections.abc import Callable

from ..base.tool_result import ToolResult
from ..context.results import ResultBudget
from ..context.shorten import border_before

_PAGE, _LEAST_PAGE = 12_000, 400


def page_from(text: str, start: int, room: ResultBudget, result: Callable[[int], ToolResult]) -> ToolResult:
    """Return the result of the text from `start` to the last boundary of a line, entry, sentence or word that fits.

    `result` gets the end of the page.
    """
    length = min(len(text) - start, _PAGE)
    while length > _LEAST_PAGE and not room.holds(result(start + length)):
        length = length * 4 // 5
    end = start + length
    return result(end if end == len(text) else border_before(text, end))
