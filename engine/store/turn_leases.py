"""Which process has a thread's turn, of all that share a store: a row with its name, good for some seconds.

The process renews it as long as the turn goes on, and others take it over once it is old: the thread of a process that
was killed is free again by itself.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .database import Database
from .rows import stored_text

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection

LEASE_SECONDS = 10.0
_FARTHEST_SECONDS = 6 * LEASE_SECONDS
"""A lease that seems good for longer is of before a clock was set back, and nobody's."""


@dataclass(frozen=True)
class Renewal:
    """`is_lost` where another process has taken the turn over. `stop` is the answer that a person at another process
    wants stopped, "" for whichever is written; None where nobody does.
    """

    is_lost: bool = False
    stop: str | None = None


class TurnLeases:
    """Those of this process. Any thread may be asked for, one that does not exist included."""

    def __init__(self, database: Database, *, seconds: float | None = None) -> None:
        self.seconds = LEASE_SECONDS if seconds is None else seconds
        self._database = database
        self._owner = secrets.token_hex(8)

    async def take(self, thread_id: str) -> float | None:
        """None where this process has the turn now, else until when another one has it: a number that grows with each
        renewal, and says nothing else.

        Raises:
            StoreError: the lease cannot be written.
        """
        return await self._database.run(self._take, _key(thread_id))

    async def renew(self, thread_id: str) -> Renewal:
        """
        Raises:
            StoreError: the lease cannot be written.
        """
        return await self._database.run_next(self._renew, _key(thread_id))

    async def give_back(self, thread_id: str) -> None:
        """
        Raises:
            StoreError: the lease cannot be removed; it ends by itself.
        """
        await self._database.run_next(self._give_back, _key(thread_id))

    async def is_elsewhere(self, thread_id: str) -> bool:
        """Whether another process has the turn."""
        return await self._database.run(self._is_elsewhere, _key(thread_id))

    async def ask_to_stop(self, thread_id: str, answer: str) -> bool:
        """Whether another process has the turn, which will be told to stop this answer when it renews its lease."""
        return await self._database.run_next(self._ask_to_stop, _key(thread_id), answer)

    def _take(self, connection: Connection, key: str) -> float | None:
        from sqlalchemy import or_

        from .schema import turn_lease

        now = _now(connection)
        lease = {"owner": self._owner, "expires_at": now + self.seconds, "stop": None}
        is_free = or_(turn_lease.c.owner == self._owner, ~_is_good(now))
        taking = _insert(connection).values(key=key, **lease)
        taking = taking.on_conflict_do_update(index_elements=["key"], set_=lease, where=is_free)
        connection.execute(taking)
        holder = connection.execute(turn_lease.select().where(turn_lease.c.key == key)).one()
        return None if holder.owner == self._owner else holder.expires_at

    def _renew(self, connection: Connection, key: str) -> Renewal:
        from .schema import turn_lease

        is_ours = (turn_lease.c.key == key, turn_lease.c.owner == self._owner)
        row = connection.execute(turn_lease.select().where(*is_ours).with_for_update()).first()
        if row is None:
            return Renewal(is_lost=True)
        renewed = {"expires_at": _now(connection) + self.seconds, "stop": None}
        connection.execute(turn_lease.update().where(*is_ours).values(renewed))
        return Renewal(stop=row.stop)

    def _give_back(self, connection: Connection, key: str) -> None:
        from .schema import turn_lease

        is_ours = (turn_lease.c.key == key, turn_lease.c.owner == self._owner)
        connection.execute(turn_lease.delete().where(*is_ours))

    def _is_elsewhere(self, connection: Connection, key: str) -> bool:
        from .schema import turn_lease

        return (
            connection.execute(turn_lease.select().where(*self._of_others(connection, key))).first()
            is not None
        )

    def _ask_to_stop(self, connection: Connection, key: str, answer: str) -> bool:
        from .schema import turn_lease

        asking = turn_lease.update().where(*self._of_others(connection, key)).values(stop=stored_text(answer))
        return connection.execute(asking).rowcount == 1

    def _of_others(self, connection: Connection, key: str) -> tuple[ColumnElement[bool], ...]:
        from .schema import turn_lease

        return turn_lease.c.key == key, turn_lease.c.owner != self._owner, _is_good(_now(connection))


def _key(thread_id: str) -> str:
    """Ids come with requests: they may be of any length and hold half a character."""
    return hashlib.sha256(thread_id.encode("utf-8", "replace")).hexdigest()


def _now(connection: Connection) -> float:
    """In seconds since the epoch: by the server's clock where machines share one, else by that of this machine."""
    from sqlalchemy import extract, func, select

    if connection.dialect.name == "sqlite":
        return time.time()
    return float(connection.execute(select(extract("epoch", func.clock_timestamp()))).scalar_one())


def _is_good(now: float) -> ColumnElement[bool]:
    from sqlalchemy import and_

    from .schema import turn_lease

    return and_(turn_lease.c.expires_at > now, turn_lease.c.expires_at <= now + _FARTHEST_SECONDS)


def _insert(connection: Connection) -> Any:
    from sqlalchemy.dialects import postgresql, sqlite

    from .schema import turn_lease

    return (sqlite if connection.dialect.name == "sqlite" else postgresql).insert(turn_lease)
