"""The flat tools, for which small windows have room: their calls become calls of the browser's tools."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from typing import Any

from ...base.events import (
    StepEvent,
    ToolCall,
    ToolCallDelta,
    ToolCallStarted,
    ToolInputAccepted,
    ToolInputRejected,
)
from ...base.extension_metadata import FlatCall
from ...base.messages import dump
from ...comfy.snapshot import Environment
from ...llm.replies.tool_calls import new_call_id
from ...small_windows.call import BrowserCall
from ...small_windows.call_effects import apply_call
from ...small_windows.flat_tools import FLAT_NAMES, REPLACING, browser_call, call_in_text
from ...small_windows.listing import apply_names
from ...small_windows.open_workflow import Workflow
from .calls import SortedCalls, ToolForm


class FlatTools(ToolForm):
    """The form with flat tools, each of whose calls is carried out as a browser tool.

    `read` returns the open workflow, None if the page did not send it, and the installed nodes and models. `shown` maps
    the names in the list that the model was shown; None if they were not stored.
    """

    added = FLAT_NAMES
    is_for_small_windows = True

    def __init__(
        self,
        read: Callable[[], Coroutine[Any, Any, tuple[Workflow | None, Environment]]],
        shown: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__()
        self._read = read
        self._shown = shown

    def hides(self, event: StepEvent, /) -> bool:
        """Hide every unfinished call: the page would make those that it was told of before the others."""
        return isinstance(event, ToolCallStarted | ToolCallDelta)

    def parse_call(self, text: str, /) -> ToolCall | None:
        found = call_in_text(text)
        return ToolCall(new_call_id(), found[0], dump(found[1]), "") if found else None

    async def translate(self, calls: SortedCalls) -> SortedCalls:
        if not any(each.call.name in FLAT_NAMES for each in calls.accepted):
            return calls
        return await asyncio.to_thread(_translate, *await self._read(), self._shown, calls)


def _translate(
    workflow: Workflow | None, environment: Environment, shown: Mapping[str, str] | None, calls: SortedCalls
) -> SortedCalls:
    """Translate each call for the workflow as the calls before it leave it."""
    if workflow is not None:
        workflow = apply_names(workflow, shown)
    replaced_by = ""
    decisions: list[ToolInputAccepted | ToolInputRejected] = []
    for decision in calls.decisions:
        call = decision.call
        if isinstance(decision, ToolInputRejected) or call.name not in FLAT_NAMES:
            decisions.append(decision)
            if isinstance(decision, ToolInputAccepted) and call.name in REPLACING:
                replaced_by = call.name
            continue
        meant = browser_call(call.name, decision.input, workflow, environment, replaced_by)
        if not isinstance(meant, BrowserCall):
            decisions.append(ToolInputRejected(call, meant))
            continue
        if workflow is not None:
            workflow = apply_call(workflow, meant, environment)
        asked = FlatCall(call.name, decision.input)
        made = replace(call, name=meant.tool, arguments=dump(meant.input), asked=asked)
        decisions.append(replace(decision, call=made, input=meant.input))
    return SortedCalls(tuple(decisions), calls.loop)
