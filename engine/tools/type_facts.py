"""What a result tells of a node type, whichever tool it is of."""

from __future__ import annotations

from ..comfy.node_definition import NodeDefinition
from ..comfy.snapshot import Environment


def heading(definition: NodeDefinition) -> dict[str, str]:
    """`{"type", "name", "category"}`; no name where it is called as its type."""
    name = {} if definition.display_name == definition.type else {"name": definition.display_name}
    return {"type": definition.type, **name, "category": definition.category}


def remarks(definition: NodeDefinition) -> dict[str, str | bool]:
    """What is special about it: `{"isPageOnly", "price", "package", "deprecated"}`, those that hold."""
    return {
        name: value
        for name, value in (
            ("isPageOnly", definition.is_page_only),
            ("price", definition.price),
            ("package", definition.package),
            ("deprecated", definition.is_deprecated),
        )
        if value
    }


def replacement(definition: NodeDefinition, environment: Environment) -> dict[str, str]:
    """`{"replacedBy": "ControlNetLoader"}`, where ComfyUI has that in the place of the type."""
    name = environment.replaced_by.get(definition.type)
    return {} if name is None else {"replacedBy": name}
