"""Routes for the run history: add a run when it ends, search, open, delete."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import Field

from ..base.request_body import Body
from ..comfy.host import ComfyHost
from ..comfy.pictures.history_entry import history_entry
from ..store.run_history import RunHistory
from .body import body_route
from .guard import Route
from .json_reply import reply
from .query import whole_number

if TYPE_CHECKING:
    from aiohttp import web

_LIMIT, _MOST = 20, 100
_LONGEST_ID = 100
_LOOKS, _SECONDS_BETWEEN_LOOKS = 8, 0.25


class RunBody(Body):
    prompt_id: str = Field(min_length=1, max_length=_LONGEST_ID, description="the id of a run that has ended")


class RunHistoryHandlers:
    def __init__(self, runs: RunHistory, host: ComfyHost) -> None:
        self._runs = runs
        self._host = host

    def routes(self) -> list[Route]:
        return [
            Route("GET", "/assistant/runs", self.search),
            body_route("POST", "/assistant/runs", RunBody, self.keep),
            Route("GET", "/assistant/runs/{made}/workflow", self.workflow),
            Route("DELETE", "/assistant/runs/{made}", self.forget),
        ]

    async def search(self, request: web.Request) -> web.Response:
        limit = whole_number(request, "limit", most=_MOST) or _LIMIT
        runs = await self._runs.search(request.query.get("query", ""), limit=limit)
        return reply({"runs": [run.as_json() for run in runs]})

    async def keep(self, _: web.Request, body: RunBody) -> web.Response:
        """Add a run, read from ComfyUI's own record and not from the caller."""
        from aiohttp import web

        record = await self._record(body.prompt_id)
        if record is not None and (run := history_entry(body.prompt_id, record)) is not None:
            await self._runs.keep(run)
        return web.Response(status=204)

    async def _record(self, prompt_id: str) -> Mapping[str, Any] | None:
        """Return ComfyUI's record of a run, which may follow a moment after the event of its end."""
        for _ in range(_LOOKS):
            if (record := await asyncio.to_thread(self._host.run_record, prompt_id)) is not None:
                return record
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
        return None

    async def workflow(self, request: web.Request) -> web.Response:
        return reply({"workflow": await self._runs.workflow(request.match_info["made"])})

    async def forget(self, request: web.Request) -> web.Response:
        from aiohttp import web

        await self._runs.forget(request.match_info["made"])
        return web.Response(status=204)
