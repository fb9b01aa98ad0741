"""The thread that something belongs to, or the reply that there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import RequestError

if TYPE_CHECKING:
    from sqlalchemy import Connection


def require_thread(connection: Connection, thread_id: str, *, is_locked: bool = False) -> Any:
    """The row of a thread, locked against other processes until the transaction ends where that is asked for.

    Raises:
        RequestError: `unknown_thread` (404).
    """
    from .schema import thread

    rows = thread.select().where(thread.c.id == thread_id)
    row = connection.execute(rows.with_for_update() if is_locked else rows).first()
    if row is None:
        raise RequestError(
            "unknown_thread",
            f'There is no thread "{thread_id[:64]}"; it may have been deleted in another tab.',
            hint="Start a new chat; the text you typed is still in the composer.",
            status=404,
        )
    return row
