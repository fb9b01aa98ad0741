"""The open workflow as the page posted it with a request: read once, and not on ComfyUI's event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from ...base.messages import UIMessage, last_user_index
from ...comfy.snapshot import Environment
from ...context.rendering import WORKFLOW
from ...context.tokens import count_text
from ...small_windows.listing import listed_names, write_listing
from ...small_windows.open_workflow import Workflow, read_workflow
from ...tools.tool import EnvironmentSource

LISTING_SHARE = 0.2
"""Of the window, for the open workflow as a list."""
NAMES = "workflowNames"
"""The metadata key under which a user message keeps what that list calls nodes and values."""


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

    async def told(self, window: int) -> dict[str, Any]:
        """As a list of nodes and values, for a window of so many tokens, and its names: metadata of the message that
        brings it along. Empty where the page did not tell it.
        """
        if self._posted is None or "graph" not in self._posted:
            return {}
        workflow, _ = await self.read()
        return {} if workflow is None else await asyncio.to_thread(_told, workflow, window)

    async def _read_now(self) -> tuple[Workflow | None, Environment]:
        environment = await self._source.snapshot()
        return await asyncio.to_thread(read_workflow, self._posted, environment.nodes), environment


def _told(workflow: Workflow, window: int) -> dict[str, Any]:
    listing = write_listing(workflow, room=int(window * LISTING_SHARE), count=count_text)
    return {WORKFLOW: listing, NAMES: listed_names(listing, workflow)}


def names_shown(conversation: Sequence[UIMessage]) -> Mapping[str, str] | None:
    """What the newest message of the person calls nodes and values; None where it brought no list."""
    index = last_user_index(conversation)
    return conversation[index].get("metadata", {}).get(NAMES) if index >= 0 else None
