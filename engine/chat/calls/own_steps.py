"""Steps that no model is asked for: what a request orders in so many words is done, and told by the values then; what
the open workflow does as a whole is told from its nodes, what a value is by that, and how something is done by the
values that would do it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ...context.tool_facts import ToolFacts, facts_of
from ...events import ReplyFinished, StepEvent, TextDelta, ToolCall
from ...llm.replies.call_ids import new_call_id
from ...messages import Part, dump, tool_name
from ...own_metadata import own_metadata
from ...plain.explained import explained, makes
from ...plain.names import Value, values_by_name
from ...plain.request.asked_before import asks_for_run
from ...plain.request.explain_asked import explanation_asked
from ...plain.request.how_asked import way_told
from ...plain.request.node_orders import node_orders
from ...plain.request.nodes_counted import nodes_counted
from ...plain.request.orders_read import Orders, orders_read
from ...plain.request.part_asked import part_explained
from ...plain.request.run_order import without_run_order
from ...plain.request.standing_wish import standing_wish
from ...plain.request.subject_said import subject_said
from ...plain.request.texts_said import prompts_of
from ...plain.request.values_asked import values_asked
from ...plain.request.values_said import PARTS, as_words
from ...plain.request.wish import wish_of
from ...plain.told_in_part import MOST_TOLD, more_told
from ...plain.workflow import Workflow
from ...text.clip import clip
from .plain_calls import PlainCalls

_MARK = "isRead"
"""In what such a call keeps of what was asked."""
_RUNS = "runs"
"""In that of a text: whether the picture is to be made then."""
_REST = "rest"
"""In that of an edit of nodes: what else the request says."""
_LONGEST_VALUE = 200
_REPAIR = re.compile(
    r"\b(?:fix|repair|solve|correct|until|make it work|reparier\w*|behebe?|répare\w*|corrige\w*|arregla\w*)\b|修",
    re.IGNORECASE,
)

_GO_ON = re.compile(
    r"\W*(?:(?:yes|yeah|ok|okay|sure|please|ja|oui|sí)\W+)*(?:go|go ahead|go on|do it|start|mach|los)\W*",
    re.IGNORECASE,
)
"""After a question it is a yes to what was asked."""

OwnStep = tuple[StepEvent, ...]
"""What a model would have streamed; the last is its `ReplyFinished`."""


def own_step(
    plain: PlainCalls, earlier: Sequence[Part], facts: Mapping[str, ToolFacts], *, is_late: bool = False
) -> OwnStep | None:
    """The next step of a turn that has made these calls; None where a model has to be asked.

    One is asked for all that is not read, and after a failure. Why a run failed stands in its result, whoever called
    it: small models make something up of that. Where it `is_late`, what came of the calls is told so, too.
    """
    if plain.workflow is None:
        return None
    if not earlier:
        return _first_step(plain.workflow, plain)
    if told := _told_without_model(plain.request, earlier, facts, is_late=is_late):
        return _saying(told)
    return _next_step(plain.workflow, plain, earlier, facts) if all(map(_is_done, earlier)) else None


def _first_step(workflow: Workflow, plain: PlainCalls) -> OwnStep | None:
    if language := explanation_asked(plain.request):
        return _saying(explained(workflow, language))
    if asked := values_asked(workflow, plain.request):
        return _saying("\n\n".join(_lines(asked)))
    if told := part_explained(workflow, plain.environment, plain.request) or nodes_counted(
        workflow, plain.request
    ):
        return _saying(told)
    if way := way_told(workflow, plain.environment.nodes, plain.request):
        return _saying(way)
    if wish_of(plain.request) == {"undo"}:
        return _call("undoTurn", {}, {_MARK: True, _REST: ""})
    if _GO_ON.fullmatch(plain.request) and plain.asked and not asks_for_run(plain.asked):
        return None
    is_rule = standing_wish(plain.request) != ""
    orders = None if is_rule else orders_read(workflow, plain.environment.nodes, plain.request)
    return _calling(orders) if orders else _editing(workflow, plain) or _showing(workflow, plain)


def _showing(workflow: Workflow, plain: PlainCalls) -> OwnStep | None:
    """What the picture is to show becomes its prompt, where it has one."""
    request = plain.request
    said, runs = without_run_order(request)
    subject = subject_said(said, plain.asked)
    prompts = prompts_of(values_by_name(workflow), "positive") if subject else []
    if subject is None or not prompts or not makes(workflow, request):
        return None
    asked = {"name": prompts[0].base, "value": subject[0]}
    return _call("setValue", asked, {_MARK: True, _RUNS: runs or subject[1]})


def _editing(workflow: Workflow, plain: PlainCalls) -> OwnStep | None:
    """What is to be done to nodes; values are set then, those of a new node too, which can only be read with it."""
    orders = node_orders(workflow, plain.environment, without_run_order(plain.request)[0])
    if orders is None or wish_of(orders.rest) == {"undo"}:
        return None
    has_new = any(each["op"] in ("add", "insert") for each in orders.operations)
    if orders.rest and not has_new and orders_read(workflow, plain.environment.nodes, orders.rest) is None:
        return None
    asked = {**orders.asked, _MARK: True, _REST: orders.rest}
    return _call("editWorkflow", {"operations": list(orders.operations)}, asked)


def _next_step(
    workflow: Workflow, plain: PlainCalls, earlier: Sequence[Part], facts: Mapping[str, ToolFacts]
) -> OwnStep | None:
    edits = [part for part in earlier if _REST in _asked(part)]
    if len(earlier) == len(edits) == 1 and (rest := _asked(edits[0])[_REST]):
        orders = orders_read(workflow, plain.environment.nodes, rest)
        if orders is None or orders.values:
            return _calling(orders) if orders else None
    runs = [part for part in earlier if facts_of(tool_name(part), facts).runs]
    if not runs and (without_run_order(plain.request)[1] or any(_asked(part).get(_RUNS) for part in earlier)):
        return _call("runWorkflow", {})
    told = [str(part["output"].get("summary", "")) for part in edits]
    told += [line for part in earlier for line in _values_set(workflow, part)]
    told += [str(part["output"].get("summary", "")) for part in runs]
    return _saying("\n\n".join(told)) if told else None


def _told_without_model(
    request: str, earlier: Sequence[Part], facts: Mapping[str, ToolFacts], *, is_late: bool
) -> str:
    failed = "" if _REPAIR.search(request) else _failed_run(earlier[-1], facts)
    return failed or (_told_late(request, earlier, facts) if is_late else "")


def _failed_run(part: Part, facts: Mapping[str, ToolFacts]) -> str:
    output, known = _output(part), facts_of(tool_name(part), facts)
    has_failed = output.get("ok") is False and known.runs and not known.edits
    return str(output.get("error", "")) if has_failed else ""


def _told_late(request: str, earlier: Sequence[Part], facts: Mapping[str, ToolFacts]) -> str:
    """What the only thing that is asked for came to, or why nothing came of it for the second time."""
    newest, known = _output(earlier[-1]), facts_of(tool_name(earlier[-1]), facts)
    if newest.get("ok") is True:
        is_all = known.edits and len([part for part in PARTS.split(request) if re.search(r"\w", part)]) == 1
        return str(newest.get("summary", "")) if is_all else ""
    failures = [part for part in earlier if _output(part).get("ok") is False]
    return str(newest.get("error", "")) if len(failures) > 1 else ""


def _saying(text: str) -> OwnStep:
    return TextDelta(text), ReplyFinished("stop", (), None)


def _calling(orders: Orders) -> OwnStep:
    if orders.values:
        return _call("setValue", as_words(orders.values))
    if orders.runs:
        return _call("runWorkflow", {})
    return _saying("\n\n".join(f"{value.name} is already {_shown(value)}." for value, _ in orders.named))


def _call(name: str, arguments: Mapping[str, Any], asked: dict[str, Any] | None = None) -> OwnStep:
    asked = {_MARK: True} if asked is None else {"name": name, "input": arguments, **asked}
    call = ToolCall(new_call_id(), name, dump(arguments), "", asked=asked)
    return (ReplyFinished("tool-calls", (call,), None),)


def is_own(part: Part) -> bool:
    """Whether a call is one that no model was asked for."""
    return _MARK in _asked(part)


def _asked(part: Part) -> Mapping[str, Any]:
    return own_metadata(part.get("callProviderMetadata")).get("asked") or {}


def _is_done(part: Part) -> bool:
    return is_own(part) and _output(part).get("ok") is True


def _output(part: Part) -> Mapping[str, Any]:
    """Empty while there is none."""
    output = part.get("output")
    return output if isinstance(output, dict) else {}


def _values_set(workflow: Workflow, part: Part) -> list[str]:
    """As they are now, which may be what ComfyUI made of them."""
    given = part.get("input")
    given = given if isinstance(given, dict) else {}
    names = {(str(given.get("node")), str(given.get("widget")))}
    for operation in given.get("operations", ()):
        if operation["op"] == "set":
            names |= {(str(node), widget) for node in operation["nodes"] for widget in operation["widgets"]}
    values = [value for value in values_by_name(workflow) if (value.node.id, value.widget) in names]
    return _lines(values)


def _lines(values: Sequence[Value]) -> list[str]:
    more = more_told([value.node for value in values])
    return [*map(_line, values[:MOST_TOLD]), *([more] if more else [])]


def _line(value: Value) -> str:
    return f"{value.name} = {_shown(value)}"


def _shown(value: Value) -> str:
    return clip(str(value.value), _LONGEST_VALUE)
