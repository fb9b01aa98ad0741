"""Timeouts for awaitables and for the items of an async iterator."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from typing import Generic, TypeVar

Result = TypeVar("Result")
_MOST_AHEAD = 16


async def timeout(seconds: float, work: Awaitable[Result]) -> Result:
    """Return the result of `work`, which has ended in any case when this returns.

    `asyncio.wait_for` before Python 3.12 loses a cancellation that arrives together with the result: a Stop would be
    lost.

    Raises:
        asyncio.TimeoutError: `work` took longer than `seconds`.
    """
    task = asyncio.ensure_future(work)
    try:
        done, _ = await asyncio.wait({task}, timeout=seconds)
    except asyncio.CancelledError:
        await _cancel(task)
        raise
    if not done:
        await _cancel(task)
        raise asyncio.TimeoutError
    return task.result()


async def _cancel(task: asyncio.Future[Result]) -> None:
    task.cancel()
    await asyncio.wait({task})


async def each_with_timeout(
    items: AsyncIterator[Result], *, first: float, then: Callable[[Result], float]
) -> AsyncGenerator[Result, None]:
    """Yield each of `items`: the first within `first` seconds, each other within `then(previous item)` seconds.

    One task reads a few items ahead and one timer checks now and then, since a task and a timer for each token would
    cost too much. The task has ended in any case when this generator is closed.

    Raises:
        asyncio.TimeoutError: an item took longer.
    """
    reading = _Reading(items)
    task = asyncio.create_task(reading.read())
    watch = _Watch()
    limit = first
    try:
        while True:
            while reading.ready:
                item = reading.take()
                limit = then(item)
                yield item
            if reading.is_over:
                break
            await watch.wait(reading.next_item(), limit)
        if reading.failure is not None:
            raise reading.failure
    finally:
        watch.end()
        await _cancel(task)


class _Reading(Generic[Result]):
    def __init__(self, items: AsyncIterator[Result]) -> None:
        self.ready: deque[Result] = deque()
        self.is_over = False
        self.failure: Exception | None = None
        self._items = items
        self._news: asyncio.Future[None] | None = None
        self._room: asyncio.Future[None] | None = None

    async def read(self) -> None:
        try:
            async for item in self._items:
                self.ready.append(item)
                _tell(self._news)
                if len(self.ready) >= _MOST_AHEAD:
                    self._room = asyncio.get_running_loop().create_future()
                    await self._room
        except Exception as error:
            self.failure = error
        finally:
            self.is_over = True
            _tell(self._news)

    def take(self) -> Result:
        item = self.ready.popleft()
        if not self.ready:
            _tell(self._room)
        return item

    def next_item(self) -> asyncio.Future[None]:
        self._news = asyncio.get_running_loop().create_future()
        return self._news


class _Watch:
    """A timer that fails a future when it takes too long, and is set anew only when it has run out."""

    def __init__(self) -> None:
        self._due = 0.0
        self._awaited: asyncio.Future[None] | None = None
        self._timer: asyncio.TimerHandle | None = None

    async def wait(self, awaited: asyncio.Future[None], seconds: float) -> None:
        loop = asyncio.get_running_loop()
        self._awaited, self._due = awaited, loop.time() + seconds
        if self._timer is None or self._timer.when() > self._due:
            self.end()
            self._timer = loop.call_at(self._due, self._look)
        await awaited

    def end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        self._timer = None
        if self._awaited is None or self._awaited.done():
            return
        loop = self._awaited.get_loop()
        if loop.time() >= self._due:
            self._awaited.set_exception(asyncio.TimeoutError())
        else:
            self._timer = loop.call_at(self._due, self._look)


def _tell(waiting: asyncio.Future[None] | None) -> None:
    if waiting is not None and not waiting.done():
        waiting.set_result(None)
