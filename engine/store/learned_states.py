"""What was learned of each model: how far token counts are off, and how its endpoint wants requests."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from .database import Database
from .read_again import ReadAgain
from .rows import read_json, stored_json

if TYPE_CHECKING:
    from sqlalchemy import Connection

TableName = Literal["calibration", "endpoint_rules"]


class LearnedStates:
    """One state for each model, in the form of whoever learns it. Each turn asks, so it is remembered for a moment."""

    def __init__(
        self, database: Database, table: TableName, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._database = database
        self._table: TableName = table
        self._states: ReadAgain[str, dict[str, Any]] = ReadAgain(self._read, clock=clock)

    async def load(self, model_key: str) -> dict[str, Any] | None:
        return await self._states.get(model_key)

    async def save(self, model_key: str, state: Mapping[str, Any]) -> None:
        writing = self._database.run(_replace_state, self._table, model_key, state)
        await self._states.write(model_key, dict(state), writing)

    async def forget(self, model_key: str) -> None:
        await self._states.write(model_key, None, self._database.run(_forget_state, self._table, model_key))

    async def _read(self, model_key: str) -> dict[str, Any] | None:
        return await self._database.run(_state, self._table, model_key)


def _state(connection: Connection, table_name: TableName, model_key: str) -> dict[str, Any] | None:
    from .schema import metadata

    table = metadata.tables[table_name]
    row = connection.execute(table.select().where(table.c.model_key == model_key)).first()
    return read_json(row.state, None) if row else None


def _replace_state(
    connection: Connection, table_name: TableName, model_key: str, state: Mapping[str, Any]
) -> None:
    from .schema import metadata

    _forget_state(connection, table_name, model_key)
    connection.execute(
        metadata.tables[table_name]
        .insert()
        .values(model_key=model_key, state=stored_json(dict(state)), updated_at=time.time())
    )


def _forget_state(connection: Connection, table_name: TableName, model_key: str) -> None:
    from .schema import metadata

    table = metadata.tables[table_name]
    connection.execute(table.delete().where(table.c.model_key == model_key))
