"""The open workflow as the page posted it with a request: read once, and not on ComfyUI's event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from ...context.tokens import count_text
from ...environment.snapshot import Environment
from ...small_windows.listing import write_listing
from ...small_windows.open_workflow import Workflow, read_workflow
from ...tools.tool import EnvironmentSource

LISTING_SHARE = 0.2
"""Of the window, for the open workflow as a list."""


class OpenGraph:
    def __init__(self, posted: Mapping[str, Any] | None, environment: EnvironmentSource) -> None:
        self._posted = posted
        self._source = environment
        self._read: asyncio.Task[tuple[Workflow | None, Environment]] | None = None

    async def read(self) -> tuple[Workflow | None, Environment]:
        """None where the page did not tell it."""
        if self._read is None:
            self._read = asyncio.create_task(self._read_now())
        return await asyncio.shield(self._read)

    async def listing(self, window: int) -> str:
        """As a list of nodes and values, for a window of so many tokens; "" where the page did not tell it."""
        if self._posted is None or "graph" not in self._posted:
            return ""
        workflow, _ = await self.read()
        if workflow is None:
            return ""
        room = int(window * LISTING_SHARE)
        return await asyncio.to_thread(write_listing, workflow, room=room, count=count_text)

    async def _read_now(self) -> tuple[Workflow | None, Environment]:
        environment = await self._source.snapshot()
        return await asyncio.to_thread(read_workflow, self._posted, environment.nodes), environment
