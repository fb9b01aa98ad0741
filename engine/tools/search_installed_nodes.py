"""searchInstalledNodes: node types by words."""

from __future__ import annotations

import asyncio
from typing import Any

from pydantic import BaseModel, Field

from ..environment.node_definition import NodeDefinition
from .tool import ServerTool, ToolResult, ToolServices, failure, success

_MAX_LISTED = 50
_MAX_ABOUT = 120
_NAMES_IN_SUMMARY = 5
_MAX_QUERY = 200


class Input(BaseModel):
    query: str = Field(description="What the node does, or part of its name.")
    limit: int = Field(default=10, description="How many to list.")


async def run(arguments: Input, services: ToolServices) -> ToolResult:
    environment = await services.environment.snapshot()
    query = arguments.query[:_MAX_QUERY]
    found = await asyncio.to_thread(environment.index.search, query)
    if not found:
        return failure(
            f'None of the {len(environment.nodes):,} installed node types matches "{query}".',
            "Try fewer or other English words. If nothing fits, a node package is missing: tell the user.",
        )
    listed = found[: max(1, min(arguments.limit, _MAX_LISTED))]
    data: dict[str, Any] = {"nodes": [_entry(definition) for definition in listed]}
    if len(found) > len(listed):
        data["more"] = len(found) - len(listed)
    names = ", ".join(definition.type for definition in listed[:_NAMES_IN_SUMMARY])
    ellipsis = ", …" if len(found) > _NAMES_IN_SUMMARY else ""
    matches = "1 node type matches" if len(found) == 1 else f"{len(found)} node types match"
    return success(f'{matches} "{query}": {names}{ellipsis}.', data)


def _entry(definition: NodeDefinition) -> dict[str, Any]:
    entry: dict[str, Any] = {"type": definition.type}
    if definition.display_name != definition.type:
        entry["name"] = definition.display_name
    entry["category"] = definition.category
    if definition.description:
        entry["about"] = _first_part(definition.description)
    entry["outputs"] = [output.type for output in definition.outputs]
    if definition.package:
        entry["package"] = definition.package
    if definition.is_deprecated:
        entry["deprecated"] = True
    return entry


def _first_part(description: str) -> str:
    line = " ".join(description.split())
    return line if len(line) <= _MAX_ABOUT else line[: _MAX_ABOUT - 1].rsplit(" ", 1)[0] + "…"


search_installed_nodes = ServerTool(
    name="searchInstalledNodes",
    description="Find installed node types by words: what they do, or their name.",
    input=Input,
    run=run,
)
