"""A problem of a file that a user wrote, in words for that user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Diagnostic:
    """A problem of a file. `path` begins with the context folder, so that no message reveals where the user's files
    are.
    """

    path: str
    problem: str
    action: str
    leaves_out: bool = False
    """Whether the file has no effect at all."""
    name: str = ""
    """The name of a skill that is readable and held back."""

    def __str__(self) -> str:
        return f"{self.path}: {self.problem} {self.action}"

    def as_json(self) -> dict[str, Any]:
        return {
            "path": self.path,
            "problem": self.problem,
            "action": self.action,
            "leavesOut": self.leaves_out,
            **({"name": self.name} if self.name else {}),
        }
