"""Background work: never awaited by a request, cancelled with the server, and logged where it fails."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Coroutine
from typing import Any

logger = logging.getLogger(__name__)


class BackgroundWork:
    def __init__(self) -> None:
        self.tasks: set[asyncio.Task[None]] = set()

    def begin(self, name: str, work: Coroutine[Any, Any, Any]) -> None:
        """Start `work`; a failure is one line in the log."""
        task = asyncio.create_task(_quietly(name, work), name=name)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def cancel(self) -> None:
        for task in self.tasks:
            task.cancel()


async def _quietly(name: str, work: Coroutine[Any, Any, Any]) -> None:
    with contextlib.suppress(asyncio.CancelledError):
        try:
            await work
        except Exception as error:
            logger.info("%s was left out: %s", name, error)
