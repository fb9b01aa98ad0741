"""Node types that ComfyUI's page knows and its server does not, as the page posts them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from .node_definition import NodeDefinition, TakenObject, read_node_definition

_MOST_TYPES = 500
_LONGEST_EXAMPLE = 500


def read_page_types(posted: Sequence[Any]) -> tuple[NodeDefinition, ...]:
    """Read entries in the form of /object_info with a `name`; malformed entries are left out.

    A type that takes any number of objects has `objects`, as `{"lora_1": {…}}`, and `files`, as `{"lora":
    "LoraLoader.lora_name"}`.
    """
    definitions: dict[str, NodeDefinition] = {}
    for info in posted[:_MOST_TYPES]:
        name = info.get("name") if isinstance(info, Mapping) else None
        if not isinstance(name, str) or not name:
            continue
        try:
            definitions[name] = replace(
                read_node_definition(name, info), is_page_only=True, taken_object=_taken_object(info)
            )
        except (AttributeError, TypeError, ValueError):
            continue
    return tuple(definitions.values())


def _taken_object(info: Mapping[str, Any]) -> TakenObject | None:
    """Return the object that a type takes, if any.

    Raises:
        Exception: whatever the entry's mistakes raise.
    """
    for name, value in (info.get("objects") or {}).items():
        example = json.dumps(value, ensure_ascii=False)
        if not isinstance(value, Mapping) or len(example) > _LONGEST_EXAMPLE:
            continue
        files = [
            (part, *listed.split(".", 1))
            for part, listed in (info.get("files") or {}).items()
            if part in value
        ]
        return TakenObject(name, example, tuple(files))
    return None
