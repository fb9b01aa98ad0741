"""The room of a result: how many tokens it may take in the request in which it is new."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..base.extension_metadata import CallMetadata
from ..base.messages import Part, dump
from .tokens import count_text
from .tool_facts import ToolFacts

_USUAL, _MOST = 1 / 3, 0.7
_LEAST = 300


@dataclass(frozen=True)
class ResultBudget:
    """Tokens of a whole result, by the estimate that needs no vocabulary: the panel counts the same.

    A tool shapes its result to it by whole entries; what is longer all the same is cut before it is sent.
    """

    tokens: int = 8_000

    def holds(self, value: Any) -> bool:
        """Whether a text fits, or the JSON of any other value."""
        return count_text(value if isinstance(value, str) else dump(value)) <= self.tokens

    def characters(self, text: str) -> int:
        """How many characters of this text fit, all of it being like its whole."""
        tokens = count_text(text)
        return len(text) if tokens <= self.tokens else len(text) * self.tokens // tokens


def share_budget(free: int, tools: Sequence[ToolFacts]) -> list[ResultBudget]:
    """The room of each result of a step: a third of what is free, or what its tool asks for, and 70 % all together."""
    wishes = [_MOST if facts.share == "most" else _USUAL for facts in tools]
    together = min(1.0, _MOST / sum(wishes)) if wishes else 1.0
    return [ResultBudget(max(_LEAST, int(free * wish * together))) for wish in wishes]


def result_budget_of(part: Part) -> ResultBudget | None:
    """As it is kept with the call, so that its result reads the same in all later requests; None without one."""
    room = CallMetadata.of(part).room
    return None if room is None else ResultBudget(room)
