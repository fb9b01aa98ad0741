"""Flat tools: tools with one or two arguments each, which accept the names in the list of the newest message.

They are for windows without room for the tools of the full form. A call of one becomes a call of one of the browser's
tools; its names are resolved, and nothing else of it is changed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..base.tool_result import ToolFailure, failure
from ..comfy.node_definition import NodeDefinition
from ..comfy.snapshot import Environment
from ..context.tool_facts import Effect, ToolFacts
from .call import BrowserCall, edit, not_found_failure
from .insert_node import insert_node
from .names import values_by_name
from .open_workflow import Group, Node, Workflow
from .resolve import NotFound, exact_node, resolve_node, resolve_type, resolve_value

Field = Mapping[str, Any]


def _text(about: str) -> Field:
    return {"type": "string", "description": about}


def _one_of(*choices: str) -> Field:
    return {"type": "string", "enum": list(choices)}


def _texts(about: str) -> Field:
    return {"type": "array", "description": about, "items": {"type": "string"}}


_NODE = _text("Id or title of the node.")
_TYPE = _text("Its node type, such as ImageScaleBy.")
_NODES = _texts("Ids or titles of nodes; or the title of a group.")


@dataclass(frozen=True)
class FlatTool:
    """A flat tool. All of its `fields` are required."""

    name: str
    description: str
    fields: Mapping[str, Field]
    effect: Effect = "edits"

    def schema(self) -> dict[str, Any]:
        fields = {name: dict(field) for name, field in self.fields.items()}
        parameters = {"type": "object", "properties": fields, "required": list(fields)}
        function = {"name": self.name, "description": self.description, "parameters": parameters}
        return {"type": "function", "function": function}


FLAT_TOOLS = (
    FlatTool(
        "setValue",
        "Set a value, text or choice of the open workflow.",
        {"name": _text("Its name, as in the list."), "value": _text("The new value.")},
    ),
    FlatTool("runWorkflow", "Run the open workflow: makes its picture or video.", {}, "runs"),
    FlatTool(
        "insertNode",
        "Put a new node on the link before or after another node.",
        {"type": _TYPE, "where": _one_of("before", "after"), "node": _NODE},
    ),
    FlatTool(
        "addNode", "Add a node. Tells its id, inputs and outputs, which connectNodes links.", {"type": _TYPE}
    ),
    FlatTool(
        "connectNodes",
        "Link an output of one node to an input of another.",
        {
            "from": _text("Id or title, and its output where it has several: 4.VAE"),
            "to": _text("The same with the input: 8.vae"),
        },
    ),
    FlatTool("removeNode", "Remove a node, joining what passes through it.", {"node": _NODE}),
    FlatTool(
        "readNode",
        "Show one node with its links, all its values and their choices.",
        {"node": _NODE},
        "reads",
    ),
    FlatTool(
        "replaceNode",
        "Put a node of another type in the place of a node; fitting links and values stay.",
        {"node": _NODE, "type": _TYPE},
    ),
    FlatTool(
        "setNodeMode",
        "Bypass, mute or reactivate nodes or a group.",
        {"nodes": _NODES, "mode": _one_of("active", "bypass", "mute")},
    ),
    FlatTool(
        "tryValues",
        "Run the workflow once for each of several values, to compare them; it keeps its own.",
        {"name": _text("Name of the value, as in the list."), "values": _texts("The values.")},
        "runs",
    ),
    FlatTool(
        "groupNodes",
        "Put a frame with a title around nodes.",
        {"nodes": _NODES, "title": _text("Its title.")},
    ),
)
_BY_NAME = {tool.name: tool for tool in FLAT_TOOLS}
FLAT_NAMES = frozenset(_BY_NAME)
REPLACING = frozenset({"applyWorkflow", "undoTurn"})
"""Tools after which the names of the list may stand for something else."""
FLAT_FACTS = {tool.name: ToolFacts(tool.effect) for tool in FLAT_TOOLS}
_FENCE = "```"


def call_in_text(text: str) -> tuple[str, dict[str, Any]] | None:
    """Return the call whose arguments are the whole text, which small models write in place of the call; else None.

    The names of the fields tell the tool.
    """
    try:
        arguments = json.loads(text.strip().removeprefix(_FENCE).removeprefix("json").removesuffix(_FENCE))
    except (ValueError, RecursionError):
        return None
    if not isinstance(arguments, dict):
        return None
    tools = [tool.name for tool in FLAT_TOOLS if tool.fields and set(tool.fields) == set(arguments)]
    return (tools[0], arguments) if len(tools) == 1 else None


def browser_call(
    name: str,
    arguments: Mapping[str, Any],
    workflow: Workflow | None,
    environment: Environment,
    replaced_by: str = "",
) -> BrowserCall | ToolFailure:
    """Return the call of a browser tool that a call of one of `FLAT_TOOLS` means, or the failure in its place.

    `workflow` is None where the open one was not read. `replaced_by` is the tool of an earlier call in the same reply
    that replaces the workflow by another.
    """
    fields = _BY_NAME[name].fields
    if missing := [field for field in fields if arguments.get(field) is None]:
        return failure(f"{name} needs {' and '.join(missing)}.", f"It takes {', '.join(fields)}.")
    if name == "runWorkflow":
        return BrowserCall("executeWorkflow")
    if replaced_by:
        return failure(
            f"Not done: {replaced_by}, which stands before it in the same reply, brings other nodes and values.",
            "Call it again; names are looked for in the workflow that is open then.",
        )
    if workflow is None:
        return failure(
            "The open workflow was not read.",
            "It may have too many nodes for this window; else the user has to reload ComfyUI's page.",
        )
    try:
        return _CALLS[name](_NameResolver(workflow, environment), arguments)
    except _Unresolved as error:
        return error.failure


class _Unresolved(Exception):
    def __init__(self, failure: ToolFailure) -> None:
        super().__init__()
        self.failure = failure


@dataclass(frozen=True)
class _NameResolver:
    """Resolves names in arguments.

    Raises:
        _Unresolved: by every method.
    """

    workflow: Workflow
    environment: Environment

    def node(self, name: Any) -> Node:
        if group := self._group(name):
            inside = [f"{node.id} {node.label}" for each in group.nodes if (node := self.workflow.node(each))]
            raise _Unresolved(
                failure(f'"{name}" is a group.', f"Name a node of it: {', '.join(inside) or 'it has none'}.")
            )
        with _refuse_unresolved(partial(not_found_failure, "node", str(name))):
            return self._check_unique(resolve_node(self.workflow, str(name)))

    def _check_unique(self, node: Node) -> Node:
        """Return the node, if it is the only one of its name.

        A node that the same reply adds goes by its type, as long as nothing else has that name.
        """
        alike = [each for each in self.workflow.nodes if node.type in (each.type, each.label)]
        if node.is_new and len(alike) > 1:
            others = [f"node {each.id}" for each in alike if not each.is_new] or ["any"]
            error = f'"{node.type}" could be {", ".join(others)} or what this reply adds.'
            raise _Unresolved(failure(error, "Use the id: that of a new node is told once it is there."))
        return node

    def _group(self, name: Any) -> Group | None:
        """Return the group of this title, else the one whose title differs by blanks and case."""
        named = [each for each in self.workflow.groups if each.title == name]
        alike = [
            each for each in self.workflow.groups if _normal_title(each.title) == _normal_title(str(name))
        ]
        return next(iter(named or alike), None)

    def id(self, name: Any) -> str:
        return self.node(name).id

    def slot(self, name: Any) -> tuple[Node, str | None]:
        """Return an existing node, and its slot where the name has one: `4.VAE`."""
        head, slot = self._parts(name)
        node = self.node(head)
        if node.is_new:
            error = (
                f'"{head}" is added by a call before this one in the same reply: its links are not known yet.'
            )
            raise _Unresolved(failure(error, "Call it again."))
        return node, slot

    def end(self, name: Any) -> tuple[Node, str | None]:
        """Return any node, also one that the same reply adds, and its slot where the name has one."""
        head, slot = self._parts(name)
        return self.node(head), slot

    def _parts(self, name: Any) -> tuple[str, str | None]:
        text = str(name).strip()
        head, dot, slot = text.partition(".")
        if not dot or exact_node(self.workflow, text):
            return text, None
        return head, slot

    def nodes(self, names: Any) -> list[str]:
        """Return the ids of nodes and the titles of groups."""
        given: Sequence[Any] = names if isinstance(names, list) else [names]
        return [group.title if (group := self._group(each)) else self._node_or_group(each) for each in given]

    def _node_or_group(self, name: Any) -> str:
        try:
            return self.id(name)
        except _Unresolved as error:
            titles = ", ".join(json.dumps(group.title, ensure_ascii=False) for group in self.workflow.groups)
            if not titles:
                raise
            refusal = error.failure
            hint = f"{refusal.get('hint', '')} Groups: {titles}."
            raise _Unresolved(failure(refusal["error"], hint.strip())) from error

    def value(self, name: Any) -> tuple[str, str]:
        """Return the id of the value's node, and its widget."""
        text = str(name)
        with _refuse_unresolved(partial(self._no_value, text)):
            value = resolve_value(values_by_name(self.workflow), text)
        return self._check_unique(value.node).id, value.widget

    def _no_value(self, name: str, error: NotFound) -> ToolFailure:
        kind, dot, _ = name.partition(".")
        there = {word for node in self.workflow.nodes for word in (node.type, node.label)}
        if dot and self.environment.node(kind) and kind not in there:
            return failure(f"The open workflow has no {kind}.", "addNode or insertNode adds one.")
        return not_found_failure("value", name, error)

    def definition(self, name: Any) -> NodeDefinition:
        with _refuse_unresolved(partial(_no_type, str(name))):
            return resolve_type(self.environment, str(name))


