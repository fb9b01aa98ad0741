"""The route that the panel asks first: whether the assistant runs, and with which model."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..llm.provider import ProviderDirectory
from .guarded import Route, reply

if TYPE_CHECKING:
    from aiohttp import web


class StatusHandlers:
    """`on_opened` is called when somebody opens the panel."""

    def __init__(self, version: str, providers: ProviderDirectory, *, on_opened: Callable[[], None]) -> None:
        self._version = version
        self._providers = providers
        self._on_opened = on_opened

    def routes(self) -> list[Route]:
        return [Route("GET", "/assistant/status", self.status)]

    async def status(self, _: web.Request) -> web.Response:
        self._on_opened()
        return reply({"ok": True, "version": self._version, "model": await self._providers.status()})
