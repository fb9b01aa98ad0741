"""How large the windows of models really are, as was learned from their endpoints."""

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
    """`window` in tokens; `source` says what taught it, in words; `learned_at` in seconds since the epoch."""

    window: int
    source: str
    learned_at: float


class WindowEstimates:
    """Windows that endpoints have named when a request was too long for them, or that were found by trying.

    A server may have been given more room since. So a window holds for a week, where it was learned since this process
    began, by itself or by another at the same store; else a request is planned without it. It stays on the disk as the
    size to try first where that is refused again.
    """

    def __init__(self, states: ModelStates | None = None, *, clock: Callable[[], float] = time.time) -> None:
        self._states = states or ModelStates()
        self._clock = clock
        self._began = clock()
        self._released: dict[Key, float] = {}
        self._learned_here: set[Key] = set()
        self._refused: dict[Key, int] = {}

    async def get(self, base_url: str, model: str) -> WindowEstimate | None:
        """The one that holds now."""
        key = _key(base_url, model)
        window = _read(await self._states.load(key))
        if window is None or self._clock() - window.learned_at >= _SECONDS:
            return None
        since = self._released.get(key, self._began)
        return window if key in self._learned_here or window.learned_at > since else None

    async def earlier(self, base_url: str, model: str) -> int | None:
        """The newest that was learned, whether it holds or not."""
        window = _read(await self._states.load(_key(base_url, model)))
        return window.window if window else None

    async def learn(
        self, base_url: str, model: str, window: int, source: str, *, refused: int | None = None
    ) -> WindowEstimate:
        """Keep `window` unless a smaller one holds; the one that holds now.

        `refused` is the size of a request that was too long, where the window itself was not named.
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
        """A request succeeded that took `used` tokens with its reply, and so large a share of its room.

        What took more than the window proves a larger one. It also grows by a small step whenever a request fills most
        of it: one that was found by trying at once, up to a little less than what was refused; one that was named
        after a day, as the server may have more room by then. If not, it names its window again.
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
        """Let this one hold no longer: what it was learned with has changed."""
        key = _key(base_url, model)
        self._released[key] = self._clock()
        self._learned_here.discard(key)
        self._refused.pop(key, None)

    async def forget(self, base_url: str, model: str) -> None:
        """
        Raises:
            StoreError: it is tried first where a request is refused again.
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
