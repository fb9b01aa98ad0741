"""The open workflow as the page posts it, in execution order."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from heapq import heapify, heappop, heappush
from itertools import islice
from typing import Any

from ..base.text.clip import clip
from ..comfy.file_roles import has_other_role
from ..comfy.node_definition import NodeDefinition

FILE_ENDING = re.compile(r"\.[a-z][a-z0-9]{1,11}$", re.IGNORECASE)
_LONGEST_FILE = 255
_NOTES = frozenset({"Note", "MarkdownNote"})
_OUTER_EDGE = "input"
_MOST_PROBLEMS = 4
_MOST_NODES = 20_000
"""The most nodes, counting those in subgraphs once per use: a small file can nest any number of them."""
_LONGEST_REASON = 400
_MOST_COMPARED = 2_000
_ROLES = ("positive", "negative")
_GUIDER, _CONDITIONING = "GUIDER", "CONDITIONING"
_SILENT = ("ConditioningZeroOut",)
"""Nodes that drop the content of their input."""
SEED_CONTROL = "control_after_generate"
_PART = re.compile(r"[^\W\d_]{3,}")
_PARTS_OF_ANY = frozenset({"lora", "loras", "model", "models", "checkpoint", "base", "pruned"})
"""Parts of file names that occur in every model family."""
_NO_VALUES = frozenset({"upload", "audioUI"})


@dataclass(frozen=True)
class Link:
    """The source of an input. `output` is None where the source has just one that fits; an unwired link may have no
    input.

    `role` is "positive" or "negative" where the input makes the prompt wanted or unwanted, else "".
    """

    input: str
    source: str
    output: str | None
    is_unwired: bool = False
    role: str = ""


@dataclass(frozen=True)
class Node:
    """A node. `id` is its path: `12:3` for node 3 in subgraph node 12. `label` is its title on the canvas."""

    id: str
    type: str
    label: str
    mode: str
    links: tuple[Link, ...]
    values: Mapping[str, Any]
    open_inputs: tuple[str, ...] = ()
    """Inputs that need a source and have none."""
    missing: Mapping[str, str] = field(default_factory=dict)
    """Values that are not among their choices, each with the nearest choice or ""."""
    is_installed: bool = True
    unnamed: tuple[Any, ...] = ()
    """Values of a node that is not installed, whose names are unknown."""
    shown_as: Mapping[str, str] = field(default_factory=dict)
    """Labels on the canvas by widget name, where the user renamed it."""
    leads_out: bool = False
    """Whether the node feeds an output of its subgraph."""
    is_new: bool = False
    """Whether an earlier call of the same reply adds the node: its id is unknown yet, so `id` is its type."""

    @property
    def graph(self) -> str:
        """The id of the subgraph node that contains it; "" in the workflow's own graph."""
        return self.id.rpartition(":")[0]

    @property
    def files(self) -> list[str]:
        """The values that are file names, without longer texts that contain full stops."""
        return [
            value
            for value in self.values.values()
            if isinstance(value, str) and len(value) <= _LONGEST_FILE and FILE_ENDING.search(value)
        ]


@dataclass(frozen=True)
class Group:
    """A group on the canvas with the ids of its nodes."""

    title: str
    nodes: tuple[str, ...]


