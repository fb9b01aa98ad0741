"""How large the windows of models really are, as was learned from their endpoints."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .database import Database

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True)
class LearnedWindow:
    """`window` in tokens; `source` says what taught it, in words; `learned_at` in seconds since the epoch."""

    window: int
    source: str
    learned_at: float


class LearnedWindows:
    """Windows that endpoints have named when a request was too long for them. They are remembered, too."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._windows: dict[tuple[str, str], LearnedWindow | None] = {}

    async def get(self, base_url: str, model: str) -> LearnedWindow | None:
        key = (base_url, model)
        if key not in self._windows:
            self._windows[key] = await self._database.run(_window, *key)
        return self._windows[key]

    async def learn(self, base_url: str, model: str, window: int, source: str) -> LearnedWindow:
        """Keep `window` unless a smaller one is known; the one that holds now."""
        learned_window = await self._database.run(_keep_smaller, base_url, model, window, source)
        self._windows[base_url, model] = learned_window
        return learned_window

    async def forget(self, base_url: str, model: str) -> None:
        await self._database.run(_forget_window, base_url, model)
        self._windows[base_url, model] = None


def _window(connection: Connection, base_url: str, model: str) -> LearnedWindow | None:
    from .schema import learned_window as table

    row = connection.execute(
        table.select().where(table.c.base_url == base_url, table.c.model == model)
    ).first()
    return LearnedWindow(row.window, row.source, row.learned_at) if row else None


def _keep_smaller(
    connection: Connection, base_url: str, model: str, window: int, source: str
) -> LearnedWindow:
    """The window that is kept, or in place of a larger one the new one."""
    from .schema import learned_window

    previous = _window(connection, base_url, model)
    if previous is not None and previous.window <= window:
        return previous
    new_window = LearnedWindow(window, source, time.time())
    _forget_window(connection, base_url, model)
    connection.execute(learned_window.insert().values(base_url=base_url, model=model, **vars(new_window)))
    return new_window


def _forget_window(connection: Connection, base_url: str, model: str) -> None:
    from .schema import learned_window as table

    connection.execute(table.delete().where(table.c.base_url == base_url, table.c.model == model))
