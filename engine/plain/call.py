"""What a call in plain words comes to: a call of a browser's tool, or why there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..tool_result import ToolFailure, failure
from .meant import NotFound


@dataclass(frozen=True)
class BrowserCall:
    """`asked` are the plain words that it carries out, where they are not those of the model: what it is shown of its
    own call, so that it tells of what was done. `asked_of` is the plain tool they are for, where it called another.
    """

    tool: str
    input: dict[str, Any] = field(default_factory=dict)
    asked: dict[str, Any] | None = field(default=None, compare=False)
    asked_of: str = field(default="", compare=False)


def edit(*operations: dict[str, Any]) -> BrowserCall:
    return BrowserCall("editWorkflow", {"operations": list(operations)})


def not_found(kind: str, said: str, error: NotFound) -> ToolFailure:
    """`kind` is what was looked for: "value", "node"."""
    if error.candidates:
        return failure(
            f'It is not clear which {kind} "{said}" is.', f"Use one of these: {_listed(error.candidates)}."
        )
    # Asked to choose, a small model takes the first one.
    hint = (
        f"There are: {_listed(error.others)}. If the user means none of them, call no tool and say that there is none."
        if error.others
        else "The open workflow has none."
    )
    return failure(f'There is no {kind} "{said}".', hint)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)
