"""The facts of a tool for the context engine: the effect of its calls, and the room of its results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Effect = Literal["reads", "edits", "runs", "builds and runs"]
"""The effect of a call on the open workflow, which decides where a checkpoint lists it."""

Share = Literal["usual", "most"]
"""The share of the free room that a new result may take: a third, or all that a step may take, as for skills and
readings of the workflow."""


@dataclass(frozen=True)
class ToolFacts:
    effect: Effect = "reads"
    share: Share = "usual"

    @property
    def edits(self) -> bool:
        return self.effect in ("edits", "builds and runs")

    @property
    def runs(self) -> bool:
        return self.effect in ("runs", "builds and runs")


def find_facts(name: str, tools: Mapping[str, ToolFacts]) -> ToolFacts:
    """Return the facts of a tool; a conversation may name tools that never existed or no longer do."""
    return tools.get(name) or ToolFacts()
