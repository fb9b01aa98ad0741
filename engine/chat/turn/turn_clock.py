"""How long the model was asked in a turn, over all its responses."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_TURNS_KEPT = 500


class TurnClock:
    """It stands still while tools and workflows run, and while nobody goes on with the turn."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._before = 0.0
        self._began: float | None = None

    @property
    def seconds(self) -> float:
        """With those of the request that is under way."""
        return self._before + (0.0 if self._began is None else self._now() - self._began)

    @contextmanager
    def running(self) -> Iterator[None]:
        self._began = self._now()
        try:
            yield
        finally:
            self._before, self._began = self.seconds, None


class TurnClocks:
    """One for each turn, by the id of its answer. Those of the oldest turns are forgotten."""

    def __init__(self) -> None:
        self._clocks: OrderedDict[str, TurnClock] = OrderedDict()

    def of(self, message_id: str) -> TurnClock:
        clock = self._clocks.setdefault(message_id, TurnClock())
        self._clocks.move_to_end(message_id)
        if len(self._clocks) > _TURNS_KEPT:
            self._clocks.popitem(last=False)
        return clock
