"""How far our token counts are off, as was learned of each model."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .database import Database
from .rows import read_json, stored_json

if TYPE_CHECKING:
    from sqlalchemy import Connection


class Calibrations:
    """One state for each model, in the form of whoever learns it. What was read once is remembered: each turn asks."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._states: dict[str, dict[str, Any] | None] = {}

    async def load(self, model_key: str) -> dict[str, Any] | None:
        if model_key not in self._states:
            self._states[model_key] = await self._database.run(_state, model_key)
        return self._states[model_key]

    async def save(self, model_key: str, state: Mapping[str, Any]) -> None:
        await self._database.run(_replace_state, model_key, state)
        self._states[model_key] = dict(state)


def _state(connection: Connection, model_key: str) -> dict[str, Any] | None:
    from .schema import calibration

    row = connection.execute(calibration.select().where(calibration.c.model_key == model_key)).first()
    return read_json(row.state, None) if row else None


def _replace_state(connection: Connection, model_key: str, state: Mapping[str, Any]) -> None:
    from .schema import calibration

    connection.execute(calibration.delete().where(calibration.c.model_key == model_key))
    connection.execute(
        calibration.insert().values(
            model_key=model_key, state=stored_json(dict(state)), updated_at=time.time()
        )
    )
