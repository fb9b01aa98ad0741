"""The route that returns a workflow template."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from ..base.errors import RequestError
from ..comfy.snapshot import Environment
from ..comfy.templates import UnreadableTemplate, read_workflow
from ..comfy.workflow_needs import find_needs
from ..tools.tool import EnvironmentSource, TemplateSource
from .guard import Route
from .json_reply import reply

if TYPE_CHECKING:
    from aiohttp import web


class TemplateHandlers:
    def __init__(self, templates: TemplateSource, environment: EnvironmentSource) -> None:
        self._templates = templates
        self._environment = environment

    def routes(self) -> list[Route]:
        return [Route("GET", "/assistant/templates/{name}", self.read)]

    async def read(self, request: web.Request) -> web.Response:
        environment = await self._environment.snapshot()
        return reply(await asyncio.to_thread(self._read, request.match_info["name"], environment))

    def _read(self, name: str, environment: Environment) -> dict[str, Any]:
        library = self._templates.library()
        template = library.find(name)
        if template is None:
            closest = library.closest(name)
            hint = f"Closest: {', '.join(closest)}." if closest else "No templates are installed."
            raise RequestError("not_found", f'There is no template "{name[:100]}".', hint=hint, status=404)
        try:
            workflow = read_workflow(template)
        except UnreadableTemplate as error:
            raise RequestError(
                "unreadable",
                f'The template "{template.name}" is of no use: {error}.',
                hint="Take another one.",
                status=422,
            ) from error
        needs = find_needs(workflow)
        return {
            "name": template.name,
            "title": template.title,
            "description": template.description,
            **({"package": template.package} if template.package else {}),
            "missingNodes": needs.missing_node_types(environment),
            "missingModels": [
                {"name": model.name, "folder": model.folder, "url": model.url}
                for model in needs.missing_models(environment)
            ],
            "workflow": workflow,
        }
