"""The open workflow as a call of a reply leaves it, as far as the calls behind it name what it makes."""

from __future__ import annotations

from dataclasses import replace

from ..comfy.snapshot import Environment
from .call import BrowserCall
from .open_workflow import Node, Workflow


def after(workflow: Workflow, call: BrowserCall, environment: Environment) -> Workflow:
    """Without the node that it takes away and with the one that it makes, whose links are not known yet."""
    for operation in call.operations:
        if "type" in operation:
            [old] = [workflow.node(each) for each in operation.get("nodes", ())] or [None]
            made = _made(operation["type"], old, environment)
            others = [node for node in workflow.nodes if node is not old]
            workflow = replace(workflow, nodes=(*others, made))
        elif operation["op"] == "removeNode":
            kept = tuple(node for node in workflow.nodes if node.id != operation["node"])
            workflow = replace(workflow, nodes=kept)
    return workflow


def _made(kind: str, old: Node | None, environment: Environment) -> Node:
    """In the place of another one it has the id of this."""
    definition = environment.node(kind)
    values = {slot.name: slot.default for slot in definition.slots() if slot.is_widget} if definition else {}
    label = definition.display_name if definition else kind
    if old is not None:
        return replace(old, type=kind, label=label, values=values)
    return Node(kind, kind, label, "active", (), values, is_made=True)
