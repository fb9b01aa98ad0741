"""Leases on turns: of several processes at one store, the one with a thread's lease has its turn.

A lease is a row that its process renews while the turn goes on. Others take it over once it has expired, so the
thread of a killed process is free again by itself.
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
"""The seconds that a lease is valid."""
_FARTHEST_SECONDS = 6 * LEASE_SECONDS
"""A lease valid for longer was taken before a clock was set back, and counts as expired."""


@dataclass(frozen=True)
class Renewal:
    """The outcome of a renewal. `is_lost` says that another process has taken the turn over.

    `stop` is the id of the answer that a user at another process wants to stop, "" for any; None if nobody does.
    """

    is_lost: bool = False
    stop: str | None = None


class TurnLeases:
    """The leases of this process. Any thread id is allowed, even of a thread that does not exist."""

    def __init__(self, database: Database, *, seconds: float | None = None) -> None:
        self.seconds = LEASE_SECONDS if seconds is None else seconds
        self._database = database
        self._owner = secrets.token_hex(8)

    async def acquire(self, thread_id: str) -> float | None:
        """Take the lease of a thread, and return None if this process now has it.

        Otherwise return the time until which another process has it, a number that grows with each renewal.

        Raises:
            StoreError: the lease cannot be written.
        """
        return await self._database.run(self._acquire, _key(thread_id))

    async def renew(self, thread_id: str) -> Renewal:
        """Renew the lease of a thread.

        Raises:
            StoreError: the lease cannot be written.
        """
        return await self._database.run_next(self._renew, _key(thread_id))

    async def release(self, thread_id: str) -> None:
        """Delete the lease of a thread.

        Raises:
            StoreError: the lease cannot be removed; it ends by itself.
        """
        await self._database.run_next(self._release, _key(thread_id))

    async def is_elsewhere(self, thread_id: str) -> bool:
        """Return whether another process has the turn."""
        return await self._database.run(self._is_elsewhere, _key(thread_id))

    async def ask_to_stop(self, thread_id: str, answer: str) -> bool:
        """Ask the process that has the turn to stop this answer at its next renewal; return whether another process
        has it.
        """
        return await self._database.run_next(self._ask_to_stop, _key(thread_id), answer)

    def _acquire(self, connection: Connection, key: str) -> float | None:
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

    def _release(self, connection: Connection, key: str) -> None:
        from .schema import turn_lease

        is_ours = (turn_lease.c.key == key, turn_lease.c.owner == self._owner)
        connection.execute(turn_lease.delete().where(*is_ours))

    def _is_elsewhere(self, connection: Connection, key: str) -> bool:
        from .schema import turn_lease

        return (
            connection.execute(turn_lease.select().where(*self._foreign_lease(connection, key))).first()
            is not None
        )

    def _ask_to_stop(self, connection: Connection, key: str, answer: str) -> bool:
        from .schema import turn_lease

        asking = (
            turn_lease.update().where(*self._foreign_lease(connection, key)).values(stop=stored_text(answer))
        )
        return connection.execute(asking).rowcount == 1

    def _foreign_lease(self, connection: Connection, key: str) -> tuple[ColumnElement[bool], ...]:
        from .schema import turn_lease

        return turn_lease.c.key == key, turn_lease.c.owner != self._owner, _is_good(_now(connection))


def _key(thread_id: str) -> str:
    """Return the hash of a thread id, since ids come with requests and may have any length or lone surrogates."""
    return hashlib.sha256(thread_id.encode("utf-8", "replace")).hexdigest()


def _now(connection: Connection) -> float:
    """Return seconds since the epoch, by PostgreSQL's clock, which its clients share, or by this machine's."""
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
