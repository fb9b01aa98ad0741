"""What was learned of models: how far our token counts are off, and how large their windows really are."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .database import Database
from .stored_text import read_json, stored_json

if TYPE_CHECKING:
    from sqlalchemy import Connection


class Calibrations:
    """One state for each model, in the form of whoever learns it. What was read once is remembered: each turn asks."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[str, dict[str, Any] | None] = {}

    async def load(self, model_key: str) -> dict[str, Any] | None:
        def work(connection: Connection) -> dict[str, Any] | None:
            from .schema import calibration

            row = connection.execute(calibration.select().where(calibration.c.model_key == model_key)).first()
            return read_json(row.state, None) if row else None

        if model_key not in self._known:
            self._known[model_key] = await self._database.run(work)
        return self._known[model_key]

    async def save(self, model_key: str, state: Mapping[str, Any]) -> None:
        def work(connection: Connection) -> None:
            from .schema import calibration

            connection.execute(calibration.delete().where(calibration.c.model_key == model_key))
            connection.execute(
                calibration.insert().values(
                    model_key=model_key, state=stored_json(dict(state)), updated_at=time.time()
                )
            )

        await self._database.run(work)
        self._known[model_key] = dict(state)


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
        self._known: dict[tuple[str, str], LearnedWindow | None] = {}

    async def get(self, base_url: str, model: str) -> LearnedWindow | None:
        key = (base_url, model)
        if key not in self._known:
            self._known[key] = await self._database.run(lambda connection: _window(connection, *key))
        return self._known[key]

    async def learn(self, base_url: str, model: str, window: int, source: str) -> LearnedWindow:
        """Keep `window` unless a smaller one is known; the one that holds now."""

        def work(connection: Connection) -> LearnedWindow:
            from .schema import learned_window

            known = _window(connection, base_url, model)
            if known is not None and known.window <= window:
                return known
            learned = LearnedWindow(window, source, time.time())
            _forget_window(connection, base_url, model)
            connection.execute(
                learned_window.insert().values(base_url=base_url, model=model, **vars(learned))
            )
            return learned

        known = self._known[base_url, model] = await self._database.run(work)
        return known

    async def forget(self, base_url: str, model: str) -> None:
        await self._database.run(lambda connection: _forget_window(connection, base_url, model))
        self._known[base_url, model] = None


def _window(connection: Connection, base_url: str, model: str) -> LearnedWindow | None:
    from .schema import learned_window as table

    row = connection.execute(
        table.select().where(table.c.base_url == base_url, table.c.model == model)
    ).first()
    return LearnedWindow(row.window, row.source, row.learned_at) if row else None


def _forget_window(connection: Connection, base_url: str, model: str) -> None:
    from .schema import learned_window as table

    connection.execute(table.delete().where(table.c.base_url == base_url, table.c.model == model))
