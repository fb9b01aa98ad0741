"""getTemplate: what a ready-made workflow is, and what it needs that is not installed."""

from __future__ import annotations

import asyncio
from typing import Any

from pydantic import BaseModel, Field

from ..environment.snapshot import Environment
from ..environment.templates import UnreadableTemplate, read_workflow
from ..environment.workflow_needs import NeededModel, needs_of, substitutes
from .tool import ServerTool, ToolResult, ToolServices, failure, success

_MAX_NAME = 200
_MAX_DESCRIPTION = 600
_MAX_LISTED = 40


class Input(BaseModel):
    name: str = Field(description="Name from searchTemplates.")


async def run(arguments: Input, services: ToolServices) -> ToolResult:
    environment = await services.environment.snapshot()
    return await asyncio.to_thread(_describe, arguments.name[:_MAX_NAME], services, environment)


def _describe(name: str, services: ToolServices, environment: Environment) -> ToolResult:
    library = services.templates.library()
    template = library.find(name)
    if template is None:
        closest = library.closest(name)
        suggestion = f"Closest: {', '.join(closest)}. " if closest else ""
        return failure(f'There is no template "{name}".', f"{suggestion}searchTemplates finds them by words.")
    try:
        needs = needs_of(read_workflow(template))
    except UnreadableTemplate as error:
        return failure(f'The template "{template.name}" is of no use: {error}.', "Take another one.")
    missing_nodes = needs.missing_node_types(environment)
    missing_models = needs.missing_models(environment)
    data: dict[str, Any] = {"name": template.name, "title": template.title}
    if template.description:
        data["description"] = template.description[:_MAX_DESCRIPTION]
    data["nodes"] = list(needs.node_types[:_MAX_LISTED])
    data["models"] = [_model(model) for model in needs.models[:_MAX_LISTED] if model not in missing_models]
    if missing_nodes:
        data["missingNodes"] = missing_nodes[:_MAX_LISTED]
    if missing_models:
        data["missingModels"] = [
            {**_model(model), **_instead(model, environment)} for model in missing_models[:_MAX_LISTED]
        ]
    data["next"] = f'applyWorkflow takes it as template "{template.name}".'
    lacks = [
        f"{len(names)} {noun}{'' if len(names) == 1 else 's'}"
        for names, noun in ((missing_nodes, "node type"), (missing_models, "model file"))
        if names
    ]
    state = f"not installed: {' and '.join(lacks)}" if lacks else "all that it needs is installed"
    return success(f'Template "{template.name}" ({template.title}): {state}.', data)


def _model(model: NeededModel) -> dict[str, Any]:
    return {"file": model.name, **({"folder": model.folder} if model.folder else {})}


def _instead(model: NeededModel, environment: Environment) -> dict[str, Any]:
    similar = substitutes(model, environment)
    return {
        **({"url": model.url} if model.url else {}),
        **({"similarInstalled": similar} if similar else {}),
    }


get_template = ServerTool(
    name="getTemplate",
    description="Show what a ready-made workflow needs and which of it is not installed.",
    input=Input,
    run=run,
    outside="a template",
    label="Look up template {name}",
)
