"""The route that tells which names of files a link leads out of ComfyUI's folders."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from ..environment.host import ComfyHost
from ..errors import RequestError
from ..files.linked_files import linked_out
from .body import read_json
from .guarded import Route, reply

if TYPE_CHECKING:
    from aiohttp import web

_MOST_NAMES = 5_000


class LinkedFileHandlers:
    def __init__(self, host: ComfyHost) -> None:
        self._host = host

    def routes(self) -> list[Route]:
        return [Route("POST", "/assistant/linked-files", self.find)]

    async def find(self, request: web.Request) -> web.Response:
        names = (await read_json(request)).get("names")
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise RequestError(
                "invalid_request", "The body has no list of names.", hint="Send {names: [text, …]}."
            )
        if len(names) > _MOST_NAMES:
            raise RequestError(
                "too_large",
                f"The body has {len(names):,} names; at most {_MOST_NAMES:,} are looked up at once.",
                hint="Ask for the others afterwards.",
            )
        return reply({"outside": await asyncio.to_thread(linked_out, self._host, names)})
