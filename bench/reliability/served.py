"""The assistant's routes in a process of their own, with a look at its event loop."""

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
    probe = Probe([(route.method, route.path) for route in assistant.routes()])
    server.routes.route("POST", "/probe/lag")(probe.lag)
    server.routes.route("GET", "/probe/tasks")(probe.tasks)
    server.routes.route("GET", "/probe/routes")(probe.routes)
    runner = web.AppRunner(server.serve(), access_log=None)
    await runner.setup()
    await web.TCPSite(runner, HOST, 0, backlog=1_024).start()
    port.send(runner.addresses[0][1])
    ended = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
    watching = asyncio.create_task(probe.watch())
    await ended.wait()
    watching.cancel()
    await runner.cleanup()


class Probe:
    """How late the event loop comes to what is due, which tasks it has, and which routes there are."""

    def __init__(self, routes: list[tuple[str, str]]) -> None:
        self._routes = routes
        self._late: list[float] = []

    async def lag(self, _: web.Request) -> web.Response:
        """Of the time since this was last asked, in milliseconds."""
        late, self._late = self._late, []
        return web.json_response({"p99": percentile(late, 99) * 1e3, "max": max(late) * 1e3})

    async def tasks(self, _: web.Request) -> web.Response:
        return web.json_response(len(asyncio.all_tasks()))

    async def routes(self, _: web.Request) -> web.Response:
        return web.json_response(self._routes)

    async def watch(self) -> None:
        while True:
            due = time.monotonic() + LOOK_SECONDS
            await asyncio.sleep(LOOK_SECONDS)
            self._late.append(time.monotonic() - due)
