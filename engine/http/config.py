"""Routes for what `/config` reads and changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..runtime_settings import DECLARED, RuntimeSettings, parse
from ..store.preferences import PreferencesFile
from .body import read_json
from .guarded import Route, reply

if TYPE_CHECKING:
    from aiohttp import web


class ConfigHandlers:
    """`initial` is what the environment says; what is saved here wins over it from the next message on."""

    def __init__(self, preferences: PreferencesFile, initial: RuntimeSettings) -> None:
        self._preferences = preferences
        self._initial = initial

    def routes(self) -> list[Route]:
        return [
            Route("GET", "/assistant/config", self.read),
            Route("PUT", "/assistant/config", self.write),
        ]

    async def current(self) -> RuntimeSettings:
        return self._initial.merged((await self._preferences.load()).config)

    async def read(self, _: web.Request) -> web.Response:
        now = await self.current()
        return reply({"settings": [self._as_json(name, now) for name in DECLARED]})

    async def write(self, request: web.Request) -> web.Response:
        body = await read_json(request)
        name, value = parse(body.get("name"), body.get("value"))
        saved = await self._preferences.change(lambda saved: saved.with_setting(name, value))
        return reply(self._as_json(name, self._initial.merged(saved.config)))

    def _as_json(self, name: str, now: RuntimeSettings) -> dict[str, Any]:
        return DECLARED[name].as_json(getattr(now, name), getattr(self._initial, name))