@dataclass(frozen=True)
class Workflow:
    name: str
    nodes: tuple[Node, ...]
    groups: tuple[Group, ...] = ()
    notes: int = 0
    failure: str = ""
    """The reason why its last run failed, as the page shows it, or ""."""
    shown: Mapping[str, str] | None = None
    """The names of nodes, by `3`, and values, by `3.steps`, in the last list; None before the first list."""

    def node(self, node_id: str) -> Node | None:
        return self._by_id.get(node_id)

    def consumers(self, node: Node) -> Iterator[tuple[Node, Link]]:
        return iter(self._consumers.get(node.id, ()))

    def roles(self, node: Node) -> frozenset[str]:
        """Return which of "positive" and "negative" the node's output becomes."""
        return frozenset(role for role, nodes in self._by_role.items() if node.id in nodes)

    @cached_property
    def _by_id(self) -> Mapping[str, Node]:
        return {node.id: node for node in reversed(self.nodes)}

    @cached_property
    def _consumers(self) -> Mapping[str, Sequence[tuple[Node, Link]]]:
        found = defaultdict[str, list[tuple[Node, Link]]](list)
        for node in self.nodes:
            for link in node.links:
                found[link.source].append((node, link))
        return found

    @cached_property
    def _by_role(self) -> Mapping[str, set[str]]:
        return {role: self._upstream(role) for role in _ROLES}

    def _upstream(self, role: str) -> set[str]:
        """Return the ids of the nodes that lead to an input of this role without passing another."""
        front = [link.source for node in self.nodes for link in node.links if link.role == role]
        found = set[str]()
        while front:
            node_id = front.pop()
            if node_id in found:
                continue
            found.add(node_id)
            node = self.node(node_id)
            if node is not None and node.type not in _SILENT:
                front += [link.source for link in node.links if not link.role]
        return found


def _role_of(name: str, definition: NodeDefinition | None) -> str:
    """Return the role of an input by its name; the first conditioning of a guider is the positive one."""
    if named := next((role for role in _ROLES if name.lower().startswith(role)), ""):
        return named
    if definition is None or not any(output.type == _GUIDER for output in definition.outputs):
        return ""
    first = next((each.name for each in definition.slots() if each.type == _CONDITIONING), None)
    return "positive" if name == first else ""


def read_workflow(posted: Any, definitions: Mapping[str, NodeDefinition]) -> Workflow | None:
    """Read a workflow as a page posts it, `{"name", "graph", "failure"?}`.

    None for anything else, and for a workflow of more than 20,000 nodes.
    """
    try:
        graph = posted["graph"]
        subgraphs = {each["key"]: each for each in graph.get("subgraphs", ())}
        nodes = [*islice(_read(graph, "", subgraphs, definitions), _MOST_NODES + 1)]
        if len(nodes) > _MOST_NODES:
            return None
        return Workflow(
            str(posted.get("name", "")),
            tuple(_topological_order([node for node in nodes if node.type not in _NOTES])),
            tuple(
                Group(str(each["title"]), tuple(map(str, each["nodes"]))) for each in graph.get("groups", ())
            ),
            sum(node.type in _NOTES for node in nodes),
            _failure(posted.get("failure"), {node.id: node.label for node in nodes}),
        )
    except (KeyError, TypeError, AttributeError, RecursionError):
        return None


def _read(
    graph: Mapping[str, Any],
    prefix: str,
    subgraphs: Mapping[str, Mapping[str, Any]],
    definitions: Mapping[str, NodeDefinition],
    within: tuple[str, ...] = (),
) -> Iterator[Node]:
    last = {str(port["source"]["node"]) for port in graph.get("outputs", ()) if port.get("source")}
    for each in graph["nodes"]:
        kind, node_id = str(each["type"]), f"{prefix}{each['id']}"
        inner = subgraphs.get(kind)
        definition = definitions.get(kind)
        title = inner["name"] if inner else definition.display_name if definition else kind
        usual = (each.get("unwritten") or {}).get("usual", ())
        held = {value["name"]: value["value"] for value in (*each["values"], *usual)}
        own = _own_names(definition, held)
        # Buttons also have values, which never change.
        values = [*each["values"], *(value for value in usual if own is None or value["name"] in own)]
        yield Node(
            node_id,
            kind if inner is None else f"subgraph {inner['name']}",
            str(each.get("title") or title),
            str(each["mode"]),
            tuple(_link(link, prefix, definition) for link in each["links"]),
            {value["name"]: value["value"] for value in values if _is_shown(value, own)},
            tuple((each.get("remarks") or {}).get("openInputs", ())),
            {value["name"]: _nearest(value, definition, held) for value in values if value.get("isMissing")},
            not (each.get("remarks") or {}).get("isUninstalled"),
            tuple(value["value"] for value in values if value["name"].startswith("#")),
            {port["name"]: port["label"] for port in (inner or {}).get("inputs", ()) if port.get("label")},
            str(each["id"]) in last,
        )
        if inner is not None and kind not in within:
            yield from _read(inner, f"{node_id}:", subgraphs, definitions, (*within, kind))


