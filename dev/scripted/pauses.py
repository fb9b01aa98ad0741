"""The pauses between the deltas of streams, which can be ended for all of them at once."""

from __future__ import annotations

import asyncio


class Pauses:
    def __init__(self) -> None:
        self._waiting: set[asyncio.Future[None]] = set()
        self._are_over = False

    async def wait(self, seconds: float) -> None:
        """As long as that, or until `end`."""
        if self._are_over or seconds <= 0:
            return
        loop = asyncio.get_running_loop()
        waiting = loop.create_future()
        self._waiting.add(waiting)
        timer = loop.call_later(seconds, _settle, waiting)
        try:
            await waiting
        finally:
            timer.cancel()
            self._waiting.discard(waiting)

    def end(self) -> None:
        """Those that are made now, and all that come."""
        self._are_over = True
        for waiting in self._waiting:
            _settle(waiting)


def _settle(waiting: asyncio.Future[None]) -> None:
    if not waiting.done():
        waiting.set_result(None)
