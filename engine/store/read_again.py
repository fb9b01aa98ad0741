"""What a store holds by keys, remembered for a moment: another process may write there as well."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from ..errors import StoreError

K = TypeVar("K")
V = TypeVar("V")

SECONDS = 5.0
_EVER = float("inf")


class ReadAgain(Generic[K, V]):
    """The newest of each key, at most 5 s old. What could not be written holds as long as this object."""

    def __init__(
        self, read: Callable[[K], Awaitable[V | None]], *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._read = read
        self._clock = clock
        self._known: dict[K, tuple[V | None, float]] = {}

    async def get(self, key: K) -> V | None:
        """
        Raises:
            StoreError: it cannot be read, and never could.
        """
        known = self._known.get(key)
        if known is not None and self._clock() < known[1]:
            return known[0]
        try:
            value = await self._read(key)
        except StoreError:
            if known is None:
                raise
            value = known[0]
        # What was written while this was read is newer.
        if self._known.get(key) is known:
            self._known[key] = (value, self._clock() + SECONDS)
        return self._known[key][0]

    async def write(self, key: K, value: V | None, writing: Awaitable[object]) -> None:
        """Hold `value` from now on, whether `writing` it succeeds or not.

        Raises:
            StoreError: it cannot be written.
        """
        held = self._known[key] = (value, _EVER)
        await writing
        if self._known.get(key) is held:
            self._known[key] = (value, self._clock() + SECONDS)
