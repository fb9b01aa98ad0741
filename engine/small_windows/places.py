"""Places for a new node: a link into a node, or the links out of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from ..comfy.node_definition import NodeDefinition, fits
from .open_workflow import Link, Node, Workflow

Side = Literal["before", "after"]


@dataclass(frozen=True)
class Place:
    """A link of the workflow, and the type that it carries, or ""."""

    target: Node
    link: Link
    type: str

    @property
    def input(self) -> str:
        return f"{self.target.id}.{self.link.input}"


def find_places(
    workflow: Workflow, side: Side, node: Node, definitions: Mapping[str, NodeDefinition]
) -> list[Place]:
    """Return the places on this side of a node."""
    links: Iterable[tuple[Node, Link]] = (
        workflow.consumers(node) if side == "after" else ((node, link) for link in node.links)
    )
    return [Place(target, link, _type_of(target, link, definitions)) for target, link in links]


def fits_on_link(definition: NodeDefinition, kind: str) -> bool:
    """Return whether a node of this type can stand on a link of type `kind`."""
    return next(accepting_inputs(definition, kind), None) is not None and any(
        fits(output.type, kind) for output in definition.outputs
    )


def is_complete(definition: NodeDefinition, given: Iterable[str]) -> bool:
    """Return whether each required input of this type accepts one of the types in `given`."""
    needed = {slot.type for slot in definition.slots() if slot.required and not slot.is_widget}
    there = set(given)
    return all(any(fits(one, other) for other in there) for one in needed)


def accepting_inputs(definition: NodeDefinition, kind: str) -> Iterator[str]:
    """Yield the inputs that accept this type from a link."""
    return (slot.name for slot in definition.slots() if not slot.is_widget and fits(slot.type, kind))


def output_types(node_id: str, workflow: Workflow, definitions: Mapping[str, NodeDefinition]) -> list[str]:
    """Return the output types of a node."""
    node = workflow.node(node_id)
    definition = definitions.get(node.type) if node else None
    return [output.type for output in definition.outputs] if definition else []


def _type_of(target: Node, link: Link, definitions: Mapping[str, NodeDefinition]) -> str:
    definition = definitions.get(target.type)
    slots = definition.slots(target.values) if definition else ()
    return next((slot.type for slot in slots if slot.name == link.input), "")
