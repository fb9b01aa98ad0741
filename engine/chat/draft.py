"""The draft of the step that is running, so that little of it is lost where the server ends."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import AssistantError
from .turn_log import TurnLog

logger = logging.getLogger(__name__)

_SECONDS = 1.0


class Draft:
    """Writes while the stream goes on, one write at a time: what comes during a write waits for the next."""

    def __init__(self, log: TurnLog, message_id: str) -> None:
        self._log = log
        self._message_id = message_id
        self._write_task: asyncio.Task[None] | None = None
        self._saved_at = time.monotonic()

    @property
    def _is_writing(self) -> bool:
        return self._write_task is not None and not self._write_task.done()

    @property
    def is_due(self) -> bool:
        return not self._is_writing and time.monotonic() - self._saved_at >= _SECONDS

    def save(self, parts: Sequence[Mapping[str, Any]]) -> None:
        if not self._is_writing:
            self._saved_at = time.monotonic()
            self._write_task = asyncio.create_task(self._write(parts))

    async def settle(self) -> None:
        """Wait for the write that is under way: what is written next must not be overtaken by it."""
        if self._write_task is not None:
            await self._write_task

    async def _write(self, parts: Sequence[Mapping[str, Any]]) -> None:
        try:
            await self._log.save_draft(self._message_id, parts)
        except AssistantError as error:
            logger.warning("the reply could not be saved while it streams: %s", error)
