"""connectNodes: an output to an input, each node by its title, its id, or with a slot behind it."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..environment.node_definition import NodeOutput
from ..environment.node_input import NodeInput
from ..environment.slot_types import fits
from ..environment.snapshot import Environment
from ..tool_result import ToolFailure, failure
from .call import BrowserCall, not_found
from .meant import NotFound, node_meant, plain
from .request.said import ends_said
from .workflow import Node, Workflow

_MOST_OTHERS = 3


@dataclass(frozen=True)
class _End:
    node: Node
    slot: str | None


def connect_nodes(
    workflow: Workflow, environment: Environment, source: str, target: str, request: str = ""
) -> BrowserCall | ToolFailure:
    """What the person named goes before what the model did, where that fits together; `request` is what they wrote."""
    said = ends_said(request)
    if said:
        with contextlib.suppress(NotFound):
            start, end = _ends(workflow, environment, *said)
            fitting = _in_order(environment, start, end)
            if fitting and not _is_there(*fitting):
                asked = {"from": fitting[0].node.id, "to": fitting[1].node.id}
                return replace(_call(*fitting), asked=asked)
    try:
        start, end = _ends(workflow, environment, source, target)
    except _NoEnd as error:
        return not_found("node", error.said, error)
    fitting = _in_order(environment, start, end)
    return _call(*fitting) if fitting else _others(workflow, environment, start.node, end.node)


class _NoEnd(NotFound):
    def __init__(self, said: str, error: NotFound) -> None:
        super().__init__(error.candidates, error.others)
        self.said = said


def _ends(workflow: Workflow, environment: Environment, source: str, target: str) -> tuple[_End, _End]:
    try:
        start = _node_and_slot(workflow, environment, source, is_source=True)
    except NotFound as error:
        raise _NoEnd(source, error) from error
    try:
        return start, _node_and_slot(workflow, environment, target, is_source=False)
    except NotFound as error:
        raise _NoEnd(target, error) from error


def _call(start: _End, end: _End) -> BrowserCall:
    call = {
        "fromNode": start.node.id,
        "fromOutput": start.slot,
        "toNode": end.node.id,
        "toInput": end.slot,
    }
    return BrowserCall("connectNodes", {name: value for name, value in call.items() if value})


def _in_order(environment: Environment, start: _End, end: _End) -> tuple[_End, _End] | None:
    """As they are said, or the other way round where only that fits; None where nothing fits."""
    if start.node.id == end.node.id:
        return None
    if not _are_known(environment, start.node, end.node) or any(_joints(environment, start, end)):
        return start, end
    back = (_End(end.node, None), _End(start.node, None))
    return back if any(_joints(environment, *back)) else None


def _is_there(start: _End, end: _End) -> bool:
    return any(link.source == start.node.id and end.slot in (None, link.input) for link in end.node.links)


def _are_known(environment: Environment, *nodes: Node) -> bool:
    return all(node.type in environment.nodes for node in nodes)


def _joints(environment: Environment, start: _End, end: _End) -> Iterator[tuple[NodeOutput, NodeInput]]:
    outputs: Sequence[NodeOutput] = environment.nodes[start.node.type].outputs
    return (
        (output, slot)
        for slot in environment.nodes[end.node.type].slots(end.node.values)
        for output in outputs
        if (start.slot in (None, output.name) and end.slot in (None, slot.name))
        and fits(output.type, slot.type)
    )


def _others(workflow: Workflow, environment: Environment, start: Node, end: Node) -> ToolFailure:
    """Which nodes each of the two can be connected with, as calls."""
    known = [node for node in workflow.nodes if _are_known(environment, node)]
    calls = [
        f'{{"from":"{one.id}","to":"{other.id}"}} ({one.label} to {other.label}, {joint[1].name})'
        for one, other in [*((node, end) for node in known), *((start, node) for node in known)]
        if one.id != other.id
        and (joint := next(_joints(environment, _End(one, None), _End(other, None)), None))
        and not joint[1].is_widget
    ]
    return failure(
        f"Nothing that {start.label} (node {start.id}) gives fits {end.label} (node {end.id}).",
        f"What fits: {'; '.join(calls[:_MOST_OTHERS])}." if calls else "Nothing else fits either of them.",
    )


def _node_and_slot(workflow: Workflow, environment: Environment, said: str, *, is_source: bool) -> _End:
    with contextlib.suppress(NotFound):
        return _End(node_meant(workflow, said, is_exact=True), None)
    words = [word for word in re.split(r"\s+of\s+|'s\s+|[\s.,:()]+", said) if word]
    for index, word in enumerate(words):
        rest = " ".join(words[:index] + words[index + 1 :])
        try:
            node = node_meant(workflow, rest)
        except NotFound:
            continue
        if (slot := _slot(node, environment, word, is_source=is_source)) is not None:
            return _End(node, slot)
    return _End(node_meant(workflow, said), None)


def _slot(node: Node, environment: Environment, word: str, *, is_source: bool) -> str | None:
    definition = environment.nodes.get(node.type)
    if definition is None:
        return None
    slots = definition.outputs if is_source else definition.slots(node.values)
    return next((slot.name for slot in slots if plain(word) in (plain(slot.name), plain(slot.type))), None)
