"""Routes for the provider of a thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..chat.resources.thread_providers import ThreadProviders
from ..errors import RequestError
from .body import read_json
from .guarded import Route, reply
from .provider_fields import text_in

if TYPE_CHECKING:
    from aiohttp import web


class ThreadProviderHandlers:
    def __init__(self, providers: ThreadProviders) -> None:
        self._providers = providers

    def routes(self) -> list[Route]:
        route = "/assistant/threads/{id}/provider"
        return [Route("GET", route, self.read), Route("PUT", route, self.choose)]

    async def read(self, request: web.Request) -> web.Response:
        return reply(await self._providers.chosen(request.match_info["id"]))

    async def choose(self, request: web.Request) -> web.Response:
        thread_id, body = request.match_info["id"], await read_json(request)
        provider, model = text_in(body, "provider"), text_in(body, "model")
        if provider is None and model is None:
            raise RequestError(
                "invalid_request",
                "Neither provider nor model is there; expected one of them.",
                hint='Send {"provider": "…"}, {"model": "…"}, or "" for the default.',
            )
        await self._providers.choose(thread_id, provider=provider, model=model)
        return reply(await self._providers.chosen(thread_id))