def _nearest(value: Mapping[str, Any], definition: NodeDefinition | None, values: Mapping[str, Any]) -> str:
    inputs = definition.slots(values) if definition else ()
    choices = next((each.choices for each in inputs if each.name == value["name"]), None) or ()
    wanted = str(value["value"])
    names = [
        choice
        for choice in choices[:_MOST_COMPARED]
        if isinstance(choice, str) and not has_other_role(wanted, choice) and _are_related(wanted, choice)
    ]
    return next(iter(get_close_matches(wanted, names, n=1)), "")


def _are_related(wanted: str, choice: str) -> bool:
    """Return whether two file names share a part, as those of one family do; similar letters alone would mislead."""
    if not FILE_ENDING.search(wanted):
        return True
    one, other = (FILE_ENDING.sub("", name).lower() for name in (wanted, choice))
    parts, others = ({*_PART.findall(name)} - _PARTS_OF_ANY for name in (one, other))
    return not parts or any(part in other for part in parts) or any(part in one for part in others)


def _link(link: Mapping[str, Any], prefix: str, definition: NodeDefinition | None) -> Link:
    source = str(link["source"]["node"])
    return Link(
        str(link["input"]),
        prefix.removesuffix(":") if source == _OUTER_EDGE else f"{prefix}{source}",
        link["source"].get("slot"),
        link.get("unwired") is not None,
        _role_of(str(link["input"]), definition),
    )


def _failure(failure: Mapping[str, Any] | None, labels: Mapping[str, str]) -> str:
    if not failure:
        return ""
    error = failure.get("error")
    reasons = [error] if error else failure.get("problems", ())[:_MOST_PROBLEMS]
    descriptions = [
        f"{node} {labels.get(node, each.get('type', ''))}: {each['message']}"
        for each in reasons
        for node in [str(each.get("node", ""))]
    ]
    return clip(
        " ".join("; ".join(descriptions or [str(failure.get("refusal", ""))]).split()), _LONGEST_REASON
    )


def _own_names(definition: NodeDefinition | None, values: Mapping[str, Any]) -> frozenset[str] | None:
    """Return the inputs that a node has with these values, and the page's seed control; None for a type that only the
    page has.
    """
    return (
        frozenset([SEED_CONTROL, *(each.name for each in definition.slots(values))]) if definition else None
    )


def _is_shown(value: Mapping[str, Any], own: frozenset[str] | None) -> bool:
    """Return whether a value is listed: a scalar, or a choice that is still open."""
    if value["name"] in _NO_VALUES or value["name"].startswith("#"):
        return False
    is_open = value["value"] is None and own is not None and value["name"] in own
    return is_open or isinstance(value["value"], str | int | float | bool)


def _topological_order(nodes: Sequence[Node]) -> Iterable[Node]:
    """Yield the nodes in topological order, else in their own; a cycle begins with its first node."""
    known = {node.id for node in nodes}
    missing = [len({link.source for link in node.links} & known) for node in nodes]
    consumers = defaultdict[str, list[int]](list)
    for place, node in enumerate(nodes):
        for source in {link.source for link in node.links} & known:
            consumers[source].append(place)
    ready = [place for place, number in enumerate(missing) if number == 0]
    heapify(ready)
    is_done = [False] * len(nodes)
    first = 0
    for _ in nodes:
        while ready and is_done[ready[0]]:
            heappop(ready)
        while is_done[first]:
            first += 1
        place = heappop(ready) if ready else first
        is_done[place] = True
        for consumer in consumers[nodes[place].id]:
            missing[consumer] -= 1
            if missing[consumer] == 0:
                heappush(ready, consumer)
        yield nodes[place]
