"""Routes on a server of their own, where they need nothing else of the assistant."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer
from comfyui_assistant.engine.http.guard import Route, guard_handler


@asynccontextmanager
async def serving(routes: Iterable[Route]) -> AsyncIterator[TestClient[Any, Any]]:
    app = web.Application()
    for route in routes:
        app.router.add_route(route.method, route.path, guard_handler(route.handler, allowed_hosts=()))
    async with TestClient(TestServer(app)) as client:
        yield client
