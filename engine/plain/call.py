"""What a call in plain words comes to: a call of a browser's tool, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..tool_result import ToolFailure, failure
from .meant import NotFound


@dataclass(frozen=True)
class BrowserCall:
    """`asked` are the plain words that it carries out, where they are not those of the model: what it is shown of its
    own call, so that it tells of what was done.
    """

    tool: str
    input: dict[str, Any] = field(default_factory=dict)
    asked: dict[str, Any] | None = field(default=None, compare=False)


def edit(*operations: dict[str, Any]) -> BrowserCall:
    return BrowserCall("editWorkflow", {"operations": list(operations)})


def not_found(kind: str, said: str, error: NotFound) -> ToolFailure:
    """`kind` is what was looked for: "value", "node"."""
    listed = ", ".join(f'"{name}"' for name in error.candidates)
    return failure(
        f'It is not clear which {kind} "{said}" is.' if error.candidates else f'There is no {kind} "{said}".',
        f"Use one of these: {listed}." if listed else "The open workflow has none.",
    )
