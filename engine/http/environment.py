"""The routes that tell what is installed in this ComfyUI."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ..environment.host import ComfyHost
from ..environment.scan import EnvironmentScanner
from ..environment.summary import summarise
from .guarded import Route, reply

if TYPE_CHECKING:
    from aiohttp import web


class EnvironmentHandlers:
    def __init__(self, environment: EnvironmentScanner, host: ComfyHost) -> None:
        self._environment = environment
        self._host = host

    def routes(self) -> list[Route]:
        return [
            Route("GET", "/environment/summary", self.summary),
            Route("GET", "/environment/own-checks", self.own_checks),
        ]

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

    async def own_checks(self, _: web.Request) -> web.Response:
        return reply({"types": await asyncio.to_thread(self._host.own_checks)})
