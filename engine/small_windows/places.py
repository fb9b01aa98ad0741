"""Where a new node goes: before a node, on one of the links into it, or after it, on those that come out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from ..comfy.node_definition import NodeDefinition
from ..comfy.slot_types import fits
from .open_workflow import Link, Node, Workflow

Side = Literal["before", "after"]


@dataclass(frozen=True)
class Place:
    """A link of the workflow, and the type of what it carries; "" where that is not known."""

    target: Node
    link: Link
    type: str

    @property
    def input(self) -> str:
        return f"{self.target.id}.{self.link.input}"


def places_at(
    workflow: Workflow, side: Side, node: Node, definitions: Mapping[str, NodeDefinition]
) -> list[Place]:
    links: Iterable[tuple[Node, Link]] = (
        workflow.consumers(node) if side == "after" else ((node, link) for link in node.links)
    )
    return [Place(target, link, _type_of(target, link, definitions)) for target, link in links]


def passes(definition: NodeDefinition, kind: str) -> bool:
    """Whether such a node can stand on a link of this type."""
    return next(taking(definition, kind), None) is not None and any(
        fits(output.type, kind) for output in definition.outputs
    )


def is_complete(definition: NodeDefinition, given: Iterable[str]) -> bool:
    """Whether every link that it needs is of one of these types."""
    needed = {slot.type for slot in definition.slots() if slot.required and not slot.is_widget}
    there = set(given)
    return all(any(fits(one, other) for other in there) for one in needed)


def taking(definition: NodeDefinition, kind: str) -> Iterator[str]:
    """The inputs that take such a thing from a link."""
    return (slot.name for slot in definition.slots() if not slot.is_widget and fits(slot.type, kind))


def types_from(node_id: str, workflow: Workflow, definitions: Mapping[str, NodeDefinition]) -> list[str]:
    node = workflow.node(node_id)
    definition = definitions.get(node.type) if node else None
    return [output.type for output in definition.outputs] if definition else []


def _type_of(target: Node, link: Link, definitions: Mapping[str, NodeDefinition]) -> str:
    definition = definitions.get(target.type)
    slots = definition.slots(target.values) if definition else ()
    return next((slot.type for slot in slots if slot.name == link.input), "")
