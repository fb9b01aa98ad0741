"""`searchTemplates`: templates by words."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel

from ..base.text.clip import clip_words
from ..comfy.snapshot import Environment
from ..comfy.templates import Template, TemplateLibrary, UnreadableTemplate, read_workflow
from ..comfy.workflow_needs import find_needs
from .fitting import first_that_fit, more_matches
from .slim_form import SlimForm
from .tool import ServerTool, ToolResult, ToolServices, failure, mark_trusted, success

_MAX_LISTED = 50
_COMPARED = 24
_MAX_QUERY = 200
_MAX_ABOUT = 140
_NAMES_IN_SUMMARY = 5


class Input(BaseModel):
    query: str
    limit: int = 8


async def run(arguments: Input, services: ToolServices) -> ToolResult:
    environment = await services.environment.snapshot()
    return await asyncio.to_thread(_search, arguments, services, environment)


def _search(arguments: Input, services: ToolServices, environment: Environment) -> ToolResult:
    library = services.templates.library()
    query = arguments.query[:_MAX_QUERY]
    if not library.templates:
        return failure(
            "No workflow templates are installed.",
            "Build the workflow yourself; the user could install the package comfyui-workflow-templates.",
        )
    found = library.search(query)
    if not found:
        return failure(
            f'None of the {len(library.templates)} templates matches "{query}".',
            f"Try a model family or a task. Some: {_some(library)}.",
        )
    limit = max(1, min(arguments.limit, _MAX_LISTED))
    entries = [_entry(template, environment) for template in found[: max(limit, _COMPARED)]]
    entries.sort(key=lambda entry: entry.get("missingNodes", 0) > 0)

    others = {template.name for template in found if template.package}

    def result(shown: Sequence[dict[str, Any]]) -> ToolResult:
        names = ", ".join(entry["name"] for entry in shown[:_NAMES_IN_SUMMARY])
        dots = ", …" if len(shown) > _NAMES_IN_SUMMARY else ""
        more = len(found) - len(shown)
        how = more_matches(more, _MAX_LISTED, is_slim=services.is_slim)
        data: dict[str, Any] = {"templates": shown, **how}
        told = success(f'Templates for "{query}": {names}{dots}', data)
        is_foreign = any(entry["name"] in others for entry in shown)
        return told if is_foreign else mark_trusted(told)

    return first_that_fit(entries[:limit], services.room, result)


def _entry(template: Template, environment: Environment) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": template.name, "title": template.title}
    if template.description:
        entry["about"] = clip_words(template.description, _MAX_ABOUT)
    try:
        needs = find_needs(read_workflow(template))
    except UnreadableTemplate as error:
        return {**entry, "unreadable": str(error), "missingNodes": 1}
    if template.is_paid or needs.prices(environment):
        entry["isPaid"] = True
    if missing := needs.missing_node_types(environment):
        entry["missingNodes"] = len(missing)
    if missing_models := needs.missing_models(environment):
        entry["missingModels"] = len(missing_models)
    return entry


def _some(library: TemplateLibrary) -> str:
    return ", ".join(template.name for template in library.templates[:6])


search_templates = ServerTool(
    name="searchTemplates",
    description="Find ready-made workflows; those that lack no node come first.",
    input=Input,
    run=run,
    untrusted="the list of templates",
    slim=SlimForm(),
    label="Search templates {query}",
)
