"""insertNode: a new node on the links before or after another, behind its output, or at an open input."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.tool_result import ToolFailure, failure
from ..comfy.node_definition import NodeDefinition, fits, shares_type
from ..comfy.snapshot import Environment
from .call import BrowserCall, edit
from .open_workflow import Node, Workflow
from .places import Place, Side, accepting_inputs, find_places, fits_on_link, is_complete, output_types
from .resolve import plain

_NEW = "added"


def insert_node(
    workflow: Workflow,
    environment: Environment,
    definition: NodeDefinition,
    side: Side,
    node: Node,
    slot: str | None = None,
) -> BrowserCall | ToolFailure:
    """Return the call that inserts a node; `slot` is the input or output of `node` that was named, if any."""
    definitions = environment.nodes
    links = [
        each
        for each in find_places(workflow, side, node, definitions)
        if slot is None or _is_at(each, side, slot, definitions.get(node.type))
    ]
    fitting = [each for each in links if fits_on_link(definition, each.type)]
    whole = [
        each for each in fitting if is_complete(definition, _available_types(each, workflow, environment))
    ]
    places = whole or fitting
    first = min((_rank(definition, each) for each in places), default=0)
    places = [each for each in places if _rank(definition, each) == first]
    if side == "before" and len(places) > 1:
        return failure(
            f"{definition.display_name} can stand before several inputs of {node.label} (node {node.id}).",
            f"Name one as the node: {', '.join(each.input for each in places)}.",
        )
    if places:
        kind = places[0].type
        required = {slot.name for slot in definition.slots() if slot.required}
        wanting = [slot for slot in accepting_inputs(definition, kind) if slot in required]
        giving = [output for output in definition.outputs if fits(output.type, kind)]
        if len(wanting) > len(giving):
            return failure(
                f"{definition.display_name} takes {kind} twice: {' and '.join(wanting)}.",
                "addNode adds it without a link, connectNodes links each of them.",
            )
        return _insert_on_link(definition, places[0], side, definitions.get(node.type))
    if call := (_add_behind if side == "after" else _add_before)(definition, node, slot, environment):
        return call
    return failure(
        f"{definition.display_name} cannot stand {side} {node.label} (node {node.id}): {_describe_types(links)}.",
        "Name another node. addNode adds it without a link, connectNodes links it.",
    )


def _is_at(place: Place, side: Side, slot: str, definition: NodeDefinition | None) -> bool:
    """Return whether the place is at this slot. A link without a named output leaves from the only one of its type."""
    if side == "before":
        return plain(place.link.input) == plain(slot)
    if place.link.output is not None or definition is None:
        return plain(place.link.output or "") == plain(slot)
    return any(
        plain(each.name) == plain(slot) and shares_type(each.type, place.type) for each in definition.outputs
    )


def _available_types(place: Place, workflow: Workflow, environment: Environment) -> list[str]:
    return [place.type, *output_types(place.link.source, workflow, environment.nodes)]


def _rank(definition: NodeDefinition, place: Place) -> int:
    """Return the position of the first output that fits; a node's first output is its main one."""
    types = [output.type for output in definition.outputs]
    fitting = (number for number, one in enumerate(types) if fits(one, place.type))
    return next(fitting, len(types))


def _insert_on_link(
    definition: NodeDefinition, place: Place, side: Side, known: NodeDefinition | None
) -> BrowserCall:
    """Insert a node on a link. After a node, it goes on all links of the output.

    A link without a named output leaves from the only one of its type.
    """
    insert, link = {"op": "insert", "type": definition.type}, place.link
    outputs = known.outputs if known else ()
    fitting = (each.name for each in outputs if shares_type(each.type, place.type))
    output = link.output or next(fitting, None)
    is_within = place.target.id.startswith(f"{link.source}:")
    if side == "before" or output is None or link.is_unwired or is_within:
        return edit({**insert, "to": place.input})
    return edit({**insert, "from": f"{link.source}.{output}"})


def _add_behind(
    definition: NodeDefinition, node: Node, slot: str | None, environment: Environment
) -> BrowserCall | None:
    """Add a node behind the first output that it accepts: on the link out of the subgraph, else beside the other
    consumers.
    """
    known = environment.nodes.get(node.type)
    for output in known.outputs if known else ():
        if (slot is None or plain(slot) == plain(output.name)) and (
            taken := next(accepting_inputs(definition, output.type), None)
        ):
            source = f"{node.id}.{output.name}"
            if node.leads_out and fits_on_link(definition, output.type):
                return edit({"op": "insert", "type": definition.type, "from": source})
            return edit({"op": "add", "type": definition.type, "inputs": {taken: source}, **_inside(node)})
    return None


def _add_before(
    definition: NodeDefinition, node: Node, slot: str | None, environment: Environment
) -> BrowserCall | None:
    """Add a node in the same graph at the only open input that accepts its output, or at a named input without a
    link.
    """
    known = environment.nodes.get(node.type)
    linked = {link.input for link in node.links}
    inputs = [
        each.name
        for each in (known.slots(node.values) if known else ())
        if (each.name in node.open_inputs if slot is None else plain(each.name) == plain(slot))
        and each.name not in linked
        and any(shares_type(output.type, each.type) for output in definition.outputs)
    ]
    if len(inputs) != 1:
        return None
    new = {"op": "add", "type": definition.type, "as": _NEW, **_inside(node)}
    return edit(new, {"op": "connect", "from": _NEW, "to": f"{node.id}.{inputs[0]}"})


def _inside(node: Node) -> dict[str, str]:
    return {"inside": node.graph} if node.graph else {}


def _describe_types(links: Sequence[Place]) -> str:
    types = list(dict.fromkeys(each.type for each in links if each.type))
    return f"the links there carry {', '.join(types)}" if types else "there is no link"
