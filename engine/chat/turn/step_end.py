"""The end of a step, and whether the response goes on after it."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from ...base.events import FinishReason, Notice, ReplyFinished
from ..calls.calls import SortedCalls

_CUT_OFF = Notice("cut-off", "The connection to the model broke off. What it wrote so far is kept.")
_LENGTH = Notice("length", "The model reached its limit of tokens for one reply.")
_FILTERED = Notice("filtered", "The provider's content filter ended the reply.")


@dataclass(frozen=True)
class StepEnd:
    """The end of a step. Without a `reason` another step follows in the same response."""

    reason: FinishReason | None
    notice: Notice | None = None


def decide_step_end(reply: ReplyFinished, calls: SortedCalls, *, browser_tools: Set[str]) -> StepEnd:
    if reply.reason is None:
        return StepEnd("other", _CUT_OFF)
    if reply.reason == "length":
        return StepEnd("length", _LENGTH)
    if reply.reason == "content-filter":
        return StepEnd("content-filter", _FILTERED)
    if any(event.call.name in browser_tools for event in calls.accepted):
        return StepEnd("tool-calls")
    if calls.loop is not None:
        return StepEnd("interrupted", calls.loop)
    return StepEnd(None) if reply.calls else StepEnd("stop")
