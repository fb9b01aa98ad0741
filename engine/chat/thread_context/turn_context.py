"""The context of a running turn: what plans its requests, and what writes down and learns what came of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ...base.messages import UIMessage
from ...context.budget import window_with_room
from ...context.frame import Frame
from ...context.plan import ContextTooSmall
from ...context.request_plan import Plan
from ...llm.refusals.overflow import Overflow
from .context_log import ContextLog
from .context_recorder import ContextRecorder
from .turn_planner import LEAST_WINDOW, SMALLER, TurnPlanner

_MUCH_SMALLER = 0.5


@dataclass(frozen=True)
class TurnContext:
    planner: TurnPlanner
    recorder: ContextRecorder

    @staticmethod
    def of(
        planner: TurnPlanner,
        log: ContextLog | None = None,
        *,
        model: str = "",
        pending_dividers: Sequence[dict[str, Any]] = (),
        keep_system: Callable[[str], Awaitable[None]] | None = None,
    ) -> TurnContext:
        """The context that `planner` plans; without a log nothing is written down or learned."""
        recorder = ContextRecorder(
            planner,
            log or ContextLog(),
            model=model,
            pending_dividers=pending_dividers,
            keep_system=keep_system,
        )
        return TurnContext(planner, recorder)

    @property
    def frame(self) -> Frame:
        return self.planner.frame

    def fresh(self, model: str) -> TurnContext:
        """A run of its own with the same frame: nothing condensed, nothing pinned, nothing written down."""
        return TurnContext.of(self.planner.fresh(), model=model)

    async def shrink(self, conversation: Sequence[UIMessage], previous: Plan, overflow: Overflow) -> Plan:
        """A strictly smaller request, after the provider refused one as too long.

        What the provider named is believed: its window is kept for the next time, its count corrects ours. Else less
        and less of what was refused is tried, and what succeeds is kept; so is the last that was tried where nothing
        does, so that the next message may have the form for it.

        Raises:
            ContextTooSmall: nothing smaller can be made, or the turn has not begun and so small a window has a form
                of its own, which keeps more of the conversation.
        """
        planner, recorder = self.planner, self.recorder
        if overflow.requested:
            planner.calibration = planner.calibration.observe(previous.estimate, overflow.requested)
        window = overflow.window
        if window is not None and window < planner.budget.window:
            await recorder.learn_window(window, is_named=True)
        else:
            window = await self._window_to_try(previous)
        request = await planner.smaller(conversation, previous, window)
        if request is not None:
            return request
        planner.suppose(window)
        await recorder.learn_window(window)
        raise ContextTooSmall(previous.tokens, window - planner.budget.reserve)

    async def _window_to_try(self, previous: Plan) -> int:
        """After a refusal that named none: what sufficed an earlier time, else a part of what was refused."""
        is_first = self.recorder.is_first_refusal(previous.tokens)
        room = int(previous.tokens * (SMALLER if is_first else _MUCH_SMALLER))
        earlier = await self.recorder.earlier_window() if is_first else None
        return max(LEAST_WINDOW, min(window_with_room(room), earlier or self.planner.budget.window))
