"""Routes for the graphics memory that the language model and renders share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from pydantic import Field

from ..base.errors import AssistantError
from ..base.request_body import Body
from ..chat.replies.vram_manager import VramManager
from ..llm.provider import Provider
from .body import body_route
from .guard import Route
from .json_reply import reply

if TYPE_CHECKING:
    from aiohttp import web


class RenderBody(Body):
    thread_id: str | None = Field(None, description="the chat whose turn queues the run")
    always: bool = Field(False, description="ignores the option `make_room` and the amount of held memory")


class GraphicsMemoryHandlers:
    def __init__(self, room: VramManager, provider: Callable[[str | None], Awaitable[Provider]]) -> None:
        self._room = room
        self._provider = provider

    def routes(self) -> list[Route]:
        return [
            body_route("POST", "/assistant/renders/{run}", RenderBody, self.begin),
            Route("DELETE", "/assistant/renders/{run}", self.end),
        ]

    async def begin(self, request: web.Request, body: RenderBody) -> web.Response:
        """Make room for a run that is about to be queued. A missing provider does not hold the run up."""
        try:
            endpoint = (await self._provider(body.thread_id)).endpoint
        except AssistantError:
            return reply({"model": None, "reason": "elsewhere"})
        run = request.match_info["run"]
        made = await self._room.unload_for(endpoint, run, body.thread_id, always=body.always)
        return reply({"model": None, "reason": made} if isinstance(made, str) else {"model": made.name})

    async def end(self, request: web.Request) -> web.Response:
        self._room.end_run(request.match_info["run"])
        return reply({})
