"""Small pieces of work spread over the iterations of the event loop, so that other work gets its turn."""

from __future__ import annotations

import asyncio
from collections import deque
from weakref import WeakKeyDictionary

_PER_TURN = 6


class FairYield:
    """Lets `per_turn` waiters through in one iteration of the loop; later ones wait for the next iterations, in order.

    A hundred of two hundred streams may have news at once, and the loop would handle all of them before anything
    else.
    """

    def __init__(self, *, per_turn: int = _PER_TURN) -> None:
        self._per_turn = per_turn
        self._left = per_turn
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._is_renewing = False

    async def wait(self) -> None:
        loop = asyncio.get_running_loop()
        if not self._is_renewing:
            self._is_renewing = True
            loop.call_soon(self._renew, loop)
        if self._left and not self._waiting:
            self._left -= 1
            return
        turn: asyncio.Future[None] = loop.create_future()
        self._waiting.append(turn)
        await turn

    def _renew(self, loop: asyncio.AbstractEventLoop) -> None:
        self._left = self._per_turn
        while self._waiting and self._left:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                self._left -= 1
        self._is_renewing = bool(self._waiting)
        if self._is_renewing:
            loop.call_soon(self._renew, loop)


_OF_LOOPS: WeakKeyDictionary[asyncio.AbstractEventLoop, FairYield] = WeakKeyDictionary()


def fair_yield() -> FairYield:
    """Return the FairYield of the running loop."""
    return _OF_LOOPS.setdefault(asyncio.get_running_loop(), FairYield())
