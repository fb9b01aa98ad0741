"""Routes that describe what is installed in this ComfyUI."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pydantic import Field

from ..base.request_body import Body
from ..comfy.downloads.heads import read_head
from ..comfy.host import ComfyHost
from ..comfy.scan import EnvironmentScanner
from ..comfy.summary import summarize
from .body import body_route
from .guard import Route
from .json_reply import reply

if TYPE_CHECKING:
    from aiohttp import web


_MOST_HEADS = 200


class ModelHeadsBody(Body):
    names: list[str] = Field(
        max_length=_MOST_HEADS, description="names of installed files, as ComfyUI lists them"
    )


class EnvironmentHandlers:
    def __init__(self, environment: EnvironmentScanner, host: ComfyHost) -> None:
        self._environment = environment
        self._host = host

    def routes(self) -> list[Route]:
        return [
            Route("GET", "/environment/summary", self.summary),
            Route("GET", "/environment/own-checks", self.own_checks),
            body_route("POST", "/environment/model-heads", ModelHeadsBody, self.model_heads),
        ]

    async def summary(self, _: web.Request) -> web.Response:
        summary = summarize(await self._environment.snapshot())
        return reply(
            {
                "packages": summary.packages,
                "nodeTypes": summary.node_types,
                "models": summary.models,
                "text": summary.text,
            }
        )

    async def own_checks(self, _: web.Request) -> web.Response:
        return reply({"types": await asyncio.to_thread(self._host.own_checks)})

    async def model_heads(self, _: web.Request, body: ModelHeadsBody) -> web.Response:
        models = (await self._environment.snapshot()).models
        return reply({"heads": await asyncio.to_thread(self._heads, body.names, models)})

    def _heads(
        self, names: Sequence[str], models: Mapping[str, tuple[str, ...]]
    ) -> dict[str, dict[str, int]]:
        """Return the heads of installed model files; other names are left out."""
        wanted = set(names)
        folders = {file: folder for folder, files in models.items() for file in files if file in wanted}
        paths = {file: self._environment.model_path(folder, file) for file, folder in folders.items()}
        return {file: read_head(path).as_json() for file, path in paths.items() if path}
