"""The plan of one request: its messages, and what was done to make them fit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil
from typing import Any, Literal

from ..base.messages import Message
from .budget import Budget, Thresholds
from .compaction import Compaction
from .frame import LeftOut, SystemForm
from .rendering import IMAGES_OF_RESULTS

CondensingStage = Literal["digest", "checkpoint"]
"""Tool rounds were digested, or history was moved into the checkpoint."""
EmergencyStage = Literal["emergency-1", "emergency-2", "emergency-3"]
EMERGENCY_STAGES: tuple[EmergencyStage, ...] = ("emergency-1", "emergency-2", "emergency-3")
Stage = CondensingStage | EmergencyStage
"""A stage of making a request fit."""


@dataclass(frozen=True)
class Plan:
    """A request, and the stages that made it fit. `tokens` is an upper bound, tools included.

    `compaction` is the one now in effect: the given object if nothing was condensed. `blocks` are upper bounds of the
    tokens of each part.
    """

    messages: list[Message]
    form: SystemForm
    tokens: int
    window: int
    compaction: Compaction | None
    stages: tuple[Stage, ...]
    blocks: dict[str, int]
    thresholds: Thresholds
    budget: Budget
    tokens_before: int = 0
    estimate: int = 0
    """The tokens as counted, without the factor; a calibration compares them with the provider's count."""
    left_out: tuple[LeftOut, ...] = ()
    """The parts that the system message had no room for."""
    free: int = 0
    """Estimated tokens that are free for new results after condensing."""

    @property
    def has_compacted(self) -> bool:
        return bool(self.stages)

    @property
    def new_compaction(self) -> Compaction | None:
        return self.compaction if self.has_compacted else None

    @property
    def is_emergency(self) -> bool:
        return any(stage in EMERGENCY_STAGES for stage in self.stages)

    def report(self) -> dict[str, Any]:
        """Return the tokens of each part and the next action (docs/api.md, data-context)."""
        factor = self.budget.factor
        return {
            "form": self.form,
            "estimatedTokens": self.tokens,
            "window": self.window,
            "working": ceil(self.thresholds.working * factor),
            "high": ceil(self.thresholds.high * factor),
            "low": ceil(self.thresholds.low * factor),
            "reserve": self.budget.reserve,
            "blocks": self.blocks,
            "messages": len(self.messages),
            "leftOut": [entry.as_json() for entry in self.left_out],
            "nextAction": self._next_action(),
        }

    def _next_action(self) -> dict[str, Any]:
        if not self.budget.auto_compact:
            return {"what": "emergency", "atTokens": self.window - self.budget.reserve}
        has_rounds = any(message["role"] == "tool" for message in self.messages)
        return {
            "what": "digest" if has_rounds else "checkpoint",
            "atTokens": ceil(self.thresholds.high * self.budget.factor),
        }


def with_workflow(request: Plan, workflow: str, tokens: int) -> Plan:
    """Return the request with the open workflow, of so many tokens, before its newest message."""
    said = (i for i in range(len(request.messages) - 1, -1, -1) if _is_user_message(request.messages[i]))
    index = next(said, None)
    if index is None or not workflow:
        return request
    newest = request.messages[index]
    messages = [*request.messages[:index], _with_text(newest, workflow), *request.messages[index + 1 :]]
    return replace(
        request,
        messages=messages,
        tokens=request.tokens + ceil(tokens * request.budget.factor),
        estimate=request.estimate + tokens,
    )


def _is_user_message(message: Message) -> bool:
    content = message["content"]
    return message["role"] == "user" and not (isinstance(content, list) and IMAGES_OF_RESULTS in content)


def _with_text(message: Message, text: str) -> Message:
    content = message["content"]
    if isinstance(content, list):
        return {**message, "content": [{"type": "text", "text": text}, *content]}
    return {**message, "content": f"{text}\n\n{content or ''}"}
