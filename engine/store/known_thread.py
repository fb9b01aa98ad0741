"""The thread that something belongs to, or the reply that there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import RequestError

if TYPE_CHECKING:
    from sqlalchemy import Connection


def require_thread(connection: Connection, thread_id: str) -> Any:
    """The row of a thread.

    Raises:
        RequestError: `unknown_thread` (404).
    """
    from .schema import thread

    row = connection.execute(thread.select().where(thread.c.id == thread_id)).first()
    if row is None:
        raise RequestError(
            "unknown_thread",
            f'There is no thread "{thread_id[:64]}"; it may have been deleted in another tab.',
            hint="Start a new chat; the text you typed is still in the composer.",
            status=404,
        )
    return row
