"""What the context engine has to know of a tool: what a call of it does, and how much of its result is kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Effect = Literal["reads", "edits", "runs", "builds and runs"]
"""On the open workflow: what is told of a call once the conversation around it is condensed."""

Keep = Literal["capped", "generous", "whole"]
"""Of a new result: the usual length; twice of it, where half of the result says less than half; or all of it that
could ever be sent, for instructions and for what was asked for whole, which also stay while their turn lasts."""


@dataclass(frozen=True)
class ToolFacts:
    effect: Effect = "reads"
    keeps: Keep = "capped"

    @property
    def edits(self) -> bool:
        return self.effect in ("edits", "builds and runs")

    @property
    def runs(self) -> bool:
        return self.effect in ("runs", "builds and runs")


def facts_of(name: str, tools: Mapping[str, ToolFacts]) -> ToolFacts:
    """A conversation may name tools that there never were, and some that there are no more."""
    return tools.get(name) or ToolFacts()
