"""States learned of each model at its endpoint: its window, how it counts tokens, which rules it has."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..base.errors import StoreError
from .database import Database
from .rows import read_json, stored_json

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection

logger = logging.getLogger(__name__)

State = dict[str, Any]
"""A JSON object in the form of the module that learns it."""

_SECONDS = 5.0


@dataclass(frozen=True)
class Key:
    """The key of a state. `kind` is `window`, `rules`, or `counts` with the name of the counter."""

    kind: str
    base_url: str
    model: str


@dataclass(frozen=True)
class _Remembered:
    state: State | None
    until: float


class ModelStates:
    """The newest state of each key, at most 5 s old, since another process may have learned more at the same store.

    A failure to read or write is logged and not raised; what was learned here then holds as long as this object.
    Without a database all states do.
    """

    def __init__(
        self, database: Database | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._database = database
        self._clock = clock
        self._newest: dict[Key, _Remembered] = {}

    async def load(self, key: Key) -> State | None:
        """Return the state of a key, or None."""
        known = self._newest.get(key)
        if self._database is None or (known is not None and self._clock() < known.until):
            return known.state if known else None
        try:
            state = await self._database.run(_state, key)
        except StoreError as error:
            logger.warning("what was learned of a model could not be read: %s", error.message)
            return known.state if known else None
        # A state saved during the reading is newer.
        if self._newest.get(key) is known:
            self._newest[key] = _Remembered(state, self._clock() + _SECONDS)
        return self._newest[key].state

    async def save(self, key: Key, state: Mapping[str, Any]) -> None:
        """Replace the state of a key."""
        remembered = self._newest[key] = _Remembered(dict(state), float("inf"))
        if self._database is None:
            return
        try:
            await self._database.run(_replace_state, key, state)
        except StoreError as error:
            logger.warning("what was learned of a model could not be kept: %s", error.message)
            return
        if self._newest.get(key) is remembered:
            self._newest[key] = _Remembered(remembered.state, self._clock() + _SECONDS)

    async def forget(self, key: Key) -> None:
        """Delete the state of a key.

        Raises:
            StoreError: it could not be deleted, and is back with the next reading.
        """
        self._newest[key] = _Remembered(None, self._clock() + _SECONDS)
        if self._database is not None:
            await self._database.run(_forget_state, key)


def _state(connection: Connection, key: Key) -> State | None:
    from .schema import learned

    row = connection.execute(learned.select().where(*_is(key))).first()
    state = read_json(row.state, None) if row else None
    return state if isinstance(state, dict) else None


def _replace_state(connection: Connection, key: Key, state: Mapping[str, Any]) -> None:
    from .schema import learned

    _forget_state(connection, key)
    connection.execute(learned.insert().values(**vars(key), state=stored_json(dict(state))))


def _forget_state(connection: Connection, key: Key) -> None:
    from .schema import learned

    connection.execute(learned.delete().where(*_is(key)))


def _is(key: Key) -> tuple[ColumnElement[bool], ...]:
    from .schema import learned

    return learned.c.kind == key.kind, learned.c.base_url == key.base_url, learned.c.model == key.model
