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
from ...context.tool_facts import ToolFacts, find_facts
from ...context.turn_calls import call_key, cycles, model_call_key, part_key
from ...llm.replies.tool_calls import parse_arguments
from .allowed_tools import AllowedTools, find_refusal
from .limits import Limits

_OF_FILES = re.compile(r"(?:save|export|download)_?(?:as|workflow|file|json|api)", re.IGNORECASE)
_BY_MENU = (
    "No tool saves or exports a workflow: the user does, in the menu behind ComfyUI's logo, File: Save, Save As, "
    "Export or Export (API)."
)
_NO_FACTS: Mapping[str, ToolFacts] = {}


@dataclass(frozen=True)
class SortedCalls:
    """The decisions on a reply's calls, in its order. `loop` is set if the model repeats itself."""

    decisions: tuple[ToolInputAccepted | ToolInputRejected, ...]
    loop: Notice | None = None

    @property
    def accepted(self) -> list[ToolInputAccepted]:
        return [decision for decision in self.decisions if isinstance(decision, ToolInputAccepted)]

    def with_rooms(self, rooms: Iterable[ResultBudget], untrusted: tuple[str, ...] = ()) -> SortedCalls:
        """Return the same decisions; each accepted call has its result's room and the untrusted texts read so far."""
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
        return share_budget(free - taken, [find_facts(each.call.name, facts) for each in self.accepted])


class ToolForm:
    """The form in which tools are offered to a model. This base class offers all of them as they are.

    `added` are tools that the form has beside those of the browser and the server; `withheld` are tools that the model
    may know from older messages but is not offered. All differences between the forms are in these classes.
    """

    added: frozenset[str] = frozenset()
    is_for_small_windows = False

    def __init__(self, withheld: frozenset[str] = frozenset()) -> None:
        self.withheld = withheld

    def hides(self, event: StepEvent, /) -> bool:
        """Return whether an event is kept from the page: a call in the making of a tool that the page does not know."""
        del event
        return False

    def parse_call(self, text: str, /) -> ToolCall | None:
        """Return the call whose arguments are the whole text of a reply without calls, if the form knows such calls."""
        del text
        return None

    async def translate(self, calls: SortedCalls) -> SortedCalls:
        """Return the calls as calls of browser and server tools, or rejected with the reason."""
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

    Looking again is no loop: a call that only reads is compared with the calls since the last change, those earlier in
    the same reply included. Running again after a change is none either.

    A call in a reply that was cut off is never run: its arguments may parse and still be incomplete.
    """
    was_cut = reply.reason in (None, "length", "content-filter")
    changes = [index for index, part in enumerate(earlier) if _has_acted(part, facts)]
    names = [*map(model_call_key, earlier)]
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
            else _fault(call, value, tool_names) or find_refusal(allowed, call.name)
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
    output, known = part.get("output"), find_facts(tool_name(part), facts)
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
