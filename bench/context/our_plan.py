"""Requests as the product builds them: `plan()`, with its compaction carried from request to request."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from engine.context.budget import Budget
from engine.context.calibration import Calibration
from engine.context.compaction import Compaction
from engine.context.frame import Frame, SystemForm
from engine.context.plan import plan
from engine.context.rendering import RenderingMemo
from engine.context.tokens import CountText
from engine.messages import UIMessage

from .fixed_part import FixedPart
from .payloads import FACTS
from .policy import Sent


class OurPlan:
    name = "plan()"

    def __init__(self, fixed: FixedPart, budget: Budget, form: SystemForm, count: CountText) -> None:
        self._frame = Frame(fixed.system, form, fixed.tools, facts=FACTS)
        self._budget, self._count = budget, count
        self._compaction: Compaction | None = None
        self._memo, self._turn = RenderingMemo(), ""
        self._calibration = Calibration()
        self._estimate = 0

    def learn(self, tokens: int) -> None:
        """What the model counted of the last request, as the product learns it from every reply."""
        self._calibration = self._calibration.observe(self._estimate, tokens)
        self._budget = replace(self._budget, factor=self._calibration.factor)

    def request(self, conversation: Sequence[UIMessage]) -> Sent:
        newest = next(message["id"] for message in reversed(conversation) if message["role"] == "user")
        if newest != self._turn:
            self._memo, self._turn = RenderingMemo(), newest
        started = time.process_time()
        made = plan(
            conversation,
            self._frame,
            self._budget,
            compaction=self._compaction,
            count=self._count,
            memo=self._memo,
        )
        took = 1_000 * (time.process_time() - started)
        self._compaction, self._estimate = made.compaction, made.estimate
        return Sent(made.messages, took, made.has_compacted)
