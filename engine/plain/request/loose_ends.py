"""A node that is to be connected without a word on what with: where only one thing can be meant."""

from __future__ import annotations

from typing import Any

from ...environment.slot_types import shares_type
from ...environment.snapshot import Environment
from ..workflow import Node, Workflow


def loose_ends_joined(workflow: Workflow, environment: Environment, node: Node) -> list[dict[str, Any]]:
    """Operations that give each input that it needs the only output of its type, or the only one of these that goes
    nowhere yet. None where an input is in doubt, or none is open.
    """
    definition = environment.nodes.get(node.type)
    has_source = {link.input for link in node.links}
    needed = [
        slot
        for slot in (definition.slots(node.values) if definition else ())
        if slot.required and not slot.is_widget and slot.name not in has_source
    ]
    givers = {slot.name: _giver(workflow, environment, node, slot.type) for slot in needed}
    if not all(givers.values()):
        return []
    return [
        {"op": "connect", "from": giver, "to": f"{node.id}.{name}"} for name, giver in givers.items() if giver
    ]


def _giver(workflow: Workflow, environment: Environment, target: Node, kind: str) -> str | None:
    behind = _behind(workflow, target)
    found = [
        (f"{node.id}.{output.name}", any(workflow.consumers(node)))
        for node in workflow.nodes
        if node.id not in behind and (definition := environment.nodes.get(node.type))
        for output in definition.outputs
        if shares_type(output.type, kind)
    ]
    loose = [output for output, is_used in found if not is_used]
    every = [output for output, _ in found]
    return next((several[0] for several in (every, loose) if len(several) == 1), None)


def _behind(workflow: Workflow, node: Node) -> set[str]:
    """Itself and what is made of what it gives: from there nothing may come back."""
    found, front = {node.id}, [node]
    while front:
        for target, _ in workflow.consumers(front.pop()):
            if target.id not in found:
                found.add(target.id)
                front.append(target)
    return found
