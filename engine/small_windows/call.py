"""What a call of a flat tool comes to: a call of one of the browser's tools, or why there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..tool_result import ToolFailure, failure
from .resolve import NotFound


@dataclass(frozen=True)
class BrowserCall:
    tool: str
    input: dict[str, Any] = field(default_factory=dict)


def edit(*operations: dict[str, Any]) -> BrowserCall:
    return BrowserCall("editWorkflow", {"operations": list(operations)})


def not_found(kind: str, name: str, error: NotFound) -> ToolFailure:
    """`kind` is what was looked for: "value", "node", "node type"."""
    if error.candidates:
        return failure(
            f'"{name}" could be more than one {kind}, or is none.',
            f"Use one of these: {_listed(error.candidates)}.",
        )
    if error.others:
        return failure(f'There is no {kind} "{name}".', f"There are: {_listed(error.others)}.")
    return failure(
        f'There is no {kind} "{name}".',
        "The open workflow is empty. addNode adds a node to it; runNewWorkflow builds a new one.",
    )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)
