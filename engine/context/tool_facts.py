"""What the context engine has to know of a tool: what a call of it does, and how much room its result gets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Effect = Literal["reads", "edits", "runs", "builds and runs"]
"""On the open workflow: what is told of a call once the conversation around it is condensed."""

Share = Literal["usual", "most"]
"""Of what is free for a result while it is new: a third, or all that a step may take, for instructions and for what
everything else is made of, as the workflow is."""


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


def facts_of(name: str, tools: Mapping[str, ToolFacts]) -> ToolFacts:
    """A conversation may name tools that there never were, and some that there are no more."""
    return tools.get(name) or ToolFacts()
