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
    """One state for each model, in the form of whoever learns it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def load(self, model_key: str) -> dict[str, Any] | None:
        def work(connection: Connection) -> dict[str, Any] | None:
            from .schema import calibration

            row = connection.execute(calibration.select().where(calibration.c.model_key == model_key)).first()
            return read_json(row.state, None) if row else None

        return await self._database.run(work)

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


@dataclass(frozen=True)
class LearnedWindow:
    """`window` in tokens; `source` says what taught it, in words; `learned_at` in seconds since the epoch."""

    window: int
    source: str
    learned_at: float


class LearnedWindows:
    """Windows that endpoints have named when a request was too long for them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, base_url: str, model: str) -> LearnedWindow | None:
        return await self._database.run(lambda connection: _window(connection, base_url, model))

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

        return await self._database.run(work)

    async def forget(self, base_url: str, model: str) -> None:
        await self._database.run(lambda connection: _forget_window(connection, base_url, model))


def _window(connection: Connection, base_url: str, model: str) -> LearnedWindow | None:
    from .schema import learned_window as table

    row = connection.execute(
        table.select().where(table.c.base_url == base_url, table.c.model == model)
    ).first()
    return LearnedWindow(row.window, row.source, row.learned_at) if row else None


def _forget_window(connection: Connection, base_url: str, model: str) -> None:
    from .schema import learned_window as table

    connection.execute(table.delete().where(table.c.base_url == base_url, table.c.model == model))
