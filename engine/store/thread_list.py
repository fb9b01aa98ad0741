"""The table of threads: create, list, change, delete."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..base.caller import DEFAULT_USER, current_user
from .rows import is_of_current_user, require_thread

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True)
class ThreadSummary:
    """An entry of the list of threads. Times are in seconds since the epoch; at `expires_at` the idle thread is
    removed.
    """

    id: str
    title: str | None
    created_at: float
    updated_at: float
    message_count: int
    is_pinned: bool = False
    expires_at: float | None = None
    workflow: str | None = None
    """The file that was open with the newest message, by its name in ComfyUI; None if none was saved."""

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "title": self.title,
            "createdAt": self.created_at,
            "updatedAt": self.updated_at,
            "messageCount": self.message_count,
            "pinned": self.is_pinned,
            "expiresAt": self.expires_at,
            "workflow": self.workflow,
        }


def create_thread(connection: Connection) -> ThreadSummary:
    """Create a thread of the current user."""
    from .schema import thread

    now, owner = time.time(), current_user() or DEFAULT_USER
    summary = ThreadSummary(f"thread_{secrets.token_hex(12)}", None, now, now, 0)
    connection.execute(thread.insert().values(id=summary.id, created_at=now, updated_at=now, owner=owner))
    return summary


def list_threads(connection: Connection) -> list[ThreadSummary]:
    """Return the threads of the current user, last used first."""
    from sqlalchemy import func, select

    from .schema import message, thread

    counts = select(message.c.thread_id, func.count().label("count")).group_by(message.c.thread_id).subquery()
    rows = connection.execute(
        select(
            thread.c.id,
            thread.c.title,
            thread.c.created_at,
            thread.c.updated_at,
            func.coalesce(counts.c.count, 0),
            thread.c.pinned,
            thread.c.expires_at,
            thread.c.workflow,
        )
        .outerjoin(counts, counts.c.thread_id == thread.c.id)
        .where(is_of_current_user())
        .order_by(thread.c.updated_at.desc())
    )
    return [ThreadSummary(*row) for row in rows]


def change_thread(connection: Connection, thread_id: str, **values: Any) -> None:
    """Change columns of a thread.

    Raises:
        RequestError: `unknown_thread`.
    """
    from .schema import thread

    require_thread(connection, thread_id)
    connection.execute(thread.update().where(thread.c.id == thread_id).values(values))


def rename_workflow(connection: Connection, old: str, new: str) -> list[str]:
    """Move the current user's threads from a workflow's old file to its new one, and return their ids."""
    from sqlalchemy import select

    from .schema import thread

    is_about = is_of_current_user() & (thread.c.workflow == old)
    ids = [row.id for row in connection.execute(select(thread.c.id).where(is_about))]
    connection.execute(thread.update().where(thread.c.id.in_(ids)).values(workflow=new))
    return ids


def delete_thread(connection: Connection, thread_id: str) -> None:
    """Delete a thread with all that belongs to it.

    Raises:
        RequestError: `unknown_thread`.
    """
    from .message_rows import delete_from_index
    from .schema import thread

    require_thread(connection, thread_id)
    delete_from_index(connection, thread_id)
    connection.execute(thread.delete().where(thread.c.id == thread_id))
