"""Where a new node goes: what is meant by "before Save Image", "after 8" or "between Load Checkpoint and 3"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ...environment.node_definition import NodeDefinition
from ...environment.slot_types import shares_type
from ..meant import NotFound, node_meant
from ..workflow import Link, Node, Workflow

_PLACE = re.compile(
    r"(?P<between>between|from)\s+(?P<start>.+?)\s+(?:and|to)\s+(?P<end>.+)|(?P<side>before|after|behind|into)\s+(?P<node>.+)",
    re.IGNORECASE,
)


SIDES = re.compile(r"\b(?:before|after|behind|into|between|from)\b", re.IGNORECASE)
_AT_THE_END = re.compile(r"sav(?:e|ed|ing)|\bend\b|output|result|last", re.IGNORECASE)


@dataclass(frozen=True)
class Place:
    """A link of the workflow, and the type of what it carries; "" where that is not known.

    `is_behind` where the node is named that it comes from: all that this node hands on there is meant.
    """

    target: Node
    link: Link
    type: str
    is_behind: bool = False


def places_meant(workflow: Workflow, said: str, definitions: Mapping[str, NodeDefinition]) -> list[Place]:
    """The links that may be meant, the likeliest first.

    Raises:
        NotFound: a node that is named is not there.
    """
    try:
        return _places_named(workflow, said, definitions)
    except NotFound:
        if _AT_THE_END.search(said) and (places := last_link(workflow, definitions)):
            return places
        raise


def _places_named(workflow: Workflow, said: str, definitions: Mapping[str, NodeDefinition]) -> list[Place]:
    match = _PLACE.search(said)
    is_behind = False
    if match is None:
        node = node_meant(workflow, said)
        links = [*_into(node)] or [*workflow.consumers(node)]
    elif match["between"]:
        start, end = node_meant(workflow, match["start"]), node_meant(workflow, match["end"])
        links = [(end, link) for link in end.links if link.source == start.id]
        links = links or [(end, link) for link in end.links if _comes_from(workflow, link, start)]
    else:
        node = node_meant(workflow, match["node"])
        is_behind = match["side"].lower() not in ("before", "into")
        links = [*workflow.consumers(node)] if is_behind else [*_into(node)]
    if not links:
        raise NotFound([])
    return [Place(target, link, _type_of(target, link, definitions), is_behind) for target, link in links]


def place_said(request: str) -> str:
    """What a request says of a place in words of its own; "" where it says nothing, or more than one."""
    match = _PLACE.search(request)
    return match[0] if match and len(SIDES.findall(request)) == 1 else ""


def last_link(workflow: Workflow, definitions: Mapping[str, NodeDefinition]) -> list[Place]:
    """Into the nodes at the end: where something goes of which nothing else is said."""
    feeding = {link.source for node in workflow.nodes for link in node.links}
    ends = [node for node in workflow.nodes if node.id not in feeding and node.links]
    return [Place(node, link, _type_of(node, link, definitions)) for node in ends for link in node.links]


def home_of(
    definition: NodeDefinition, workflow: Workflow, definitions: Mapping[str, NodeDefinition]
) -> list[Place]:
    """Where a node belongs of which no place is said; nothing where it stands alone.

    A LoRA behind the last one of the model that is loaded first; all else on the last link of what it gives first, or,
    where it hands nothing on, of what it takes; before a node that saves rather than one that shows.
    """
    taken = [slot.type for slot in definition.slots() if slot.required and not slot.is_widget]
    handed_on = (
        output.type for output in definition.outputs if any(shares_type(output.type, one) for one in taken)
    )
    kind = next(handed_on, None)
    if kind is None:
        kind = taken[0] if taken and not definition.outputs else None
    if kind is None:
        return []
    if kind == _MODEL:
        return _behind_the_model(workflow, definitions)
    links = [
        Place(node, link, carried)
        for node in workflow.nodes
        for link in node.links
        if shares_type(carried := _type_of(node, link, definitions), kind)
    ]
    links.sort(key=lambda place: (not definition.outputs, "Preview" not in place.target.type))
    return [place for place in links if links[-1].target is place.target][:1]


_MODEL = "MODEL"


def _behind_the_model(workflow: Workflow, definitions: Mapping[str, NodeDefinition]) -> list[Place]:
    first = next(
        (node for node in workflow.nodes if _MODEL in types_from(node.id, workflow, definitions)), None
    )
    places: list[Place] = []
    while first is not None:
        places = [
            Place(node, link, _MODEL, is_behind=True)
            for node, link in workflow.consumers(first)
            if _type_of(node, link, definitions) == _MODEL
        ]
        first = next((place.target for place in places if "lora" in place.target.type.lower()), None)
    return places


def passes(definition: NodeDefinition, kind: str) -> bool:
    """Whether such a node can stand on a link of this type."""
    return _takes(definition, kind) and any(shares_type(output.type, kind) for output in definition.outputs)


def is_complete(definition: NodeDefinition, given: Iterable[str]) -> bool:
    """Whether every link that it needs is of one of these types."""
    needed = {slot.type for slot in definition.slots() if slot.required and not slot.is_widget}
    there = set(given)
    return all(any(shares_type(one, other) for other in there) for one in needed)


def ends(definition: NodeDefinition, kind: str) -> str | None:
    """The input of a node that takes such a thing and hands nothing on."""
    slots = (slot for slot in definition.slots() if not slot.is_widget)
    return next((slot.name for slot in slots if shares_type(slot.type, kind)), None)


def types_from(node_id: str, workflow: Workflow, definitions: Mapping[str, NodeDefinition]) -> list[str]:
    node = workflow.node(node_id)
    definition = definitions.get(node.type) if node else None
    return [output.type for output in definition.outputs] if definition else []


def _takes(definition: NodeDefinition, kind: str) -> bool:
    return ends(definition, kind) is not None


def _into(node: Node) -> Iterator[tuple[Node, Link]]:
    return ((node, link) for link in node.links)


def _comes_from(workflow: Workflow, link: Link, start: Node) -> bool:
    seen, front = set[str](), [link.source]
    while front:
        current = front.pop()
        if current == start.id:
            return True
        node = workflow.node(current)
        if node and current not in seen:
            seen.add(current)
            front += [each.source for each in node.links]
    return False


def _type_of(target: Node, link: Link, definitions: Mapping[str, NodeDefinition]) -> str:
    definition = definitions.get(target.type)
    slots = definition.slots(target.values) if definition else ()
    return next((slot.type for slot in slots if slot.name == link.input), "")
