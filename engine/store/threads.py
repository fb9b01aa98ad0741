"""Threads: created, listed, appended to, read back."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import RequestError
from ..messages import UIMessage
from .active_threads import MOST_BYTES, ActiveThreads
from .branches import Branch
from .database import Database
from .message_rows import add_to_messages, forget_messages
from .rows import require_thread, stored_json, stored_text
from .stored_event import Damage
from .stored_thread import Thread, branch_tree, read_thread, unfinished_step
from .thread_log import LogEvent

if TYPE_CHECKING:
    from sqlalchemy import Connection

logger = logging.getLogger(__name__)

_TITLE_LENGTH = 60
_TITLE_READ = 1_000


@dataclass(frozen=True)
class ThreadSummary:
    """Times are in seconds since the epoch. At `expires_at` the thread will be removed because nobody uses it."""

    id: str
    title: str | None
    created_at: float
    updated_at: float
    message_count: int
    is_pinned: bool = False
    expires_at: float | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "title": self.title,
            "createdAt": self.created_at,
            "updatedAt": self.updated_at,
            "messageCount": self.message_count,
            "pinned": self.is_pinned,
            "expiresAt": self.expires_at,
        }


class ThreadStore:
    """The record of every conversation. Events are only ever appended; a deleted thread is gone with all of them."""

    def __init__(self, database: Database, *, most_kept_bytes: int = MOST_BYTES) -> None:
        self.active = ActiveThreads(most_bytes=most_kept_bytes)
        self._database = database
        self._named_damage: set[tuple[str, int]] = set()

    @property
    def notice(self) -> str | None:
        """What a person should know of the store: that its file was damaged, and what became of it."""
        return self._database.notice

    async def create(self) -> ThreadSummary:
        now = time.time()
        summary = ThreadSummary(f"thread_{secrets.token_hex(12)}", None, now, now, 0)

        def work(connection: Connection) -> ThreadSummary:
            from .schema import thread

            connection.execute(thread.insert().values(id=summary.id, created_at=now, updated_at=now))
            return summary

        return await self._database.run(work)

    async def list(self) -> list[ThreadSummary]:
        def work(connection: Connection) -> list[ThreadSummary]:
            from sqlalchemy import func, select

            from .schema import message, thread

            messages = (
                select(message.c.thread_id, func.count().label("count"))
                .group_by(message.c.thread_id)
                .subquery()
            )
            rows = connection.execute(
                select(thread, func.coalesce(messages.c.count, 0).label("message_count"))
                .outerjoin(messages, messages.c.thread_id == thread.c.id)
                .order_by(thread.c.updated_at.desc())
            )
            return [
                ThreadSummary(
                    row.id,
                    row.title,
                    row.created_at,
                    row.updated_at,
                    row.message_count,
                    row.pinned,
                    row.expires_at,
                )
                for row in rows
            ]

        return await self._database.run(work)

    async def read(self, thread_id: str) -> Thread:
        """The conversation and all that belongs to it, with the draft of an interrupted step at its end.

        Raises:
            RequestError: `unknown_thread`.
        """
        thread = await self._database.run(lambda connection: read_thread(connection, thread_id, self.active))
        self._name_damage(thread_id, thread.damage)
        return thread

    async def branches(self, thread_id: str) -> list[Branch]:
        """All branches of a thread, in the order in which they began.

        Raises:
            RequestError: `unknown_thread`.
        """

        def work(connection: Connection) -> list[Branch]:
            return branch_tree(connection, require_thread(connection, thread_id)).branches()

        return await self._database.run(work)

    async def switch(self, thread_id: str, branch_id: str) -> None:
        """Go on with a branch where it was left. Nothing is rewritten: the log gains an event.

        Raises:
            RequestError: `unknown_thread` or `unknown_branch`.
        """

        def work(connection: Connection) -> None:
            tree = branch_tree(connection, require_thread(connection, thread_id))
            if branch_id not in tree:
                raise RequestError(
                    "unknown_branch",
                    f'The thread has no branch "{branch_id[:32]}".',
                    hint="GET /api/assistant/threads/{id}/branches lists those that it has.",
                    status=404,
                )
            if branch_id != tree.current:
                self._append(connection, thread_id, [LogEvent("switch", "", {"branch": branch_id})])

        await self._database.run(work)

    async def messages(self, thread_id: str) -> list[UIMessage]:
        return (await self.read(thread_id)).messages

    async def append(self, thread_id: str, events: Sequence[LogEvent]) -> None:
        """Append durably.

        A step takes the place of its draft. A draft whose step never came, because the process ended, goes into the
        log first: what the person has read stays.

        Raises:
            RequestError: `unknown_thread`; it may have been deleted while the model was answering.
        """
        if events:
            await self._database.run(lambda connection: self._append(connection, thread_id, events))

    async def save_draft(self, thread_id: str, message_id: str, parts: Sequence[Mapping[str, Any]]) -> None:
        """Keep what has been streamed of the running step, in case this process does not live to finish it."""

        def work(connection: Connection) -> None:
            from .schema import draft, thread

            connection.execute(draft.delete().where(draft.c.thread_id == thread_id))
            row = connection.execute(thread.select().where(thread.c.id == thread_id)).first()
            if row is not None:
                connection.execute(
                    draft.insert().values(
                        thread_id=thread_id,
                        message_id=message_id,
                        payload=stored_json({"parts": list(parts)}),
                        updated_at=time.time(),
                    )
                )

        await self._database.run(work)

    async def keep_system_forms(self, thread_id: str, forms: Mapping[str, str]) -> None:
        def work(connection: Connection) -> None:
            from .schema import thread

            connection.execute(
                thread.update().where(thread.c.id == thread_id).values(system_forms=stored_json(dict(forms)))
            )

        await self._database.run(work)

    async def rename(self, thread_id: str, title: str) -> None:
        def work(connection: Connection) -> None:
            from .schema import thread

            require_thread(connection, thread_id)
            connection.execute(
                thread.update().where(thread.c.id == thread_id).values(title=stored_text(title[:200]))
            )

        await self._database.run(work)

    async def pin(self, thread_id: str, *, is_pinned: bool) -> None:
        """Let a thread stay however long nobody uses it, or no more.

        Raises:
            RequestError: `unknown_thread`.
        """

        def work(connection: Connection) -> None:
            from .schema import thread

            require_thread(connection, thread_id)
            connection.execute(
                thread.update().where(thread.c.id == thread_id).values(pinned=is_pinned, expires_at=None)
            )

        await self._database.run(work)

    async def delete(self, thread_id: str) -> None:
        """Remove a thread with all that belongs to it, from the disk as well.

        Raises:
            RequestError: `unknown_thread`.
        """

        def work(connection: Connection) -> None:
            self.active.forget(thread_id)
            delete_thread(connection, thread_id)

        await self._database.run(work)
        await self._database.drop_traces()

    async def export(self, thread_id: str) -> bytes:
        """Everything that is kept of a thread, as a JSON document.

        Raises:
            RequestError: `unknown_thread`.
        """
        from .thread_export import export_thread

        return await self._database.run(lambda connection: export_thread(connection, thread_id))

    def _append(self, connection: Connection, thread_id: str, events: Sequence[LogEvent]) -> None:
        from sqlalchemy import func

        from .schema import draft, event, thread

        require_thread(connection, thread_id, is_locked=True)
        now = time.time()
        rows = [(entry, stored_json(entry.payload)) for entry in events]
        draft_step = unfinished_step(connection, thread_id)
        has_ended = {entry.message_id for entry in events if entry.kind == "step"}
        if draft_step is not None and draft_step.message_id not in has_ended:
            draft_event, _ = draft_step.read()
            rows[:0] = [(draft_event, draft_step.payload)] if draft_event else []
        connection.execute(
            event.insert(),
            [
                {
                    "thread_id": thread_id,
                    "kind": entry.kind,
                    "message_id": entry.message_id,
                    "payload": payload,
                    "created_at": now,
                }
                for entry, payload in rows
            ],
        )
        add_to_messages(connection, thread_id, [(entry, now) for entry, _ in rows])
        values: dict[str, Any] = {"updated_at": now, "expires_at": None}
        if title := next((_title(entry) for entry in events if entry.kind == "user"), ""):
            values["title"] = func.coalesce(thread.c.title, stored_text(title))
        connection.execute(thread.update().where(thread.c.id == thread_id).values(values))
        connection.execute(draft.delete().where(draft.c.thread_id == thread_id))

    def _name_damage(self, thread_id: str, damage: Sequence[Damage]) -> None:
        for seq, problem in damage:
            if (thread_id, seq) not in self._named_damage:
                self._named_damage.add((thread_id, seq))
                logger.warning("thread %s: entry %d could not be read whole: %s", thread_id, seq, problem)


def delete_thread(connection: Connection, thread_id: str) -> None:
    from .schema import thread

    require_thread(connection, thread_id)
    forget_messages(connection, thread_id)
    connection.execute(thread.delete().where(thread.c.id == thread_id))


def _title(entry: LogEvent) -> str:
    """The first words of the message; of one that is a file alone, the file's name."""
    parts = entry.payload["parts"]
    texts = [part["text"].lstrip()[:_TITLE_READ] for part in parts if part.get("type") == "text"]
    files = [str(part.get("filename") or "") for part in parts if part.get("type") == "file"]
    words = " ".join(" ".join(texts).split()) or " ".join(name.rpartition("/")[2] for name in files)
    return words if len(words) <= _TITLE_LENGTH else words[: _TITLE_LENGTH - 1].rstrip() + "…"
