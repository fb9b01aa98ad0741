"""The tools that take plain words: what a model is offered of them, and what a call of one comes to."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..context.tool_facts import ToolFacts
from ..environment.snapshot import Environment
from ..tool_result import ToolFailure, failure
from .call import BrowserCall, edit, not_found
from .color_image import asks_for_color, make_color_image
from .connect_nodes import connect_nodes
from .insert_node import insert_node
from .meant import NotFound, named_by, node_meant, types_meant
from .names import titles
from .request.places import place_said
from .request.said import is_spoken_of, node_said, shown_said, times_said, type_said
from .request.values_said import names_values_alone, not_so_yet, values_named
from .request.wish import Wish, against_wish, wish_of
from .set_value import set_value, set_values
from .workflow import Node, Workflow


@dataclass(frozen=True)
class PlainTool:
    """`fields` describe its arguments, all of them texts and all required."""

    name: str
    description: str
    fields: Mapping[str, str]

    def schema(self) -> dict[str, Any]:
        properties = {name: {"type": "string", "description": about} for name, about in self.fields.items()}
        parameters = {"type": "object", "properties": properties, "required": list(properties)}
        function = {"name": self.name, "description": self.description, "parameters": parameters}
        return {"type": "function", "function": function}


PLAIN_TOOLS = (
    PlainTool(
        "setValue",
        "Change a value, text or choice of the open workflow.",
        {"name": "Name of the value, as in the list.", "value": "The new value alone."},
    ),
    PlainTool("removeNode", "Remove a node of the open workflow.", {"node": "Id or title of the node."}),
    PlainTool(
        "insertNode",
        "Add a node at a place of the open workflow and connect it there.",
        {"type": "What kind of node.", "where": "before or after", "node": "Id or title of the node there."},
    ),
    PlainTool("addNode", "Add one node without connecting it.", {"type": "What kind of node."}),
    PlainTool(
        "connectNodes",
        "Connect two nodes of the open workflow.",
        {"from": "Id or title of the first node.", "to": "Id or title of the second node."},
    ),
    PlainTool(
        "bypassNode",
        "Only if asked to bypass, mute or reactivate a node.",
        {"node": "Id or title of the node.", "mode": "bypass, mute or active."},
    ),
    PlainTool("runWorkflow", "Run the open workflow as it is: makes its picture or video.", {}),
    PlainTool(
        "makeColorImage",
        "Make and save a plain image of nothing but one color, such as a red one.",
        {"color": "Such as red.", "width": "Pixels.", "height": "Pixels."},
    ),
)
_MODES = {
    "mute": ("mute", "muting", "silence", "stumm"),
    "active": ("unmute", "unbypass", "enable", "re-enable", "reenable", "activ", "reactiv", "aktivier"),
    "bypass": ("bypass", "skip"),
}
"""By how words begin that say them."""
_WISHES: dict[str, Wish] = {
    "removeNode": "remove",
    "insertNode": "add",
    "addNode": "add",
    "connectNodes": "connect",
    "runWorkflow": "run",
}
"""What is asked for where a tool is right."""
_FENCE = re.compile(r"^\s*```(?:json)?\s*|\s*```\s*$")
_BY_NAME = {tool.name: tool for tool in PLAIN_TOOLS}
PLAIN_NAMES = frozenset(_BY_NAME)
PLAIN_FACTS = {
    **{tool.name: ToolFacts("edits") for tool in PLAIN_TOOLS},
    "runWorkflow": ToolFacts("runs"),
    "makeColorImage": ToolFacts("builds and runs"),
}
"""None of them only reads."""


def call_in_text(text: str) -> tuple[str, dict[str, Any]] | None:
    """The call whose arguments a text is and nothing else, which small models write in place of the call: the fields
    tell the tool.
    """
    try:
        arguments = json.loads(_FENCE.sub("", text))
    except ValueError:
        return None
    if not isinstance(arguments, dict) or not all(
        isinstance(each, str | int | float) for each in arguments.values()
    ):
        return None
    tools = [tool.name for tool in PLAIN_TOOLS if tool.fields and set(tool.fields) == set(arguments)]
    return (tools[0], arguments) if len(tools) == 1 else None


def browser_call(
    name: str,
    arguments: Mapping[str, Any],
    workflow: Workflow | None,
    environment: Environment,
    request: str = "",
    *,
    is_first: bool = True,
    is_fresh: bool = True,
) -> BrowserCall | ToolFailure:
    """What a call of one of `PLAIN_TOOLS` means in the open workflow; `request` is what the person wrote.

    `is_first`: no call before it has set what the request names. `is_fresh`: nothing was changed since it was said.
    """
    if is_first and workflow is not None:
        instead = _instead(name, workflow, environment, request, is_fresh=is_fresh)
        if instead is not None:
            return instead
    if refused := against_wish(name, request):
        return refused
    if workflow is not None and not workflow.nodes and name not in ("addNode", "makeColorImage"):
        return failure(
            "The open workflow is empty: there is nothing to change or to run.",
            "What the user wants is new: call makeColorImage, or runNewWorkflow with a script.",
        )
    if name == "runWorkflow":
        times = times_said(request)
        return BrowserCall("executeWorkflow", {"randomSeeds": times} if times else {})
    missing = [field for field in _BY_NAME[name].fields if arguments.get(field) in (None, "")]
    if (
        missing
        and not (name == "setValue" and missing == ["value"])
        and missing[0] not in ("width", "height")
    ):
        return failure(
            f"{name} needs {' and '.join(missing)}.", f"It takes {', '.join(_BY_NAME[name].fields)}."
        )
    given = {field: arguments.get(field, "") for field in _BY_NAME[name].fields}
    if name == "makeColorImage":
        return make_color_image(*(str(value) for value in given.values()), request=request)
    kind = type_said(environment, request, str(given.get("type", "")))
    if name == "addNode":
        return _added(workflow, environment, kind, request)
    if workflow is None:
        return failure(
            "The open workflow was not read.",
            "It may have more than 1,000 nodes, too many for this model; else the user has to reload ComfyUI's page.",
        )
    if name == "setValue":
        return set_value(workflow, str(given["name"]), given["value"], request)
    if name == "insertNode":
        return _inserted(workflow, environment, kind, f"{given['where']} {given['node']}", request)
    if name == "connectNodes":
        return connect_nodes(workflow, environment, str(given["from"]), str(given["to"]), request)
    node, said = node_said(workflow, request), str(given["node"])
    try:
        node = node or _node_meant(workflow, said, request)
    except NotFound as error:
        return not_found("node", said, error)
    asked = None if _is_meant(workflow, said, node) else {**given, "node": node.id}
    if name == "removeNode":
        if request and "remove" not in wish_of(request) and not is_spoken_of(node, request):
            return failure(
                f"Nothing was removed: the user did not speak of {node.label} (node {node.id}).",
                _what_to_show(request),
            )
        return BrowserCall("removeNode", {"node": node.id}, asked)
    mode = _mode(str(given["mode"]), request)
    return replace(edit({"op": "mode", "nodes": [node.id], "mode": mode}), asked=asked)


def _instead(
    name: str, workflow: Workflow, environment: Environment, request: str, *, is_fresh: bool
) -> BrowserCall | ToolFailure | None:
    """What comes before a call, or in its place: the values that the request names, where it is for something that is
    not asked for, or runs what is not set yet.
    """
    is_asked_for = _is_asked_for(name, request)
    if is_asked_for and name not in ("setValue", "runWorkflow"):
        return None
    named = values_named(workflow, environment.nodes, request, is_fresh=is_fresh)
    if is_asked_for or names_values_alone(workflow, request):
        if said := not_so_yet(named):
            return set_values(said)
    else:
        return None
    if is_asked_for:
        return None
    if not is_fresh and not named and values_named(workflow, environment.nodes, request):
        return failure(
            "Nothing more was done: the user asked for a change of values, and for nothing else.",
            "If it is made, say so. Call no more tools.",
        )
    if named:
        values = ", ".join(f"{value.name} = {new}" for value, new in named)
        return failure(
            f"Nothing more was done: what the user asked for is so, {values}.", "Say so. Call no more tools."
        )
    return None


def _is_asked_for(name: str, request: str) -> bool:
    if name == "makeColorImage":
        return asks_for_color(request)
    if name == "bypassNode":
        return _mode_named(request) is not None
    return name == "setValue" or _WISHES[name] in wish_of(request)


def _is_meant(workflow: Workflow, said: str, node: Node) -> bool:
    try:
        return node_meant(workflow, said) is node
    except NotFound:
        return False


def _node_meant(workflow: Workflow, said: str, request: str) -> Node:
    """Where several have the title, the one that the person told by its number or other words."""
    try:
        meant = node_meant(workflow, said)
        nodes = [node for node in workflow.nodes if node.label == meant.label]
    except NotFound as error:
        meant = None
        nodes = [node for each in error.candidates if (node := workflow.node(each.split(" ")[0]))]
        if not nodes:
            raise
    called = titles(workflow)
    named = named_by(request, [called[node.id] for node in nodes]) if len(nodes) > 1 else None
    told = next((node for node in nodes if called[node.id] == named), meant)
    return told or node_meant(workflow, said)


def _inserted(
    workflow: Workflow, environment: Environment, kind: str, place: str, request: str
) -> BrowserCall | ToolFailure:
    """Where the person said, if a node fits there; else where the model did."""
    if said := place_said(request):
        inserted = insert_node(workflow, environment, kind, said)
        if isinstance(inserted, BrowserCall):
            return inserted
    return insert_node(workflow, environment, kind, place)


def _added(workflow: Workflow | None, environment: Environment, kind: str, request: str) -> BrowserCall:
    """A node alone; at its place, where the person named one and the model did not; what only shows or saves behind
    what there is to show.
    """
    found = types_meant(environment, kind)
    place = place_said(request)
    if workflow is not None and (place or (found and not found[0].outputs)):
        inserted = insert_node(workflow, environment, kind, place)
        if isinstance(inserted, BrowserCall):
            return inserted
    return BrowserCall("addNode", {"type": found[0].type if found else kind})


def _what_to_show(request: str) -> str:
    """A small model does not make a call of a hint that leaves the words to it."""
    if text := shown_said(request):
        arguments = json.dumps({"name": "positive prompt", "value": text}, ensure_ascii=False)
        return f"Call setValue {arguments}."
    return "If the picture is to show something else, call setValue of the positive prompt. Else answer in words."


def _mode(said: str, request: str) -> str:
    """As the person calls it: small models call all of it a bypass."""
    given = said.strip().lower()
    return _mode_named(request) or _mode_named(given) or ("active" if given == "on" else given)


def _mode_named(text: str) -> str | None:
    words = re.findall(r"\w[\w-]*", text.lower())
    return next((mode for word in words for mode, forms in _MODES.items() if word.startswith(forms)), None)
