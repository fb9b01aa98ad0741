"""Routes for the details of a thread: its pins, the requests that were sent, its tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from ..base.request_body import Body
from ..store.pins import Pins
from ..store.requests import Requests
from ..store.tasks import Tasks
from .body import body_route
from .guard import Route
from .json_reply import reply

if TYPE_CHECKING:
    from aiohttp import web


class PinBody(Body):
    text: str = Field(description="a goal or a rule that the model reads in every turn")


class ThreadDetailHandlers:
    def __init__(self, pins: Pins, requests: Requests, tasks: Tasks) -> None:
        self._pins = pins
        self._requests = requests
        self._tasks = tasks

    def routes(self) -> list[Route]:
        return [
            Route("GET", "/assistant/threads/{id}/pins", self.pins),
            body_route("POST", "/assistant/threads/{id}/pins", PinBody, self.add_pin),
            Route("DELETE", "/assistant/threads/{id}/pins/{pinId}", self.remove_pin),
            Route("GET", "/assistant/threads/{id}/requests", self.requests),
            Route("GET", "/assistant/threads/{id}/requests/{requestId}", self.read_request),
            Route("GET", "/assistant/threads/{id}/tasks", self.tasks),
        ]

    async def pins(self, request: web.Request) -> web.Response:
        pins = await self._pins.list(request.match_info["id"])
        return reply({"pins": [pin.as_json() for pin in pins]})

    async def add_pin(self, request: web.Request, body: PinBody) -> web.Response:
        return reply((await self._pins.add(request.match_info["id"], body.text)).as_json(), status=201)

    async def remove_pin(self, request: web.Request) -> web.Response:
        from aiohttp import web

        await self._pins.remove(request.match_info["id"], request.match_info["pinId"])
        return web.Response(status=204)

    async def requests(self, request: web.Request) -> web.Response:
        requests = await self._requests.list(request.match_info["id"])
        return reply({"requests": [one.as_json() for one in requests]})

    async def read_request(self, request: web.Request) -> web.Response:
        stored_request = await self._requests.read(request.match_info["id"], request.match_info["requestId"])
        return reply(stored_request.as_json())

    async def tasks(self, request: web.Request) -> web.Response:
        tasks = await self._tasks.tree(request.match_info["id"])
        return reply({"tasks": [task.as_json() for task in tasks]})
