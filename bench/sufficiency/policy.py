"""How the oracle works: calls out, results in, as a generator that is gone through anew for every request."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .listing import Listing, read_listing
from .shown import Result, Shown

Operation = dict[str, Any]


@dataclass(frozen=True)
class Act:
    tool: str
    arguments: dict[str, Any] = field(default_factory=dict)


Policy = Generator[Sequence[Act], tuple[Result, ...], str]
"""Yields the calls of a step, is sent their results, returns the answer."""


class Stuck(Exception):
    """What was shown does not say what to do next; the text says what is missing."""


def next_step(policy: Policy, shown: Shown) -> Sequence[Act] | str:
    """What the policy does after the rounds that were shown: calls, or the answer in words."""
    try:
        acts = next(policy)
        for results in shown.rounds:
            acts = policy.send(results)
        return acts
    except StopIteration as end:
        return end.value
    except Stuck as stuck:
        return f"I cannot go on: {stuck}"


def call(tool: str, **arguments: Any) -> Generator[Sequence[Act], tuple[Result, ...], Result]:
    """One call that must succeed. Raises `Stuck` with what the tool said."""
    result = (yield [Act(tool, arguments)])[0]
    if not result.ok:
        raise Stuck(f"{tool} answered {result.text[:300]}")
    return result


def read() -> Generator[Sequence[Act], tuple[Result, ...], Listing]:
    return listing_in((yield from call("getWorkflowInfo")))


def listing_in(result: Result) -> Listing:
    """Raises `Stuck` where there are no lines of a workflow in the result."""
    if not result.lines:
        raise Stuck(f"{result.tool} showed no lines: {result.text[-300:]}")
    return read_listing(result.lines)


def edit(shown: Shown, operations: Sequence[Operation]) -> Generator[Sequence[Act], tuple[Result, ...], None]:
    """In one batch where the tool for it is offered, else by the tools for one change each.

    Raises `Stuck` where a change is refused, or no tool does it.
    """
    if "editWorkflow" in shown.tools:
        yield from call("editWorkflow", operations=list(operations))
        return
    ids: dict[str, str] = {}
    for operation in operations:
        yield from _single(shown, operation, ids)


def _single(
    shown: Shown, operation: Mapping[str, Any], ids: dict[str, str]
) -> Generator[Sequence[Act], tuple[Result, ...], None]:
    kind = operation["op"]
    if kind == "set":
        for node in operation["nodes"]:
            for widget, value in operation["widgets"].items():
                yield from call(
                    _offered(shown, "setNodeWidgetValue"), node=node, widget=widget, value=str(value)
                )
    elif kind == "add":
        _offered(shown, "addNode")
        if operation.get("inside"):
            raise Stuck("no tool adds a node inside a subgraph")
        result = yield from call("addNode", type=operation["type"])
        made = str(result.data["id"])
        ids[operation["as"]] = made
        for widget, value in operation.get("widgets", {}).items():
            yield from call("setNodeWidgetValue", node=made, widget=widget, value=str(value))
        for name, source in operation.get("inputs", {}).items():
            yield from _connect(shown, source, f"{made}.{name}", ids)
    elif kind == "connect":
        yield from _connect(shown, operation["from"], operation["to"], ids)
    elif kind == "remove":
        for node in operation["nodes"]:
            yield from call(_offered(shown, "removeNode"), node=node)
    else:
        raise Stuck(f"no tool does {kind}")


def _connect(
    shown: Shown, source: str, target: str, ids: Mapping[str, str]
) -> Generator[Sequence[Act], tuple[Result, ...], None]:
    _offered(shown, "connectNodes")
    from_node, _, from_output = source.partition(".")
    to_node, _, to_input = target.partition(".")
    yield from call(
        "connectNodes",
        fromNode=ids.get(from_node, from_node),
        fromOutput=from_output,
        toNode=ids.get(to_node, to_node),
        toInput=to_input,
    )


def _offered(shown: Shown, tool: str) -> str:
    if tool not in shown.tools:
        raise Stuck(f"the tool {tool} is not offered")
    return tool
