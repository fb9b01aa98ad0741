"""Values that took a while to get, kept by key."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Cache(Generic[Key, Value]):
    """A cache whose values hold for some seconds each.

    When the total `size` exceeds `most`, the least recently used values are dropped. Threads may share a cache without
    `most`. None cannot be cached.
    """

    def __init__(
        self,
        *,
        most: float = math.inf,
        size: Callable[[Value], int] = lambda _: 1,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most, self._size, self._clock = most, size, clock
        self._entries: OrderedDict[Key, tuple[Value, float]] = OrderedDict()
        self._total = 0

    def get(self, key: Key, *, holds: Callable[[Value], bool] = lambda _: False) -> Value | None:
        """The value whose seconds are not over, or of which `holds` says that it is as new."""
        entry = self._entries.get(key)
        if entry is None or not (self._clock() < entry[1] or holds(entry[0])):
            return None
        if self._most < math.inf:
            self._entries.move_to_end(key)
        return entry[0]

    def keep(self, key: Key, value: Value, *, seconds: float = math.inf) -> None:
        before = self._entries.pop(key, None)
        self._entries[key] = (value, self._clock() + seconds)
        self._total += self._size(value) - (self._size(before[0]) if before else 0)
        while self._total > self._most and len(self._entries) > 1:
            self._total -= self._size(self._entries.popitem(last=False)[1][0])

    async def ask(
        self, key: Key, ask: Callable[[Key], Awaitable[Value]], *, seconds: Callable[[Key, Value], float]
    ) -> Value:
        """The value that holds, else the answer of `ask`, which is kept for the `seconds` that it is worth."""
        if (value := self.get(key)) is None:
            value = await ask(key)
            self.keep(key, value, seconds=seconds(key, value))
        return value

    def clear(self) -> None:
        self._entries.clear()
        self._total = 0
