"""The open workflow as the page posted it with a request: read once, and not on ComfyUI's event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...comfy.snapshot import Environment
from ...context.message_metadata import MessageMetadata
from ...context.tokens import count_text
from ...small_windows.listing import listed_names, write_listing
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

    async def listed_in(self, metadata: MessageMetadata, window: int) -> MessageMetadata:
        """Return the metadata of a message with a list of nodes and values that the message brings along, made for a
        window of so many tokens; as it is where the page did not tell the workflow.
        """
        if self._posted is None or "graph" not in self._posted:
            return metadata
        workflow, _ = await self.read()
        if workflow is None:
            return metadata
        listing, names = await asyncio.to_thread(_listing, workflow, window)
        return replace(metadata, workflow=listing, workflow_names=names)

    async def _read_now(self) -> tuple[Workflow | None, Environment]:
        environment = await self._source.snapshot()
        return await asyncio.to_thread(read_workflow, self._posted, environment.nodes), environment


def _listing(workflow: Workflow, window: int) -> tuple[str, Mapping[str, str]]:
    listing = write_listing(workflow, room=int(window * LISTING_SHARE), count=count_text)
    return listing, listed_names(listing, workflow)
