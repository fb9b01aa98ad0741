"""Routes for the person's rules of all chats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from ..errors import RequestError
from ..store.own_rules import Rule
from .body import read_json
from .guarded import Route, reply

if TYPE_CHECKING:
    from aiohttp import web


class RuleSource(Protocol):
    async def rules(self) -> list[Rule]: ...

    async def remember_rule(self, text: str) -> Rule: ...

    async def forget_rule(self, text: str) -> None: ...


class RuleHandlers:
    def __init__(self, source: RuleSource) -> None:
        self._source = source

    def routes(self) -> list[Route]:
        return [
            Route("GET", "/assistant/rules", self.list),
            Route("POST", "/assistant/rules", self.remember),
            Route("DELETE", "/assistant/rules", self.forget),
        ]

    async def list(self, _: web.Request) -> web.Response:
        return reply({"rules": [rule.as_json() for rule in await self._source.rules()]})

    async def remember(self, request: web.Request) -> web.Response:
        return reply((await self._source.remember_rule(await _text(request))).as_json(), status=201)

    async def forget(self, request: web.Request) -> web.Response:
        from aiohttp import web

        await self._source.forget_rule(await _text(request))
        return web.Response(status=204)


async def _text(request: web.Request) -> str:
    text = (await read_json(request)).get("text")
    if not isinstance(text, str):
        raise RequestError("invalid_request", "text is missing; expected a rule.", hint='Send {"text": "…"}.')
    return text
