"""Steps that no model is asked for: what a request orders in so many words is done, and told by the values then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..clip import clip
from ..context.tool_facts import ToolFacts, facts_of
from ..events import ReplyFinished, StepEvent, TextDelta, ToolCall
from ..llm.call_ids import new_call_id
from ..messages import Part, dump, tool_name
from ..own_metadata import own_metadata
from ..plain.names import values_by_name
from ..plain.orders_read import Orders, orders_read
from ..plain.run_order import without_run_order
from ..plain.values_said import as_words
from ..plain.workflow import Workflow
from .plain_calls import PlainCalls

_MARK = "isRead"
"""In what such a call keeps of what was asked."""
_LONGEST_VALUE = 200

OwnStep = tuple[StepEvent, ...]
"""What a model would have streamed; the last is its `ReplyFinished`."""


def own_step(plain: PlainCalls, earlier: Sequence[Part], facts: Mapping[str, ToolFacts]) -> OwnStep | None:
    """The next step of a turn that has made these calls; None where a model has to be asked.

    One is asked for all that is not read, and after a failure, also of a run.
    """
    if plain.workflow is None:
        return None
    if not earlier:
        orders = orders_read(plain.workflow, plain.environment.nodes, plain.request)
        return _calling(orders) if orders else None
    if not all(_is_done(part) for part in earlier):
        return None
    runs = [part for part in earlier if facts_of(tool_name(part), facts).runs]
    if not runs and without_run_order(plain.request)[1]:
        return _call("runWorkflow", {})
    told = [line for part in earlier for line in _values_set(plain.workflow, part)]
    told += [str(part["output"].get("summary", "")) for part in runs]
    return (TextDelta("\n\n".join(told)), ReplyFinished("stop", (), None)) if told else None


def _calling(orders: Orders) -> OwnStep | None:
    if orders.values:
        return _call("setValue", as_words(orders.values))
    return _call("runWorkflow", {}) if orders.runs else None


def _call(name: str, arguments: Mapping[str, str]) -> OwnStep:
    call = ToolCall(new_call_id(), name, dump(arguments), "", asked={_MARK: True})
    return (ReplyFinished("tool-calls", (call,), None),)


def is_own(part: Part) -> bool:
    """Whether a call is one that no model was asked for."""
    return _MARK in (own_metadata(part.get("callProviderMetadata")).get("asked") or ())


def _is_done(part: Part) -> bool:
    output = part.get("output")
    return is_own(part) and isinstance(output, dict) and output.get("ok") is True


def _values_set(workflow: Workflow, part: Part) -> list[str]:
    """As they are now, which may be what ComfyUI made of them."""
    given = part.get("input")
    given = given if isinstance(given, dict) else {}
    names = {(str(given.get("node")), str(given.get("widget")))}
    for operation in given.get("operations", ()):
        names |= {(str(node), widget) for node in operation["nodes"] for widget in operation["widgets"]}
    return [
        f"{value.name} = {clip(str(value.value), _LONGEST_VALUE)}"
        for value in values_by_name(workflow)
        if (value.node.id, value.widget) in names
    ]
