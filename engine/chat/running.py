"""Which threads have a turn running: one each, and no more."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from typing import Any
from weakref import WeakValueDictionary

from ..errors import RequestError
from ..event_loop.within import within
from ..store.processes.thread_locks import ThreadLocks, is_held_elsewhere

_PATIENCE_SECONDS = 3.0
_LOOK_SECONDS = 0.1


class RunningTurns:
    """A stopped turn needs a moment to write down what it had, so the next one waits for it a little."""

    def __init__(
        self, shared_locks: ThreadLocks | None = None, *, patience_seconds: float = _PATIENCE_SECONDS
    ) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._shared_locks = shared_locks
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
            async with self._shared(thread_id):
                yield
        finally:
            # Whoever was stopped while waiting may have got it in that moment.
            if not holding.cancelled():
                lock.release()

    async def is_elsewhere(self, thread_id: str) -> bool:
        """Whether another process that shares the store holds the thread: it writes an answer."""
        own = self._locks.get(thread_id)
        if self._shared_locks is None or (own is not None and own.locked()):
            return False
        return await is_held_elsewhere(self._shared_locks, thread_id)

    async def _wait_for(self, holding: asyncio.Future[Any]) -> None:
        try:
            await within(self._patience_seconds, holding)
        except asyncio.TimeoutError:
            raise _turn_running() from None

    @contextlib.asynccontextmanager
    async def _shared(self, thread_id: str) -> AsyncIterator[None]:
        """The thread held among all processes that share its store."""
        if self._shared_locks is None:
            yield
            return
        end = time.monotonic() + self._patience_seconds
        taking = asyncio.ensure_future(self._shared_locks.take(thread_id))
        try:
            while not await asyncio.shield(taking):
                if time.monotonic() > end:
                    raise _turn_running()
                await asyncio.sleep(_LOOK_SECONDS)
                taking = asyncio.ensure_future(self._shared_locks.take(thread_id))
            yield
        finally:
            await asyncio.shield(self._leave(thread_id, taking))

    async def _leave(self, thread_id: str, taking: asyncio.Future[bool]) -> None:
        """Also where a Stop came in the moment of taking."""
        if self._shared_locks is not None and await taking:
            await self._shared_locks.give_back(thread_id)


def _turn_running() -> RequestError:
    return RequestError(
        "turn_running",
        "The assistant is still answering in this chat, maybe in another tab or another ComfyUI.",
        hint="Wait for the answer or stop it there; your text is still in the composer.",
        status=409,
    )
