"""Calls in plain words, carried out as calls of the browser's tools on the workflow that is open."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...environment.snapshot import Environment
from ...events import (
    StepEvent,
    ToolCall,
    ToolCallDelta,
    ToolCallStarted,
    ToolInputAccepted,
    ToolInputRejected,
)
from ...llm.replies.call_ids import new_call_id
from ...messages import dump
from ...plain.call import BrowserCall
from ...plain.request.courtesies import without_courtesies
from ...plain.request.run_order import without_run_order
from ...plain.request.values_said import as_words, values_said
from ...plain.tools import PLAIN_NAMES, browser_call, call_in_text
from ...plain.workflow import Workflow
from ...tool_result import failure
from .calls import SortedCalls

_BUILDS = "runNewWorkflow"
_LONGEST_REQUEST = 4_000
"""In characters: reading takes four times as long for twice as much."""


def request_read(message: str) -> str:
    """What the readers of plain words are given of a message: all but courtesies, and nothing of one that is longer
    than any order, such as a page that was pasted.
    """
    return without_courtesies(message) if len(message) <= _LONGEST_REQUEST else ""


def plain_call_in(text: str) -> ToolCall | None:
    """Of a text that is nothing but the arguments of a call in plain words."""
    found = call_in_text(text)
    return ToolCall(new_call_id(), found[0], dump(found[1]), "") if found else None


@dataclass(frozen=True)
class PlainCalls:
    """`workflow` is None where the page did not tell it; `request` is what the person wrote, `is_fresh` whether nothing
    was changed since, and `asked` the question with which the assistant's last message before it ends.
    """

    workflow: Workflow | None
    environment: Environment
    request: str = ""
    is_fresh: bool = True
    asked: str = ""

    def missing_call(self) -> str:
        """The call of setValue that the request asks for in so many words and that was not made; "" for none."""
        if self.workflow is None:
            return ""
        nodes = self.environment.nodes
        said = values_said(self.workflow, nodes, self.request, is_fresh=self.is_fresh)
        return f"setValue {dump(as_words(said))}" if said else ""

    def missing_run(self) -> str:
        """The call of runWorkflow that the request ends with: "set the steps to 30 and run it"; "" for none."""
        return "runWorkflow {}" if without_run_order(self.request)[1] else ""

    def as_browser_calls(self, calls: SortedCalls) -> SortedCalls:
        """What the request names is set by the first of them: the others are read on a workflow that has it."""
        decisions: list[ToolInputAccepted | ToolInputRejected] = []
        for decision in calls.decisions:
            is_first = not any(isinstance(each, ToolInputAccepted) for each in decisions)
            decisions.append(self._as_browser_call(decision, is_first=is_first))
        return SortedCalls(tuple(decisions), calls.loop)

    def _as_browser_call(
        self, decision: ToolInputAccepted | ToolInputRejected, *, is_first: bool
    ) -> ToolInputAccepted | ToolInputRejected:
        call = decision.call
        if is_first and call.name == _BUILDS and (missing := self.missing_call()):
            wanted = failure(
                "Nothing was built: the user wants values of the open workflow set.", f"Call {missing}."
            )
            return ToolInputRejected(call, wanted)
        if call.name not in PLAIN_NAMES or isinstance(decision, ToolInputRejected):
            return decision
        meant = browser_call(
            call.name,
            decision.input,
            self.workflow,
            self.environment,
            self.request,
            is_first=is_first,
            is_fresh=self.is_fresh and is_first,
        )
        if not isinstance(meant, BrowserCall):
            return ToolInputRejected(call, meant)
        asked = {
            **(call.asked or {}),
            "name": meant.asked_of or call.name,
            "input": decision.input if meant.asked is None else meant.asked,
        }
        carried_out = replace(call, name=meant.tool, arguments=dump(meant.input), asked=asked)
        return replace(decision, call=carried_out, input=meant.input)


class HiddenCalls:
    """Lets a stream through without the calls in plain words that are being written: the page knows no such tools."""

    def __init__(self) -> None:
        self._ids: set[str] = set()

    def hides(self, event: StepEvent) -> bool:
        if isinstance(event, ToolCallStarted) and event.name in PLAIN_NAMES:
            self._ids.add(event.call_id)
        return isinstance(event, ToolCallStarted | ToolCallDelta) and event.call_id in self._ids
