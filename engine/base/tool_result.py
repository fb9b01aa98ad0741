"""What a tool gives back, in either language."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import NotRequired, TypedDict

FailureCode = Literal["stopped", "declined", "cut-off", "too-many-calls", "repeated", "other-workflow"]
"""Why a call was not carried out, where the person is told so in other words than the model.

`contract/failureCodes.json` holds them for the panel. A failure without a code is an ordinary one, and shown with
its own words.
"""


class ToolSuccess(TypedDict):
    """`summary` is one line with ids and names: all that remains when the result grows old.

    `outside` names the places of what was written by others: neither by the person nor by the model.
    """

    ok: Literal[True]
    summary: str
    data: dict[str, Any]
    outside: NotRequired[list[str]]


class ToolFailure(TypedDict):
    """`code` is for programs: models read `error` and `hint`, and `sendInstead`, the arguments that would fit."""

    ok: Literal[False]
    code: NotRequired[FailureCode]
    error: str
    hint: NotRequired[str]
    sendInstead: NotRequired[dict[str, Any]]


ToolResult = ToolSuccess | ToolFailure


def success(summary: str, data: dict[str, Any]) -> ToolSuccess:
    return {"ok": True, "summary": summary, "data": data}


def without_others_words(result: ToolSuccess) -> ToolSuccess:
    """Of a tool whose results bring others' words: this one brings those alone that come with ComfyUI itself."""
    return {**result, "outside": []}


def failure(error: str, hint: str | None = None, *, code: FailureCode | None = None) -> ToolFailure:
    result: ToolFailure = {"ok": False, "error": error}
    if code is not None:
        result["code"] = code
    if hint is not None:
        result["hint"] = hint
    return result
