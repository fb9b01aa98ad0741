"""The planning of a turn's requests: from what is known of its conversation and its model, and nothing is written."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from math import ceil

from ...base.messages import UIMessage
from ...context.budget import Budget, reserve_of, window_with_room
from ...context.checkpoint import Summary
from ...context.compaction import Compaction, newest_valid
from ...context.condensing import Condense
from ...context.frame import SLIM_BELOW, Frame, SystemForm
from ...context.message_metadata import metadata_of_newest
from ...context.plan import ContextTooSmall, plan
from ...context.rendering import RenderingMemo
from ...context.request_plan import Plan, with_workflow
from ...context.tokens import Calibration, CountText

SMALLER = 0.7
"""What of a window is tried next where a request was too long for it."""

LEAST_WINDOW = 1_024


@dataclass
class TurnPlanner:
    """Plans the requests of one conversation.

    `compactions` are those that hold, oldest first. Where something is condensed, the request begins otherwise anyway:
    then `renew` composes the frame anew.
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
        """The one that was planned last."""

    def fresh(self) -> TurnPlanner:
        """Plan a run of its own with the same frame: nothing condensed, nothing pinned."""
        return TurnPlanner(self.frame, self.budget, self.count, self.calibration)

    async def plan(self, conversation: Sequence[UIMessage], *, force: Condense | None = None) -> Plan:
        """The next request. Long conversations are laid out in a thread, so that ComfyUI's event loop goes on.

        Raises:
            ContextTooSmall: the window cannot hold rules, tools and the newest message.
        """
        self.conversation = conversation
        return await self._lay_out(conversation, force=force)

    async def smaller(self, conversation: Sequence[UIMessage], previous: Plan, window: int) -> Plan | None:
        """A smaller request for a window of so many tokens, else for less and less; None where there is none, or where
        the message is better asked again, since its turn has not begun and so small a window was not known of."""
        is_new = conversation[-1]["role"] == "user" and self.budget.window >= SLIM_BELOW
        if is_new and window < SLIM_BELOW and self.frame.form in ("full", "continuation"):
            return None
        is_floor = False
        while True:
            self.suppose(window)
            try:
                request = await self._lay_out(conversation, emergency=1)
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

    def suppose(self, window: int) -> None:
        """Plan for a window of so many tokens from now on."""
        self.budget = replace(self.budget, window=window, reserve=reserve_of(window))

    async def _lay_out(
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
        workflow = metadata_of_newest(conversation).workflow
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
