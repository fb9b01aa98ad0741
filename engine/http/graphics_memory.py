"""Routes about the graphics memory that the language model and renders share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from ..chat.replies.render_room import RenderRoom
from ..errors import AssistantError
from ..llm.provider import Provider
from .body import read_json
from .guarded import Route, reply

if TYPE_CHECKING:
    from aiohttp import web


class GraphicsMemoryHandlers:
    def __init__(self, room: RenderRoom, provider: Callable[[str | None], Awaitable[Provider]]) -> None:
        self._room = room
        self._provider = provider

    def routes(self) -> list[Route]:
        return [
            Route("POST", "/assistant/renders/{run}", self.begin),
            Route("DELETE", "/assistant/renders/{run}", self.end),
        ]

    async def begin(self, request: web.Request) -> web.Response:
        """A run is about to be queued. That no model is set up is no reason to keep anything from running."""
        body = await read_json(request)
        told = body.get("threadId")
        thread_id = told if isinstance(told, str) else None
        try:
            endpoint = (await self._provider(thread_id)).endpoint
        except AssistantError:
            return reply({"model": None, "reason": "elsewhere"})
        always, run = body.get("always") is True, request.match_info["run"]
        made = await self._room.make(endpoint, run, thread_id, always=always)
        return reply({"model": None, "reason": made} if isinstance(made, str) else {"model": made.name})

    async def end(self, request: web.Request) -> web.Response:
        self._room.give_back(request.match_info["run"])
        return reply({})
