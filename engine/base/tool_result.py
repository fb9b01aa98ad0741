"""Results of tools, in Python and in the panel."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import NotRequired, TypedDict

FailureCode = Literal[
    "stopped", "declined", "cut-off", "too-many-calls", "repeated", "other-workflow", "out-of-memory"
]
"""The reason of a failure where the panel shows it in other words than the model reads, or offers what helps.

`contract/failureCodes.json` holds them for the panel. A failure without a code is an ordinary one, and shown with its
own words.
"""


class ToolSuccess(TypedDict):
    """A successful result. `summary` is one line with ids and names: all that remains when the result grows old.

    `outside` names the sources of texts that neither the user nor the model wrote.
    """

    ok: Literal[True]
    summary: str
    data: dict[str, Any]
    outside: NotRequired[list[str]]


class ToolFailure(TypedDict):
    """A failed result. Programs read `code`; models read `error`, `hint` and `sendInstead`, the arguments that would
    fit.
    """

    ok: Literal[False]
    code: NotRequired[FailureCode]
    error: str
    hint: NotRequired[str]
    sendInstead: NotRequired[dict[str, Any]]


ToolResult = ToolSuccess | ToolFailure


def success(summary: str, data: dict[str, Any]) -> ToolSuccess:
    return {"ok": True, "summary": summary, "data": data}


def mark_trusted(result: ToolSuccess) -> ToolSuccess:
    """Mark this result as trusted although its tool's results usually are not: its texts come with ComfyUI itself."""
    return {**result, "outside": []}


def failure(error: str, hint: str | None = None, *, code: FailureCode | None = None) -> ToolFailure:
    result: ToolFailure = {"ok": False, "error": error}
    if code is not None:
        result["code"] = code
    if hint is not None:
        result["hint"] = hint
    return result
