"""The open workflow after a call of the same reply, as far as later calls can name what it made."""

from __future__ import annotations

from dataclasses import replace

from ..comfy.snapshot import Environment
from .call import BrowserCall
from .open_workflow import Node, Workflow


def apply_call(workflow: Workflow, call: BrowserCall, environment: Environment) -> Workflow:
    """Return the workflow without the node that the call removes and with the one that it adds, still unlinked."""
    for operation in call.operations:
        if "type" in operation:
            [old] = [workflow.node(each) for each in operation.get("nodes", ())] or [None]
            made = _new_node(operation["type"], old, environment)
            others = [node for node in workflow.nodes if node is not old]
            workflow = replace(workflow, nodes=(*others, made))
        elif operation["op"] == "removeNode":
            kept = tuple(node for node in workflow.nodes if node.id != operation["node"])
            workflow = replace(workflow, nodes=kept)
    return workflow


def _new_node(kind: str, old: Node | None, environment: Environment) -> Node:
    """Return the new node; one that replaces another keeps its id."""
    definition = environment.node(kind)
    values = {slot.name: slot.default for slot in definition.slots() if slot.is_widget} if definition else {}
    label = definition.display_name if definition else kind
    if old is not None:
        return replace(old, type=kind, label=label, values=values)
    return Node(kind, kind, label, "active", (), values, is_new=True)
