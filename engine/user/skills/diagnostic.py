"""What is wrong with a file that somebody wrote, in words for that person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Diagnostic:
    """`path` begins with the name of the context folder: no message tells where a person's files lie."""

    path: str
    problem: str
    action: str
    leaves_out: bool = False
    """The file has no effect at all."""
    name: str = ""
    """What it would be called, where it could be read and is held back."""

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
