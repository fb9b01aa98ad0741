"""Fake model servers that hold one model in memory, with the routes that show and change it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer

MODEL = "small:7b"


class MemoryHolder:
    """A fake server. `asked` lists its requests in order. Memory is free a moment after the model is unloaded."""

    looks_until_free = 2

    def __init__(self, *, is_loaded: bool = True) -> None:
        self.is_loaded = is_loaded
        self.asked: list[tuple[str, Any]] = []
        self._looks_left = 0

    @property
    def is_told(self) -> bool:
        """Whether the server now lists the model as loaded."""
        self._looks_left -= 1
        return self.is_loaded or self._looks_left > 0

    async def act(self, request: web.Request) -> web.Response:
        body = await request.json()
        self.asked.append((request.path, body))
        was_loaded, self.is_loaded = self.is_loaded, self.loads(request.path, body)
        if was_loaded and not self.is_loaded:
            self._looks_left = self.looks_until_free
        return web.json_response({"done": True})

    def loads(self, path: str, body: Any) -> bool:
        return path.endswith("/load")

    def routes(self) -> list[web.RouteDef]:
        raise NotImplementedError

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[str, None]:
        app = web.Application()
        app.add_routes(self.routes())
        async with TestServer(app) as server:
            yield str(server.make_url("/v1"))


class Ollama(MemoryHolder):
    def __init__(self, *, vram: int = 4_000_000_000, is_loaded: bool = True) -> None:
        super().__init__(is_loaded=is_loaded)
        self._vram = vram

    def routes(self) -> list[web.RouteDef]:
        return [web.get("/api/ps", self.list), web.post("/api/generate", self.act)]

    def loads(self, path: str, body: Any) -> bool:
        return body.get("keep_alive") != 0

    async def list(self, _: web.Request) -> web.Response:
        entry = {"name": MODEL, "model": MODEL, "size": 5_000_000_000, "size_vram": self._vram}
        return web.json_response({"models": [entry] if self.is_told else []})


class LMStudio(MemoryHolder):
    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/api/v1/models", self.list),
            web.post("/api/v1/models/unload", self.act),
            web.post("/api/v1/models/load", self.act),
        ]

    async def list(self, _: web.Request) -> web.Response:
        instance = {"id": f"{MODEL}:2", "config": {"context_length": 16_384}}
        entry = {"type": "llm", "key": MODEL, "loaded_instances": [instance] if self.is_told else []}
        return web.json_response({"models": [{"type": "embedding", "key": "other"}, entry]})


class LlamaCppRouter(MemoryHolder):
    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/models", self.list),
            web.post("/models/unload", self.act),
            web.post("/models/load", self.act),
        ]

    async def list(self, _: web.Request) -> web.Response:
        status = {"value": "loaded" if self.is_told else "unloaded"}
        return web.json_response({"data": [{"id": MODEL, "status": status}]})


class LlamaCppServer(MemoryHolder):
    """A server of one model that it never unloads."""

    def routes(self) -> list[web.RouteDef]:
        return [web.get("/models", self.list)]

    async def list(self, _: web.Request) -> web.Response:
        return web.json_response({"data": [{"id": MODEL}], "models": [{"name": MODEL, "model": MODEL}]})
