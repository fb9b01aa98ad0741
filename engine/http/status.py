"""The first route that the panel asks: whether the assistant runs, with which model, and current notices."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from ..base.build_version import BuildVersion
from ..base.errors import AssistantError
from .guard import Route
from .json_reply import reply

if TYPE_CHECKING:
    from aiohttp import web


class StatusHandlers:
    """`model` returns the model of a thread, or of a new one. `on_opened` is called when the panel is opened.

    `is_first_run` returns whether to ask users about themselves, `store_notice` a notice about the database.
    """

    def __init__(
        self,
        version: str,
        build: BuildVersion,
        model: Callable[[str], Awaitable[dict[str, Any]]],
        *,
        on_opened: Callable[[], None],
        is_first_run: Callable[[], Awaitable[bool]],
        exposure: dict[str, str] | None = None,
        store_notice: Callable[[], str | None] = lambda: None,
    ) -> None:
        self._exposure = exposure
        self._store_notice = store_notice
        self._version = version
        self._build = build
        self._model = model
        self._on_opened = on_opened
        self._is_first_run = is_first_run

    def routes(self) -> list[Route]:
        return [Route("GET", "/assistant/status", self.status)]

    async def status(self, request: web.Request) -> web.Response:
        self._on_opened()
        model = await self._model(request.query.get("thread", ""))
        answer = {"ok": True, "version": self._version, "model": model}
        update = await asyncio.to_thread(self._build.update_for, request.query.get("panel", ""))
        is_first_run = False
        with contextlib.suppress(AssistantError):
            is_first_run = await self._is_first_run()
        notice = self._store_notice()
        store = {"message": notice} if notice else None
        notes = {"store": store, "update": update, "exposure": self._exposure, "firstRun": is_first_run}
        return reply({**answer, **{name: note for name, note in notes.items() if note}})
