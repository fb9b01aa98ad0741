"""Calls of the browser's tools that flat tools make, and the failures in their place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..base.tool_result import ToolFailure, failure
from .resolve import NotFound


@dataclass(frozen=True)
class BrowserCall:
    tool: str
    input: dict[str, Any] = field(default_factory=dict)

    @property
    def operations(self) -> list[dict[str, Any]]:
        """The call's changes as operations of `editWorkflow`."""
        return self.input.get("operations") or [{"op": self.tool, **self.input}]


def edit(*operations: dict[str, Any]) -> BrowserCall:
    """Return a call of `editWorkflow` with these operations."""
    return BrowserCall("editWorkflow", {"operations": list(operations)})


def not_found_failure(kind: str, name: str, error: NotFound) -> ToolFailure:
    """Return the failure for a name; `kind` is the kind of thing in words: "value", "node", "node type"."""
    if error.candidates:
        named = [*filter(None, error.candidates)]
        ways = [f"Use one of these: {_listed(named)}."] if named else []
        if len(named) < len(error.candidates):
            ways.append("What this reply adds goes by its id, once it is there: call this again, then.")
        return failure(f'"{name}" could be more than one {kind}, or is none.', " ".join(ways))
    if error.others:
        return failure(
            f'There is no {kind} "{name}".',
            f"There are: {_listed(error.others)}{f' and {error.more} more' if error.more else ''}.",
        )
    return failure(
        f'There is no {kind} "{name}".',
        "The open workflow is empty. addNode adds a node to it; runNewWorkflow builds a new one.",
    )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)
