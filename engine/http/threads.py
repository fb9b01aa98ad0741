"""Routes for the threads: list, begin, read, rename, delete."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import RequestError
from ..store.threads import ThreadStore
from .body import read_json
from .guarded import Route, reply

if TYPE_CHECKING:
    from aiohttp import web

_MAX_TAIL = 1_000


class ThreadHandlers:
    def __init__(self, threads: ThreadStore) -> None:
        self._threads = threads

    def routes(self) -> list[Route]:
        return [
            Route("GET", "/assistant/threads", self.list),
            Route("POST", "/assistant/threads", self.create),
            Route("GET", "/assistant/threads/{id}", self.read),
            Route("PATCH", "/assistant/threads/{id}", self.rename),
            Route("DELETE", "/assistant/threads/{id}", self.delete),
        ]

    async def list(self, _: web.Request) -> web.Response:
        return reply({"threads": [summary.as_json() for summary in await self._threads.list()]})

    async def create(self, _: web.Request) -> web.Response:
        return reply((await self._threads.create()).as_json(), status=201)

    async def read(self, request: web.Request) -> web.Response:
        """The newest `tail` messages, all where it is left out; `total` tells how many there are."""
        thread_id = request.match_info["id"]
        thread = await self._threads.read(thread_id)
        tail = _tail(request.query.get("tail"))
        shown = thread.messages[-tail:] if tail else thread.messages
        total = len(thread.messages)
        return reply({"id": thread_id, "title": thread.title, "total": total, "messages": shown})

    async def rename(self, request: web.Request) -> web.Response:
        title = (await read_json(request)).get("title")
        if not isinstance(title, str) or not title.strip():
            raise RequestError(
                "invalid_request", "title is empty; expected a text.", hint='Send {"title": "…"}.'
            )
        await self._threads.rename(request.match_info["id"], " ".join(title.split()))
        return reply({"id": request.match_info["id"], "title": " ".join(title.split())[:200]})

    async def delete(self, request: web.Request) -> web.Response:
        from aiohttp import web

        await self._threads.delete(request.match_info["id"])
        return web.Response(status=204)


def _tail(text: str | None) -> int:
    if text is None:
        return 0
    if not (text.isascii() and text.isdigit() and 0 < int(text[:6]) <= _MAX_TAIL):
        raise RequestError(
            "invalid_request",
            f'tail is "{text[:20]}"; expected 1 to {_MAX_TAIL}.',
            hint="Leave it out for all.",
        )
    return int(text)
