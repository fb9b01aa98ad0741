"""What is wrong with a file that somebody wrote, in words for that person."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Diagnostic:
    """`path` begins with the name of the context folder: no message tells where a person's files lie."""

    path: str
    problem: str
    action: str

    def __str__(self) -> str:
        return f"{self.path}: {self.problem} {self.action}"
