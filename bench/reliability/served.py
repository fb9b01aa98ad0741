"""The assistant's routes in a process of their own, beside a bare route and a look at the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import json
import multiprocessing
import signal
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web
from comfyui_assistant.api_handlers import Assistant, serve
from comfyui_assistant.engine.comfy.fake_comfy import FakeComfy
from comfyui_assistant.engine.store import turn_leases

from bench.percentiles import percentile
from tests.running_assistant import FIXTURE, ComfyServer

HOST = "127.0.0.1"
LOOK_SECONDS = 0.005
DEAD_END = f"http://{HOST}:9"
"""Where nothing listens: what the assistant is given in place of addresses on the internet."""


@dataclass(frozen=True)
class Served:
    url: str
    process: Any

    def kill(self) -> None:
        self.process.kill()
        self.process.join()


@contextlib.asynccontextmanager
async def served_assistant(folder: Path, provider: str) -> AsyncIterator[Served]:
    """Started with all modules at hand, so that the next one follows soon upon one that was killed."""
    is_able = "forkserver" in multiprocessing.get_all_start_methods()
    processes: Any = multiprocessing.get_context("forkserver" if is_able else "spawn")
    if is_able:
        processes.set_forkserver_preload([__name__, "openai", "sqlalchemy", "alembic.command", "tiktoken"])
    ours, theirs = processes.Pipe()
    process = processes.Process(target=serve_until_ended, args=(str(folder), provider, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        if not await asyncio.to_thread(ours.poll, 60):
            raise RuntimeError("The assistant's process did not come up within a minute.")
        yield Served(f"http://{HOST}:{ours.recv()}", process)
    finally:
        ours.close()
        process.terminate()
        await asyncio.to_thread(process.join, 10)
        process.kill()


def serve_until_ended(folder: str, provider: str, port: Connection) -> None:
    asyncio.run(_serve(Path(folder), provider, port))


async def _serve(folder: Path, provider: str, port: Connection) -> None:
    # The process after one that was killed goes on in its threads at once.
    turn_leases.LEASE_SECONDS = 0.5
    comfy = FakeComfy(
        json.loads(FIXTURE.read_text("utf-8")), models={"loras": [], "checkpoints": []}, directory=folder
    )
    environ = {
        "COMFYUI_ASSISTANT_DISCOVERY": "off",
        "COMFYUI_ASSISTANT_BASE_URL": provider,
        "COMFYUI_ASSISTANT_MODEL": "scripted",
        "COMFYUI_ASSISTANT_CONTEXT_WINDOW": "128000",
        "COMFYUI_ASSISTANT_NODE_REGISTRY": DEAD_END,
        "LLM_UNREAD_SECONDS": "0",
    }
    server = ComfyServer()
    assistant = Assistant(comfy, environ)
    serve(assistant, server)
    probe = Probe(provider, [(route.method, route.path) for route in assistant.routes()])
    server.routes.route("POST", "/probe/bare")(probe.bare)
    server.routes.route("POST", "/probe/lag")(probe.lag)
    server.routes.route("GET", "/probe/tasks")(probe.tasks)
    server.routes.route("GET", "/probe/routes")(probe.routes)
    runner = web.AppRunner(server.serve(), access_log=None)
    await runner.setup()
    await web.TCPSite(runner, HOST, 0, backlog=1_024).start()
    port.send(runner.addresses[0][1])
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    async with probe:
        await ended.wait()
    await runner.cleanup()


class Probe:
    """A route that passes a stream on and does nothing else, and how late the event loop comes to what is due."""

    def __init__(self, provider: str, routes: list[tuple[str, str]]) -> None:
        self._provider = provider
        self._routes = routes
        self._late: list[float] = []
        self._session: aiohttp.ClientSession | None = None
        self._watch: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Probe:
        self._session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))
        self._watch = asyncio.create_task(self._look())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._watch is not None:
            self._watch.cancel()
        if self._session is not None:
            await self._session.close()

    async def bare(self, request: web.Request) -> web.StreamResponse:
        assert self._session is not None
        body = await request.json()
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        async with self._session.post(f"{self._provider}/chat/completions", json=body) as reply:
            async for piece in reply.content.iter_any():
                await response.write(piece)
        return response

    async def lag(self, _: web.Request) -> web.Response:
        """Of the time since this was last asked, in milliseconds."""
        late, self._late = self._late, []
        return web.json_response(
            {
                "p50": percentile(late, 50) * 1e3,
                "p99": percentile(late, 99) * 1e3,
                "max": max(late) * 1e3,
                "cpu": time.process_time(),
            }
        )

    async def tasks(self, _: web.Request) -> web.Response:
        return web.json_response(len(asyncio.all_tasks()))

    async def routes(self, _: web.Request) -> web.Response:
        return web.json_response(self._routes)

    async def _look(self) -> None:
        while True:
            due = time.monotonic() + LOOK_SECONDS
            await asyncio.sleep(LOOK_SECONDS)
            self._late.append(time.monotonic() - due)
