"""Routes for the person's memory: its days, read, searched, edited and forgotten, and which chats may look into it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.errors import RequestError
from ..store.threads import ThreadStore
from ..user.memory_days import MemoryDays
from .body import read_json
from .route_guard import Route, reply

if TYPE_CHECKING:
    from aiohttp import web


class MemoryHandlers:
    def __init__(self, memory: MemoryDays, threads: ThreadStore) -> None:
        self._memory = memory
        self._threads = threads

    def routes(self) -> list[Route]:
        return [
            Route("GET", "/assistant/memory", self.days),
            Route("GET", "/assistant/memory/{day}", self.read),
            Route("PUT", "/assistant/memory/{day}", self.write),
            Route("GET", "/assistant/threads/{id}/memory", self.leave),
            Route("PUT", "/assistant/threads/{id}/memory", self.give_leave),
        ]

    async def days(self, request: web.Request) -> web.Response:
        days = await self._memory.days(request.query.get("query", ""))
        return reply({"days": [day.as_json() for day in days]})

    async def read(self, request: web.Request) -> web.Response:
        return reply((await self._memory.read(request.match_info["day"])).as_json())

    async def write(self, request: web.Request) -> web.Response:
        match await read_json(request):
            case {"text": str(text), "seen": str(seen)}:
                return reply((await self._memory.write(request.match_info["day"], text, seen)).as_json())
            case _:
                raise RequestError(
                    "invalid_request",
                    "text and seen are missing; expected the new text and the one that was shown.",
                    hint='Send {"text": "…", "seen": "…"}; an empty text forgets the day.',
                )

    async def leave(self, request: web.Request) -> web.Response:
        return reply({"searchesAll": await self._threads.searches_all(request.match_info["id"])})

    async def give_leave(self, request: web.Request) -> web.Response:
        match await read_json(request):
            case {"searchesAll": bool(is_let)}:
                await self._threads.let_search_all(request.match_info["id"], is_let=is_let)
                return reply({"searchesAll": is_let})
            case _:
                raise RequestError(
                    "invalid_request",
                    "searchesAll is missing; expected true or false.",
                    hint='Send {"searchesAll": true}.',
                )
