"""Which threads have a turn running: one each, and no more."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any
from weakref import WeakValueDictionary

from ..errors import RequestError
from ..within import within

_PATIENCE_SECONDS = 3.0


class RunningTurns:
    """A stopped turn needs a moment to write down what it had, so the next one waits for it a little."""

    def __init__(self, *, patience_seconds: float = _PATIENCE_SECONDS) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._patience_seconds = patience_seconds

    @contextlib.asynccontextmanager
    async def only_one(self, thread_id: str) -> AsyncIterator[None]:
        """Hold the thread while the body runs.

        Raises:
            RequestError: `turn_running` (409).
        """
        lock = self._locks.setdefault(thread_id, asyncio.Lock())
        holding = asyncio.ensure_future(lock.acquire())
        try:
            await self._wait_for(holding)
            yield
        finally:
            # Whoever was stopped while waiting may have got it in that moment.
            if not holding.cancelled():
                lock.release()

    async def _wait_for(self, holding: asyncio.Future[Any]) -> None:
        try:
            await within(self._patience_seconds, holding)
        except asyncio.TimeoutError:
            raise RequestError(
                "turn_running",
                "The assistant is still answering in this thread, maybe in another tab.",
                hint="Wait for the answer or stop it there; your text is still in the composer.",
                status=409,
            ) from None
