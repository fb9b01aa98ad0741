"""Routes for the user's memory: its days, and which chats may search other chats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from ..base.request_body import Body
from ..store.threads import ThreadStore
from ..user.memory_days import MemoryDays
from .body import body_route
from .guard import Route
from .json_reply import reply

if TYPE_CHECKING:
    from aiohttp import web


class DayBody(Body):
    text: str = Field(description="the new text of the day; an empty text deletes the day")
    seen: str = Field(description="the text that it replaces")


class SearchAllBody(Body):
    searches_all: bool = Field(description="whether the chat may search other chats, from its next call on")


class MemoryHandlers:
    def __init__(self, memory: MemoryDays, threads: ThreadStore) -> None:
        self._memory = memory
        self._threads = threads

    def routes(self) -> list[Route]:
        return [
            Route("GET", "/assistant/memory", self.days),
            Route("GET", "/assistant/memory/{day}", self.read),
            body_route("PUT", "/assistant/memory/{day}", DayBody, self.write),
            Route("GET", "/assistant/threads/{id}/memory", self.read_permission),
            body_route("PUT", "/assistant/threads/{id}/memory", SearchAllBody, self.change_permission),
        ]

    async def days(self, request: web.Request) -> web.Response:
        days = await self._memory.days(request.query.get("query", ""))
        return reply({"days": [day.as_json() for day in days]})

    async def read(self, request: web.Request) -> web.Response:
        return reply((await self._memory.read(request.match_info["day"])).as_json())

    async def write(self, request: web.Request, body: DayBody) -> web.Response:
        return reply((await self._memory.write(request.match_info["day"], body.text, body.seen)).as_json())

    async def read_permission(self, request: web.Request) -> web.Response:
        return reply({"searchesAll": await self._threads.searches_all(request.match_info["id"])})

    async def change_permission(self, request: web.Request, body: SearchAllBody) -> web.Response:
        await self._threads.let_search_all(request.match_info["id"], is_let=body.searches_all)
        return reply({"searchesAll": body.searches_all})
