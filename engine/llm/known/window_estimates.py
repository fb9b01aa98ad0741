"""Context windows of models, learned from their endpoints."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from ...store.model_states import Key, ModelStates

_DAY = 86_400
_SECONDS = 7 * _DAY
_STEP = 9 / 8
_MOST_OF_REFUSED = 15 / 16
_FULL = 0.75


@dataclass(frozen=True)
class WindowEstimate:
    """A window in tokens; `source` names its origin in words; `learned_at` is in seconds since the epoch."""

    window: int
    source: str
    learned_at: float


class WindowEstimates:
    """Windows that endpoints named in a refusal, or that were found by trying.

    The server may have got more memory since. So a window holds for a week, if it was learned after this process
    began, by this one or another at the same store; otherwise requests are planned without it. It stays in the store
    as the first size to try after another refusal.
    """

    def __init__(self, states: ModelStates | None = None, *, clock: Callable[[], float] = time.time) -> None:
        self._states = states or ModelStates()
        self._clock = clock
        self._began = clock()
        self._released: dict[Key, float] = {}
        self._learned_here: set[Key] = set()
        self._refused: dict[Key, int] = {}

    async def get(self, base_url: str, model: str) -> WindowEstimate | None:
        """Return the window that holds now, or None."""
        key = _key(base_url, model)
        window = _read(await self._states.load(key))
        if window is None or self._clock() - window.learned_at >= _SECONDS:
            return None
        since = self._released.get(key, self._began)
        return window if key in self._learned_here or window.learned_at > since else None

    async def earlier(self, base_url: str, model: str) -> int | None:
        """Return the newest window in tokens, whether it holds or not."""
        window = _read(await self._states.load(_key(base_url, model)))
        return window.window if window else None

    async def learn(
        self, base_url: str, model: str, window: int, source: str, *, refused: int | None = None
    ) -> WindowEstimate:
        """Save `window` unless a smaller one holds; return the one that holds now.

        `refused` is the size in tokens of the refused request, where the endpoint did not name its window.
        """
        key = _key(base_url, model)
        holding = await self.get(base_url, model)
        if holding is not None and holding.window <= window:
            return holding
        if refused is None:
            self._refused.pop(key, None)
        else:
            self._refused[key] = refused
        self._learned_here.add(key)
        return await self._keep(key, WindowEstimate(window, source, self._clock()))

    async def grow(self, base_url: str, model: str, *, used: int, share: float) -> None:
        """Enlarge the window after a request that succeeded with `used` tokens, reply included, and filled `share` of
        its room.

        A request larger than the window proves a larger one. The window also grows by a small step whenever a request
        fills most of it: one found by trying at once, up to a little less than the refused size; one that the
        endpoint named only after a day, as the server may have more memory by then. If not, it names its window
        again.
        """
        holding = await self.get(base_url, model)
        if holding is None:
            return
        step = holding.window * _STEP if share >= _FULL else 0.0
        refused = self._refused.get(_key(base_url, model))
        if refused is not None:
            step = min(step, refused * _MOST_OF_REFUSED)
        elif self._clock() - holding.learned_at < _DAY:
            step = 0.0
        larger = max(used, int(step))
        if larger > holding.window:
            await self._keep(_key(base_url, model), replace(holding, window=larger))

    def release(self, base_url: str, model: str) -> None:
        """Stop using the window: the conditions under which it was learned have changed."""
        key = _key(base_url, model)
        self._released[key] = self._clock()
        self._learned_here.discard(key)
        self._refused.pop(key, None)

    async def forget(self, base_url: str, model: str) -> None:
        """Delete the window.

        Raises:
            StoreError: it was not deleted and is tried first after another refusal.
        """
        self.release(base_url, model)
        await self._states.forget(_key(base_url, model))

    async def _keep(self, key: Key, window: WindowEstimate) -> WindowEstimate:
        await self._states.save(key, asdict(window))
        return window


def _key(base_url: str, model: str) -> Key:
    return Key("window", base_url, model)


def _read(state: Mapping[str, Any] | None) -> WindowEstimate | None:
    match state:
        case {"window": int(window), "source": str(source), "learned_at": int() | float() as learned_at}:
            return WindowEstimate(window, source, learned_at)
    return None
