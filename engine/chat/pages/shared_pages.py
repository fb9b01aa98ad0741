"""Which process has the page that makes the calls of a thread's turn, where several share a store."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable

from ...errors import AssistantError
from ...store.processes.thread_locks import ThreadLocks, is_held_elsewhere
from .turn_pages import TurnPages

_LOOK_SECONDS = 1.0
_PATIENCE_SECONDS = 3.0
"""Three looks of another process, which gives a thread back that is not its own any more."""
_PAUSE_SECONDS = 0.1


class SharedPages:
    """A process holds a lock for each thread in which one of its pages has calls to make. When the page is gone, or the
    process, pages of another one may take the turn. `is_going_on` tells whether a thread's turn runs, or waits for
    calls.
    """

    def __init__(
        self,
        locks: ThreadLocks,
        pages: TurnPages,
        is_going_on: Callable[[str], Awaitable[bool]],
    ) -> None:
        self._locks = locks
        self._pages = pages
        self._is_going_on = is_going_on
        self._held: dict[str, asyncio.Task[None]] = {}
        self._wanted: dict[str, asyncio.Task[None]] = {}
        self._taking = asyncio.Lock()

    async def take(self, thread_id: str) -> bool:
        """Whether a page of this process makes the calls from now on."""
        async with self._taking:
            if thread_id in self._held:
                return True
            if not await self._locks.take(_name(thread_id)):
                return False
            self._held[thread_id] = asyncio.create_task(self._hold(thread_id))
            return True

    def want(self, thread_id: str) -> None:
        """This process answers: a page of it makes the calls as soon as another one has given the thread back."""
        if thread_id not in self._wanted:
            wanted = self._wanted[thread_id] = asyncio.create_task(self._wait_for(thread_id))
            wanted.add_done_callback(lambda _: self._wanted.pop(thread_id))

    def is_busy(self) -> bool:
        """Whether a page of this process has calls to make in any thread."""
        return bool(self._held)

    async def is_elsewhere(self, thread_id: str) -> bool:
        """Whether a page of another process makes the calls."""
        if (wanted := self._wanted.get(thread_id)) is not None:
            await asyncio.wait([wanted])
        async with self._taking:
            return thread_id not in self._held and await is_held_elsewhere(self._locks, _name(thread_id))

    async def close(self) -> None:
        """The system gives the locks back."""
        held = [*self._held.values(), *self._wanted.values()]
        for task in held:
            task.cancel()
        await asyncio.gather(*held, return_exceptions=True)

    async def _wait_for(self, thread_id: str) -> None:
        end = time.monotonic() + _PATIENCE_SECONDS
        while not await self.take(thread_id):
            if time.monotonic() > end:
                return
            await asyncio.sleep(_PAUSE_SECONDS)

    async def _hold(self, thread_id: str) -> None:
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            async with self._taking:
                is_needed = False
                try:
                    is_needed = await self._is_needed(thread_id)
                finally:
                    if not is_needed:
                        del self._held[thread_id]
                        await self._locks.give_back(_name(thread_id))
                if not is_needed:
                    return

    async def _is_needed(self, thread_id: str) -> bool:
        if self._pages.is_stopped(thread_id) or self._pages.is_gone(thread_id):
            return False
        with contextlib.suppress(AssistantError):
            return await self._is_going_on(thread_id)
        return False


def _name(thread_id: str) -> str:
    """Of the lock, beside the one that is held while a response is written."""
    return f"{thread_id} page"
