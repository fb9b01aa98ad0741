"""The planner of a turn's requests, from its conversation and the facts of its model. It stores nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from math import ceil

from ...base.messages import UIMessage
from ...context.budget import Budget, reply_reserve, window_with_room
from ...context.checkpoint import Summary
from ...context.compaction import Compaction, newest_valid
from ...context.condensing import Condense
from ...context.frame import SLIM_BELOW, Frame, SystemForm
from ...context.message_metadata import newest_metadata
from ...context.plan import ContextTooSmall, Plan, plan, with_workflow
from ...context.rendering import RenderingMemo
from ...context.tokens import Calibration, CountText

SMALLER = 0.7
"""The share of a window that is tried next if a request was too long for it."""

LEAST_WINDOW = 1_024


@dataclass
class TurnPlanner:
    """Plans the requests of one conversation.

    `compactions` are those in effect, oldest first. Condensing changes the beginning of a request anyway, so `renew`
    composes the frame anew then.
    """

    frame: Frame
    budget: Budget
    count: CountText
    calibration: Calibration = field(default_factory=Calibration)
    compactions: list[Compaction] = field(default_factory=list)
    pins: Sequence[str] = ()
    idle_seconds: float = 0.0
    summary: Summary | None = None
    memo: RenderingMemo = field(default_factory=RenderingMemo)
    renew: Callable[[SystemForm], Awaitable[Frame]] | None = None

    def __post_init__(self) -> None:
        self.conversation: Sequence[UIMessage] = ()
        """The conversation that was planned last."""

    def fresh(self) -> TurnPlanner:
        """Return a new planner with the same frame: nothing condensed or pinned."""
        return TurnPlanner(self.frame, self.budget, self.count, self.calibration)

    async def plan(self, conversation: Sequence[UIMessage], *, force: Condense | None = None) -> Plan:
        """Plan the next request, in a worker thread, so that ComfyUI's event loop goes on.

        Raises:
            ContextTooSmall: the window cannot hold rules, tools and the newest message.
        """
        self.conversation = conversation
        return await self._plan_and_renew(conversation, force=force)

    async def plan_smaller(
        self, conversation: Sequence[UIMessage], previous: Plan, window: int
    ) -> Plan | None:
        """Plan a smaller request for `window` tokens, trying smaller windows until a request fits.

        Return None if there is none, or if the turn has not begun and the window is now one for the slim form: asking
        again is better then.
        """
        is_new = conversation[-1]["role"] == "user" and self.budget.window >= SLIM_BELOW
        if is_new and window < SLIM_BELOW and self.frame.form in ("full", "continuation"):
            return None
        is_floor = False
        while True:
            self.assume_window(window)
            try:
                request = await self._plan_and_renew(conversation, emergency=1)
            except ContextTooSmall as error:
                window = window_with_room(ceil(error.tokens * self.calibration.factor))
                if is_floor or not self.budget.window < window < window_with_room(previous.tokens):
                    return None
                is_floor = True
                continue
            if request.estimate < previous.estimate or window <= LEAST_WINDOW:
                return request
            if is_floor:
                return None
            window = max(int(window * SMALLER), LEAST_WINDOW)

    def assume_window(self, window: int) -> None:
        """Plan for a window of `window` tokens from now on."""
        self.budget = replace(self.budget, window=window, reserve=reply_reserve(window))

    async def _plan_and_renew(
        self, conversation: Sequence[UIMessage], *, emergency: int = 0, force: Condense | None = None
    ) -> Plan:
        request = await asyncio.to_thread(self._plan, list(conversation), emergency=emergency, force=force)
        if self.renew is None or request.new_compaction is None:
            return request
        frame, self.frame = self.frame, await self.renew(self.frame.form)
        if self.frame.system == frame.system:
            return request
        try:
            renewed = await asyncio.to_thread(
                self._plan, list(conversation), emergency=emergency, force=force
            )
        except ContextTooSmall:
            renewed = None
        if renewed is None or renewed.new_compaction is None:
            self.frame = frame
            return request
        return renewed

    def _plan(
        self, conversation: Sequence[UIMessage], *, emergency: int = 0, force: Condense | None = None
    ) -> Plan:
        workflow = newest_metadata(conversation).workflow
        tokens = self.count(workflow) if workflow else 0
        factor = self.calibration.factor
        request = plan(
            conversation,
            self.frame,
            replace(self.budget, factor=factor, reserve=self.budget.reserve + ceil(tokens * factor)),
            compaction=newest_valid(self.compactions, conversation),
            idle_seconds=self.idle_seconds,
            pins=self.pins,
            emergency=emergency,
            force=force,
            summary=self.summary,
            count=self.count,
            memo=self.memo,
        )
        return with_workflow(request, workflow, tokens)
