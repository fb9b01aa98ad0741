"""The route that tells what is installed in this ComfyUI."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..environment.scan import EnvironmentScanner
from ..environment.summary import summarise
from .guarded import Route, reply

if TYPE_CHECKING:
    from aiohttp import web


class EnvironmentHandlers:
    def __init__(self, environment: EnvironmentScanner) -> None:
        self._environment = environment

    def routes(self) -> list[Route]:
        return [Route("GET", "/environment/summary", self.summary)]

    async def summary(self, _: web.Request) -> web.Response:
        summary = summarise(await self._environment.snapshot())
        return reply(
            {
                "packages": summary.packages,
                "nodeTypes": summary.node_types,
                "models": summary.models,
                "text": summary.text,
            }
        )
