"""The threads that have a turn running: at most one each, among all processes that share the store."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any
from weakref import WeakValueDictionary

from ..base.errors import AssistantError, RequestError, StoreError
from ..base.event_loop.timeout import timeout
from ..store.turn_leases import TurnLeases

logger = logging.getLogger(__name__)

_PATIENCE_SECONDS = 3.0
_LOOK_SECONDS = 0.1
_RENEWALS = 5
"""Renewals of a lease in its time, so that even a process that is busy for seconds keeps its turn."""


class TurnLocks:
    """Lets one turn run in each thread. The next one waits a little for a stopped turn, which still has to be stored.

    With `leases`, a process holds the lease on a thread while it writes a response there, and after that as long as
    `waits_for_tab` returns true: while a tab of this process has calls to make. `stop` is called with a thread and an
    answer, "" for any, if a user at another process stops it, or if another process has taken the turn.
    """

    def __init__(
        self,
        leases: TurnLeases | None = None,
        *,
        patience_seconds: float = _PATIENCE_SECONDS,
        waits_for_tab: Callable[[str], Awaitable[bool]] | None = None,
        stop: Callable[[str, str], Awaitable[object]] | None = None,
    ) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._leases = leases
        self._patience_seconds = patience_seconds
        self._waits_for_tab = waits_for_tab
        self._stop = stop
        self._held: dict[str, asyncio.Task[None]] = {}
        self._changing = asyncio.Lock()
        self._stopping: set[asyncio.Task[None]] = set()

    @contextlib.asynccontextmanager
    async def hold(self, thread_id: str) -> AsyncIterator[None]:
        """Hold the thread while the body runs.

        Raises:
            RequestError: `turn_running` (409).
            StoreError: the leases cannot be read.
        """
        lock = self._locks.setdefault(thread_id, asyncio.Lock())
        holding = asyncio.ensure_future(lock.acquire())
        try:
            await self._wait_for(holding)
            try:
                await self._acquire_patiently(thread_id)
                yield
            finally:
                await asyncio.shield(self._leave(thread_id))
        finally:
            # Whoever was stopped while waiting may have got it in that moment.
            if not holding.cancelled():
                lock.release()

    async def hold_for_tab(self, thread_id: str) -> bool:
        """Acquire the turn for a tab of this process that makes the calls; return whether this process has it now."""
        return await self._acquire(thread_id) is None

    async def is_elsewhere(self, thread_id: str) -> bool:
        """Return whether another process has the turn: it writes an answer, or one of its tabs has calls to make."""
        if self._leases is None or thread_id in self._held:
            return False
        return await self._leases.is_elsewhere(thread_id)

    async def stop_elsewhere(self, thread_id: str, answer: str) -> bool:
        """Ask another process to stop its turn, or this answer; return whether it did. It reads that when it renews."""
        if self._leases is None or not await self._leases.ask_to_stop(thread_id, answer):
            return False
        end = time.monotonic() + 2 * self._leases.seconds
        while await self._leases.is_elsewhere(thread_id):
            if time.monotonic() > end:
                return False
            await asyncio.sleep(_LOOK_SECONDS)
        return True

    async def close(self) -> None:
        async with self._changing:
            for thread_id in [*self._held]:
                await self._release(thread_id)

    async def _wait_for(self, holding: asyncio.Future[Any]) -> None:
        try:
            await timeout(self._patience_seconds, holding)
        except asyncio.TimeoutError:
            raise _turn_running() from None

    async def _acquire_patiently(self, thread_id: str) -> None:
        """Acquire the lease. A holder that does not renew it has ended, so its lease is waited out."""
        first = until = await asyncio.shield(self._acquire(thread_id))
        begun = time.monotonic()
        while until is not None:
            is_renewed = until != first
            if is_renewed and time.monotonic() - begun > self._patience_seconds:
                raise _turn_running()
            await asyncio.sleep(_LOOK_SECONDS)
            until = await asyncio.shield(self._acquire(thread_id))

    async def _acquire(self, thread_id: str) -> float | None:
        """Try to acquire the lease; return None if this process has it, else until when another one has it."""
        if self._leases is None:
            return None
        async with self._changing:
            if thread_id in self._held and await self._renew(self._leases, thread_id):
                return None
            until = await self._leases.acquire(thread_id)
            if until is None:
                self._held[thread_id] = asyncio.create_task(self._keep(self._leases, thread_id))
            return until

    async def _leave(self, thread_id: str) -> None:
        async with self._changing:
            if thread_id in self._held and not await self._is_needed(thread_id):
                await self._release(thread_id)

    async def _keep(self, leases: TurnLeases, thread_id: str) -> None:
        """Renew the lease until it is released or lost."""
        while True:
            await asyncio.sleep(leases.seconds / _RENEWALS)
            async with self._changing:
                if not self._is_answering(thread_id) and not await self._is_needed(thread_id):
                    await self._release(thread_id)
                    return
                try:
                    if not await self._renew(leases, thread_id):
                        return
                except StoreError as error:
                    logger.warning("the lease on a turn was not renewed: %s", error.message)

    async def _renew(self, leases: TurnLeases, thread_id: str) -> bool:
        """Renew the lease; return whether this process still has it.

        A turn that was taken over is stopped, and so is one that a user at another process wants stopped.
        """
        renewal = await leases.renew(thread_id)
        if renewal.is_lost:
            logger.warning("another ComfyUI has taken over a turn that this one did not renew in time")
            self._drop(thread_id)
            self._begin_to_stop(thread_id, "")
        elif renewal.stop is not None:
            self._begin_to_stop(thread_id, renewal.stop)
        return not renewal.is_lost

    def _is_answering(self, thread_id: str) -> bool:
        lock = self._locks.get(thread_id)
        return lock is not None and lock.locked()

    async def _is_needed(self, thread_id: str) -> bool:
        """Return whether a tab of this process has calls to make; False if that cannot be read."""
        if self._waits_for_tab is None:
            return False
        with contextlib.suppress(AssistantError):
            return await self._waits_for_tab(thread_id)
        return False

    async def _release(self, thread_id: str) -> None:
        self._drop(thread_id)
        assert self._leases is not None
        try:
            await self._leases.release(thread_id)
        except StoreError as error:
            logger.info("the lease on a turn ends by itself: %s", error.message)

    def _drop(self, thread_id: str) -> None:
        keeping = self._held.pop(thread_id)
        if keeping is not asyncio.current_task():
            keeping.cancel()

    def _begin_to_stop(self, thread_id: str, answer: str) -> None:
        """Stop a turn in a task of its own: the one that renews the lease ends with the turn."""

        async def stop() -> None:
            if self._stop is not None:
                await self._stop(thread_id, answer)
            if not self._is_answering(thread_id):
                await self._leave(thread_id)

        stopping = asyncio.create_task(stop())
        self._stopping.add(stopping)
        stopping.add_done_callback(self._stopping.discard)


def _turn_running() -> RequestError:
    return RequestError(
        "turn_running",
        "The assistant is still answering in this chat, maybe in another tab or another ComfyUI.",
        hint="Wait for the answer or stop it there; your text is still in the composer.",
        status=409,
    )
