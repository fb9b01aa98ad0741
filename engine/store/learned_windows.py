"""How large the windows of models really are, as was learned from their endpoints."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .database import Database

if TYPE_CHECKING:
    from sqlalchemy import Connection

_SECONDS = 7 * 86_400
_STEP = 9 / 8
_MOST_OF_REFUSED = 15 / 16
_FULL = 0.75

Key = tuple[str, str]
"""A base URL and a model."""


@dataclass(frozen=True)
class LearnedWindow:
    """`window` in tokens; `source` says what taught it, in words; `learned_at` in seconds since the epoch."""

    window: int
    source: str
    learned_at: float


class LearnedWindows:
    """Windows that endpoints have named when a request was too long for them, or that were found by trying.

    A server may have been given more room since. So a window holds for a week and as long as this process lives; then
    a request is planned without it. It stays on the disk as the size to try first where that is refused again.
    """

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock
        self._holding: dict[Key, LearnedWindow] = {}
        self._refused: dict[Key, int] = {}

    def get(self, base_url: str, model: str) -> LearnedWindow | None:
        """The one that holds now."""
        window = self._holding.get((base_url, model))
        return window if window and self._clock() - window.learned_at < _SECONDS else None

    async def earlier(self, base_url: str, model: str) -> int | None:
        """The newest that was learned, whether it holds or not."""
        row = await self._database.run(_window, base_url, model)
        return row.window if row else None

    async def learn(
        self, base_url: str, model: str, window: int, source: str, *, refused: int | None = None
    ) -> LearnedWindow:
        """Keep `window` unless a smaller one holds; the one that holds now.

        `refused` is the size of a request that was too long, where the window itself was not named.
        """
        holding = self.get(base_url, model)
        if holding is not None and holding.window <= window:
            return holding
        if refused is not None:
            self._refused[base_url, model] = refused
        return await self._keep((base_url, model), LearnedWindow(window, source, self._clock()))

    async def grow(self, base_url: str, model: str, *, used: int, share: float) -> None:
        """A request succeeded that took `used` tokens with its reply, and so large a share of its room.

        What took more than the window proves a larger one. One that was found by trying also grows by a small step,
        up to a little less than what was refused, whenever a request fills most of it.
        """
        holding = self.get(base_url, model)
        if holding is None:
            return
        refused = self._refused.get((base_url, model))
        step = (
            0.0
            if refused is None or share < _FULL
            else min(holding.window * _STEP, refused * _MOST_OF_REFUSED)
        )
        larger = max(used, int(step))
        if larger > holding.window:
            await self._keep((base_url, model), replace(holding, window=larger))

    def release(self) -> None:
        """Let none hold any longer: what they were learned with has changed."""
        self._holding.clear()
        self._refused.clear()

    async def forget(self, base_url: str, model: str) -> None:
        self._holding.pop((base_url, model), None)
        self._refused.pop((base_url, model), None)
        await self._database.run(_forget_window, base_url, model)

    async def _keep(self, key: Key, window: LearnedWindow) -> LearnedWindow:
        self._holding[key] = window
        await self._database.run(_replace_window, *key, window)
        return window


def _window(connection: Connection, base_url: str, model: str) -> LearnedWindow | None:
    from .schema import learned_window as table

    row = connection.execute(
        table.select().where(table.c.base_url == base_url, table.c.model == model)
    ).first()
    return LearnedWindow(row.window, row.source, row.learned_at) if row else None


def _replace_window(connection: Connection, base_url: str, model: str, window: LearnedWindow) -> None:
    from .schema import learned_window

    _forget_window(connection, base_url, model)
    connection.execute(learned_window.insert().values(base_url=base_url, model=model, **vars(window)))


def _forget_window(connection: Connection, base_url: str, model: str) -> None:
    from .schema import learned_window as table

    connection.execute(table.delete().where(table.c.base_url == base_url, table.c.model == model))