def _normal_title(title: str) -> str:
    return " ".join(title.split()).lower()


@contextmanager
def _refuse_unresolved(refusal: Callable[[NotFound], ToolFailure]) -> Iterator[None]:
    try:
        yield
    except NotFound as error:
        raise _Unresolved(refusal(error)) from error


def _no_type(name: str, error: NotFound) -> ToolFailure:
    near = ", ".join([*error.candidates, *error.others])
    return failure(
        f'No node type "{name}" is installed.',
        f"{f'Near: {near}. ' if near else ''}searchInstalledNodes finds node types.",
    )


def _set_value(names: _NameResolver, given: Mapping[str, Any]) -> BrowserCall:
    node, widget = names.value(given["name"])
    return BrowserCall("setNodeWidgetValue", {"node": node, "widget": widget, "value": given["value"]})


def _insert_node(names: _NameResolver, given: Mapping[str, Any]) -> BrowserCall | ToolFailure:
    if given["where"] not in ("before", "after"):
        return failure(f'where is "{given["where"]}".', "It is before or after.")
    node, slot = names.slot(given["node"])
    definition = names.definition(given["type"])
    return insert_node(names.workflow, names.environment, definition, given["where"], node, slot)


def _connect_nodes(names: _NameResolver, given: Mapping[str, Any]) -> BrowserCall | ToolFailure:
    (source, output), (target, slot) = names.end(given["from"]), names.end(given["to"])
    if source.graph != target.graph and not (source.is_new or target.is_new):
        return failure(
            f"{source.label} (node {source.id}) and {target.label} (node {target.id}) lie in different graphs.",
            "insertNode puts a new node into a subgraph: before or after a node in there.",
        )
    ends = {"fromNode": source.id, "fromOutput": output, "toNode": target.id, "toInput": slot}
    return BrowserCall("connectNodes", {name: end for name, end in ends.items() if end})


