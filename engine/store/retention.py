"""Removal of idle threads: announced, exported to a file, then deleted."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ..base.files.writing import write_whole_file
from .database import Database
from .rows import is_of_current_user, owners
from .thread_export import export_thread
from .thread_list import delete_thread

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection

logger = logging.getLogger(__name__)

NOTICE_DAYS = 7
"""The days between the announcement and the removal of a thread."""
_DAY = 86_400.0


class Retention:
    """Removes threads of the current user that have been idle for some days. Pinned threads stay; with 0 days all do.

    The day of removal is set 7 days before a thread falls due, or when the thread is first found due. Either way the
    list shows it for 7 days. Using or pinning the thread clears it.
    """

    def __init__(self, database: Database, exports: Path, *, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._exports = exports
        self._clock = clock

    async def owners(self) -> list[str]:
        """Return the users that have threads; within a request, only its own user."""
        return await self._database.run(owners)

    async def announce(self, days: int) -> None:
        """Set the day of removal of threads that will be idle for `days` days within the next 7."""
        await self._database.run(self._announce, days, notice_days=NOTICE_DAYS)

    async def apply(self, days: int) -> list[str]:
        """Delete the threads whose day has come, and return their ids. A thread that cannot be exported stays."""
        thread_ids = await self._database.run(self._remove_due, days)
        if thread_ids:
            await self._database.drop_traces()
            logger.info(
                "%d threads had been idle for over %d days; they are kept as files in %s",
                len(thread_ids),
                days,
                self._exports,
            )
        return thread_ids

    def _remove_due(self, connection: Connection, days: int) -> list[str]:
        from .schema import thread

        self._announce(connection, days, notice_days=0)
        if days <= 0:
            return []
        now = self._clock()
        due = connection.execute(thread.select().where(thread.c.expires_at <= now, *_idle_since(now, days)))
        return [row.id for row in due.all() if self._remove(connection, row)]

    def _announce(self, connection: Connection, days: int, *, notice_days: int) -> None:
        from sqlalchemy import case, or_

        from .schema import thread

        now = self._clock()
        soon = now + NOTICE_DAYS * _DAY
        due = thread.c.updated_at + days * _DAY
        if days <= 0:
            connection.execute(
                thread.update()
                .where(thread.c.expires_at.is_not(None), is_of_current_user())
                .values(expires_at=None)
            )
            return
        connection.execute(
            thread.update()
            .where(thread.c.expires_at.is_not(None), or_(thread.c.pinned, due > soon), is_of_current_user())
            .values(expires_at=None)
        )
        connection.execute(
            thread.update()
            .where(thread.c.expires_at.is_(None), *_idle_since(now + notice_days * _DAY, days))
            .values(expires_at=case((due > soon, due), else_=soon))
        )

    def _remove(self, connection: Connection, thread: Any) -> bool:
        path = self._exports / f"{quote(thread.id, safe='')}.json"
        try:
            write_whole_file(path, export_thread(connection, thread.id))
        except OSError as error:
            logger.warning(
                "%s is idle but stays, because it could not be written to %s: %s", thread.id, path, error
            )
            return False
        delete_thread(connection, thread.id)
        return True


def _idle_since(now: float, days: int) -> list[ColumnElement[bool]]:
    from sqlalchemy import not_

    from .schema import thread

    return [not_(thread.c.pinned), thread.c.updated_at + days * _DAY <= now, is_of_current_user()]
