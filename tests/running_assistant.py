"""The assistant on a real HTTP server, registered as ComfyUI registers it, for tests that speak HTTP."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import ClientSession, web
from aiohttp.test_utils import TestServer
from comfyui_assistant.api_handlers import Assistant, serve
from comfyui_assistant.engine.comfy.exposure import Exposure
from comfyui_assistant.engine.comfy.fake_comfy import FakeComfy
from comfyui_assistant.engine.comfy.host import GraphicsMemory

from . import canary_keys

FIXTURE = Path(__file__).parent / "fixtures" / "object_info.json"


@dataclass
class ComfyServer:
    """The part of ComfyUI's `PromptServer` that an extension uses."""

    routes: web.RouteTableDef = field(default_factory=web.RouteTableDef)
    app: web.Application = field(default_factory=web.Application)

    def serve(self) -> web.Application:
        """Return the application; as in ComfyUI, each declared route exists a second time under `/api`."""
        self.app.add_routes(self.routes)
        self.app.add_routes(
            [
                web.RouteDef(r.method, f"/api{r.path}", r.handler, r.kwargs)
                for r in self.routes
                if isinstance(r, web.RouteDef)
            ]
        )
        return self.app


@dataclass
class Reply:
    status: int
    body: bytes
    headers: Mapping[str, str]

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def chunks(self) -> list[Any]:
        lines = self.body.decode().split("\n\n")
        return [json.loads(line[6:]) for line in lines if line.startswith("data: {")]

    def one(self, kind: str) -> Any:
        return next(chunk for chunk in self.chunks if chunk["type"] == kind)

    @property
    def text(self) -> str:
        return "".join(chunk["delta"] for chunk in self.chunks if chunk["type"] == "text-delta")

    @property
    def error_code(self) -> str:
        return self.json["error"]["code"]


class RunningAssistant:
    def __init__(self, server: TestServer, session: ClientSession, assistant: Assistant, data: Path) -> None:
        self.server = server
        self.session = session
        self.assistant = assistant
        self.data = data

    async def call(self, method: str, path: str, body: Any = None, **options: Any) -> Reply:
        headers = {"Content-Type": "application/json", **options.pop("headers", {})}
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        url = self.server.make_url("/api" + path)
        async with self.session.request(method, url, data=data, headers=headers, **options) as response:
            answer = await response.read()
            canary_keys.note(f"the answer to {method} {path}", answer)
            return Reply(response.status, answer, response.headers)

    async def new_thread(self) -> str:
        return (await self.call("POST", "/assistant/threads", {})).json["id"]

    async def say(
        self, text: str, *, thread: str | None = None, message_id: str = "u1", **fields: Any
    ) -> Reply:
        message = {"id": message_id, "role": "user", "parts": [{"type": "text", "text": text}]}
        body = {"messages": [message], **({"id": thread} if thread else {}), **fields}
        return await self.call("POST", "/chat", body)

    async def messages(self, thread: str) -> list[Any]:
        return (await self.call("GET", f"/assistant/threads/{thread}")).json["messages"]


@asynccontextmanager
async def running_assistant(
    data: Path,
    environ: Mapping[str, str],
    *,
    users: Sequence[str] = (),
    exposed: Exposure = Exposure(),  # noqa: B008 - a value
    graphics: GraphicsMemory | None = None,
    object_info: Path = FIXTURE,
    routes: Sequence[web.AbstractRouteDef] = (),
    port: int | None = None,
    **parts: Any,
) -> AsyncIterator[RunningAssistant]:
    """Serve the assistant with `data` as its directory, nothing in the environment but `environ`, and these parts.

    With `users` its ComfyUI keeps them apart. `routes` are those of a page beside it.
    """
    comfy = FakeComfy(
        json.loads(object_info.read_text("utf-8")),
        models={"loras": [], "checkpoints": []},
        directory=data,
        users=list(users),
        exposed=exposed,
        graphics=graphics,
    )
    server = ComfyServer()
    settings = {"COMFYUI_ASSISTANT_DISCOVERY": "off", **environ}
    assistant = Assistant(comfy, settings, **parts)
    serve(assistant, server)
    server.app.add_routes(routes)
    async with TestServer(server.serve(), port=port) as test_server, ClientSession() as session:
        yield RunningAssistant(test_server, session, assistant, data)
