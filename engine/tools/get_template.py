"""`getTemplate`: a template and what it needs that is not installed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, Field

from ..base.text.amounts import pluralize
from ..base.text.clip import clip_words
from ..comfy.snapshot import Environment
from ..comfy.templates import UnreadableTemplate, read_workflow
from ..comfy.workflow_needs import NeededModel, find_needs, substitutes
from .fitting import first_that_fit
from .tool import ServerTool, ToolResult, ToolServices, failure, mark_trusted, success

_MAX_NAME = 200
_MAX_DESCRIPTION = 2_000


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
        needs = find_needs(read_workflow(template))
    except UnreadableTemplate as error:
        return failure(f'The template "{template.name}" is of no use: {error}.', "Take another one.")
    missing_nodes = needs.missing_node_types(environment)
    missing_models = needs.missing_models(environment)
    head: dict[str, Any] = {"name": template.name, "title": template.title}
    if template.description:
        head["description"] = clip_words(template.description, _MAX_DESCRIPTION)
    prices = needs.prices(environment)
    if prices:
        head["paidNodes"] = prices
    lists: dict[str, list[Any]] = {
        "missingNodes": list(missing_nodes),
        "missingModels": [{**_model(model), **_instead(model, environment)} for model in missing_models],
        "models": [_model(model) for model in needs.models if model not in missing_models],
        "nodes": list(needs.node_types),
    }
    lacks = [
        pluralize(len(names), noun)
        for names, noun in ((missing_nodes, "node type"), (missing_models, "model file"))
        if names
    ]
    state = f"not installed: {' and '.join(lacks)}" if lacks else "all that it needs is installed"
    if template.is_paid or prices:
        state += "; its runs cost money"

    def result(shown: Sequence[tuple[str, Any]]) -> ToolResult:
        data: dict[str, Any] = {**head, "nodes": [], "models": []}
        for name, entry in shown:
            data.setdefault(name, []).append(entry)
        left_out = {
            name: more for name, all_of in lists.items() if (more := len(all_of) - len(data.get(name, ())))
        }
        if left_out:
            how = f'getWorkflowInfo with template "{template.name}" reads all nodes with their files.'
            data |= {"leftOut": left_out, "hint": how}
        data["next"] = f'applyWorkflow takes it as template "{template.name}".'
        told = success(f'Template "{template.name}" ({template.title}): {state}.', data)
        return told if template.package else mark_trusted(told)

    return first_that_fit(
        [(name, entry) for name, all_of in lists.items() for entry in all_of], services.room, result
    )


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
    description="Show what a ready-made workflow needs and lacks here.",
    input=Input,
    run=run,
    untrusted="a template",
    label="Look up template {name}",
)
