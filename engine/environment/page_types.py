"""Node types that ComfyUI's page has and its server does not know, as the page posts them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from .node_definition import NodeDefinition, read_node_definition

_MOST_TYPES = 500


def read_page_types(posted: Sequence[Any]) -> tuple[NodeDefinition, ...]:
    """Each in the form of an entry of /object_info, under `name`. What is none is left out."""
    definitions: dict[str, NodeDefinition] = {}
    for info in posted[:_MOST_TYPES]:
        name = info.get("name") if isinstance(info, Mapping) else None
        if not isinstance(name, str) or not name:
            continue
        try:
            definitions[name] = replace(read_node_definition(name, info), is_page_only=True)
        except (AttributeError, TypeError, ValueError):
            continue
    return tuple(definitions.values())
