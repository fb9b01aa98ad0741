"""What a tool gives back, in either language."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import NotRequired, TypedDict


class ToolSuccess(TypedDict):
    """`summary` is one line with ids and names: all that remains when the result grows old."""

    ok: Literal[True]
    summary: str
    data: dict[str, Any]


class ToolFailure(TypedDict):
    ok: Literal[False]
    error: str
    hint: NotRequired[str]


ToolResult = ToolSuccess | ToolFailure


def success(summary: str, data: dict[str, Any]) -> ToolSuccess:
    return {"ok": True, "summary": summary, "data": data}


def failure(error: str, hint: str | None = None) -> ToolFailure:
    return {"ok": False, "error": error} if hint is None else {"ok": False, "error": error, "hint": hint}
