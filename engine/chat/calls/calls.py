"""The calls of a reply: which are run, which are answered with an error that the model can repair, and their form."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...base.events import Notice, ReplyFinished, StepEvent, ToolCall, ToolInputAccepted, ToolInputRejected
from ...base.messages import Part, tool_name
from ...base.tool_result import ToolFailure, failure
from ...context.results import ResultBudget, share_budget
from ...context.tokens import count_text
from ...context.tool_facts import ToolFacts, facts_of
from ...context.turn_calls import call_key, call_of, cycles, part_key
from ...llm.replies.tool_calls import parse_arguments
from .allowed_tools import AllowedTools, refusal_of
from .limits import Limits

_OF_FILES = re.compile(r"(?:save|export|download)_?(?:as|workflow|file|json|api)", re.IGNORECASE)
_BY_MENU = (
    "No tool saves or exports a workflow: the user does, in the menu behind ComfyUI's logo, File: Save, Save As, "
    "Export or Export (API)."
)
_NO_FACTS: Mapping[str, ToolFacts] = {}


@dataclass(frozen=True)
class SortedCalls:
    """In the order of the reply. `loop` is said when the model runs in circles."""

    decisions: tuple[ToolInputAccepted | ToolInputRejected, ...]
    loop: Notice | None = None

    @property
    def accepted(self) -> list[ToolInputAccepted]:
        return [decision for decision in self.decisions if isinstance(decision, ToolInputAccepted)]

    def with_rooms(self, rooms: Iterable[ResultBudget], untrusted: tuple[str, ...] = ()) -> SortedCalls:
        """The same, each call that is run with the room of its result, and where text by others was read before."""
        left = iter(rooms)
        decisions = (
            replace(decision, room=next(left).tokens, untrusted=untrusted)
            if isinstance(decision, ToolInputAccepted)
            else decision
            for decision in self.decisions
        )
        return SortedCalls(tuple(decisions), self.loop)

    def share_room(self, free: int, facts: Mapping[str, ToolFacts]) -> list[ResultBudget]:
        """Return the room of each result: the next request has `free` tokens for the calls and their results."""
        taken = sum(count_text(each.call.arguments) for each in self.accepted)
        return share_budget(free - taken, [facts_of(each.call.name, facts) for each in self.accepted])


class ToolForm:
    """The form that a model is offered its tools in. This one is all tools, called as they are.

    `added` are tools that a model may call in a form, beside those of the browser and the server; `withheld` are those
    that it may have read of, and is not offered. What differs between the forms stands in them and nowhere else.
    """

    added: frozenset[str] = frozenset()
    is_for_small_windows = False

    def __init__(self, withheld: frozenset[str] = frozenset()) -> None:
        self.withheld = withheld

    def hides(self, event: StepEvent, /) -> bool:
        """Whether the page is not told of an event: of calls that are being written, some of which it does not know."""
        del event
        return False

    def call_in(self, text: str, /) -> ToolCall | None:
        """Of a reply without calls whose text is nothing but the arguments of one."""
        del text
        return None

    async def carried_out(self, calls: SortedCalls) -> SortedCalls:
        """The same calls as calls of the browser's and the server's tools, or why there are none."""
        return calls


def sort_calls(
    reply: ReplyFinished,
    earlier: Sequence[Part],
    *,
    tool_names: Collection[str],
    limits: Limits,
    facts: Mapping[str, ToolFacts] = _NO_FACTS,
    allowed: Sequence[AllowedTools] = (),
) -> SortedCalls:
    """Decide on each call of a reply; `earlier` are the tool parts of the turn so far.

    To look again is no circle: a call that only reads is compared with those since the last change. The calls before
    it in the reply count, so neither is a run after a change.

    A call of a reply that was cut is never run: its arguments may parse and still not be what the model meant.
    """
    was_cut = reply.reason in (None, "length", "content-filter")
    changes = [index for index, part in enumerate(earlier) if _has_acted(part, facts)]
    names = [*map(call_of, earlier)]
    names_since = names[changes[-1] + 1 :] if changes else names
    has_same_results = cycles([*map(part_key, earlier)]) >= limits.repeats - 1
    decisions: list[ToolInputAccepted | ToolInputRejected] = []
    loop: Notice | None = None
    accepted = 0
    for call in reply.calls:
        value = parse_arguments(call.arguments)
        known = facts.get(call.name)
        only_reads = known is not None and not (known.edits or known.runs)
        key = call_key(call.name, value)
        repeats = cycles([*(names_since if only_reads else names), key])
        result = (
            failure("Not run: the reply ended before this call was complete.", code="cut-off")
            if was_cut
            else _fault(call, value, tool_names) or refusal_of(allowed, call.name)
        )
        if result is None and accepted >= limits.parallel_calls:
            result = failure(
                f"Not run: at most {limits.parallel_calls} calls fit into one step. Make it again.",
                code="too-many-calls",
            )
        if result is None and repeats >= limits.repeats and has_same_results:
            result = failure("Not run: this call has been repeated too often.", code="repeated")
            loop = Notice(
                "loop",
                f"The model began to repeat {call.name}, so it was stopped. The repeated call was not run.",
            )
        if result is None:
            accepted += 1
            names = [*names, key]
            names_since = [*names_since, key] if only_reads else []
        decisions.append(ToolInputRejected(call, result) if result else ToolInputAccepted(call, value or {}))
    return SortedCalls(tuple(decisions), loop)


def _has_acted(part: Part, facts: Mapping[str, ToolFacts]) -> bool:
    output, known = part.get("output"), facts_of(tool_name(part), facts)
    return isinstance(output, dict) and output.get("ok") is True and (known.edits or known.runs)


def _fault(call: ToolCall, value: dict[str, Any] | None, tool_names: Collection[str]) -> ToolFailure | None:
    if call.name not in tool_names and _OF_FILES.match(call.name):
        return failure(f'There is no tool "{call.name}". {_BY_MENU}')
    if call.name not in tool_names:
        closest = difflib.get_close_matches(call.name, sorted(tool_names), n=3, cutoff=0.5)
        others = (
            f"Did you mean {' or '.join(closest)}?"
            if closest
            else f"There are: {', '.join(sorted(tool_names))}."
        )
        return failure(f'There is no tool "{call.name}". {others}')
    if value is None:
        return failure(
            f"The arguments of {call.name} are no JSON object: {call.arguments[:200]!r}. Make the call again."
        )
    return None
