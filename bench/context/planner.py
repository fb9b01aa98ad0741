"""Requests as the product builds them: `plan()`, with its compaction carried from request to request."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from engine.base.extension_metadata import METADATA_KEY
from engine.base.messages import Message, Part, UIMessage, dump, is_tool_part, tool_name
from engine.context.budget import Budget
from engine.context.compaction import Compaction, steps
from engine.context.frame import Frame, SystemForm
from engine.context.plan import plan
from engine.context.rendering import RenderingMemo
from engine.context.results import share_budget
from engine.context.tokens import CountText
from engine.context.tool_facts import find_facts

from .fixed_part import FixedPart
from .payloads import FACTS


@dataclass(frozen=True)
class Planned:
    """One request. `milliseconds` is the processor time that its planning took."""

    messages: list[Message]
    milliseconds: float
    has_compacted: bool


class Planner:
    def __init__(self, fixed: FixedPart, budget: Budget, form: SystemForm, count: CountText) -> None:
        self._frame = Frame(fixed.system, form, fixed.tools, facts=FACTS)
        self._budget, self._count = budget, count
        self._compaction: Compaction | None = None
        self._memo, self._turn = RenderingMemo(), ""
        self._free = 0
        self._steps: dict[tuple[int, ...], list[Part]] = {}

    def request(self, conversation: Sequence[UIMessage]) -> Planned:
        newest = next(message["id"] for message in reversed(conversation) if message["role"] == "user")
        if newest != self._turn:
            self._memo, self._turn = RenderingMemo(), newest
        roomy = [self._with_rooms(message) for message in conversation]
        started = time.process_time()
        made = plan(
            roomy,
            self._frame,
            self._budget,
            compaction=self._compaction,
            count=self._count,
            memo=self._memo,
        )
        took = 1_000 * (time.process_time() - started)
        self._compaction, self._free = made.compaction, made.free
        return Planned(made.messages, took, made.has_compacted)

    def _with_rooms(self, message: UIMessage) -> UIMessage:
        """The calls of each step with the room that they got when the step ended, as the product keeps it."""
        if message["role"] != "assistant":
            return message
        parts = [part for step in steps(message["parts"]) for part in self._step_with_rooms(step)]
        return {**message, "parts": parts}

    def _step_with_rooms(self, step: list[Part]) -> list[Part]:
        key = tuple(map(id, step))
        if key not in self._steps:
            calls = [part for part in step if is_tool_part(part)]
            taken = sum(self._count(dump(part["input"])) for part in calls)
            facts = [find_facts(tool_name(part), FACTS) for part in calls]
            rooms = iter(share_budget(self._free - taken, facts))
            self._steps[key] = [
                {**part, "callProviderMetadata": {METADATA_KEY: {"room": next(rooms).tokens}}}
                if is_tool_part(part)
                else part
                for part in step
            ]
        return self._steps[key]
