"""connectNodes: an output to an input, each node by its title, its id, or with a slot behind it."""

from __future__ import annotations

import contextlib
import re

from ..environment.snapshot import Environment
from ..tool_result import ToolFailure
from .call import BrowserCall, not_found
from .meant import NotFound, node_meant, plain
from .workflow import Node, Workflow


def connect_nodes(
    workflow: Workflow, environment: Environment, source: str, target: str
) -> BrowserCall | ToolFailure:
    try:
        start, output = _node_and_slot(workflow, environment, source, is_source=True)
    except NotFound as error:
        return not_found("node", source, error)
    try:
        end, slot = _node_and_slot(workflow, environment, target, is_source=False)
    except NotFound as error:
        return not_found("node", target, error)
    call = {"fromNode": start.id, "fromOutput": output, "toNode": end.id, "toInput": slot}
    return BrowserCall("connectNodes", {name: value for name, value in call.items() if value})


def _node_and_slot(
    workflow: Workflow, environment: Environment, said: str, *, is_source: bool
) -> tuple[Node, str | None]:
    with contextlib.suppress(NotFound):
        return node_meant(workflow, said, is_exact=True), None
    words = [word for word in re.split(r"\s+of\s+|'s\s+|[\s.,:()]+", said) if word]
    for index, word in enumerate(words):
        rest = " ".join(words[:index] + words[index + 1 :])
        try:
            node = node_meant(workflow, rest)
        except NotFound:
            continue
        if (slot := _slot(node, environment, word, is_source=is_source)) is not None:
            return node, slot
    return node_meant(workflow, said), None


def _slot(node: Node, environment: Environment, word: str, *, is_source: bool) -> str | None:
    definition = environment.nodes.get(node.type)
    if definition is None:
        return None
    slots = definition.outputs if is_source else definition.inputs
    return next((slot.name for slot in slots if plain(word) in (plain(slot.name), plain(slot.type))), None)
