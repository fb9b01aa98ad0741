"""The facts on a node type that results of several tools share."""

from __future__ import annotations

from ..comfy.node_definition import NodeDefinition
from ..comfy.snapshot import Environment


def heading(definition: NodeDefinition) -> dict[str, str]:
    """Return `{"type", "name", "category"}`, without a name that equals the type."""
    name = {} if definition.display_name == definition.type else {"name": definition.display_name}
    return {"type": definition.type, **name, "category": definition.category}


def remarks(definition: NodeDefinition) -> dict[str, str | bool]:
    """Return the marks that apply: `{"isPageOnly", "price", "package", "deprecated"}`."""
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
    """Return `{"replacedBy": "ControlNetLoader"}` where ComfyUI has that in place of the type."""
    name = environment.replaced_by.get(definition.type)
    return {} if name is None else {"replacedBy": name}