def _try_values(names: _NameResolver, given: Mapping[str, Any]) -> BrowserCall:
    node, widget = names.value(given["name"])
    values = given["values"] if isinstance(given["values"], list) else [given["values"]]
    return BrowserCall(
        "executeWorkflow", {"vary": [{"node": node, "widget": widget, "values": [*map(str, values)]}]}
    )


def _replace_node(names: _NameResolver, given: Mapping[str, Any]) -> BrowserCall:
    node, definition = names.id(given["node"]), names.definition(given["type"])
    return edit({"op": "replace", "nodes": [node], "type": definition.type})


_CALLS: Mapping[str, Callable[[_NameResolver, Mapping[str, Any]], BrowserCall | ToolFailure]] = {
    "setValue": _set_value,
    "insertNode": _insert_node,
    "addNode": lambda names, given: BrowserCall("addNode", {"type": names.definition(given["type"]).type}),
    "connectNodes": _connect_nodes,
    "removeNode": lambda names, given: BrowserCall("removeNode", {"node": names.id(given["node"])}),
    "readNode": lambda names, given: BrowserCall("getWorkflowInfo", {"nodeIds": [names.id(given["node"])]}),
    "replaceNode": _replace_node,
    "setNodeMode": lambda names, given: edit(
        {"op": "mode", "nodes": names.nodes(given["nodes"]), "mode": given["mode"]}
    ),
    "tryValues": _try_values,
    "groupNodes": lambda names, given: edit(
        {"op": "group", "nodes": names.nodes(given["nodes"]), "title": given["title"]}
    ),
}
