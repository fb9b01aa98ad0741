"""Threads: created, listed, appended to, read back."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import RequestError
from ..messages import UIMessage, dump
from .database import Database
from .thread_log import LogEvent, fold

if TYPE_CHECKING:
    from sqlalchemy import Connection

_TITLE_LENGTH = 60


@dataclass(frozen=True)
class ThreadSummary:
    """`created_at` and `updated_at` are seconds since the epoch."""

    id: str
    title: str | None
    created_at: float
    updated_at: float
    message_count: int

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "title": self.title,
            "createdAt": self.created_at,
            "updatedAt": self.updated_at,
            "messageCount": self.message_count,
        }


@dataclass(frozen=True)
class Thread:
    """A thread as it is stored. `system_forms` are the system messages that it was begun with, by form."""

    title: str | None
    messages: list[UIMessage]
    system_forms: dict[str, str]


class ThreadStore:
    """The record of every conversation. Events are only ever appended; a deleted thread is gone with all of them."""

    def __init__(self, database: Database) -> None:
        self._database = database

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

            from .schema import event, thread

            messages = (
                select(event.c.thread_id, func.count(func.distinct(event.c.message_id)).label("count"))
                .where(event.c.kind.in_(("user", "step")))
                .group_by(event.c.thread_id)
                .subquery()
            )
            rows = connection.execute(
                select(thread, func.coalesce(messages.c.count, 0).label("message_count"))
                .outerjoin(messages, messages.c.thread_id == thread.c.id)
                .order_by(thread.c.updated_at.desc())
            )
            return [
                ThreadSummary(row.id, row.title, row.created_at, row.updated_at, row.message_count)
                for row in rows
            ]

        return await self._database.run(work)

    async def read(self, thread_id: str) -> Thread:
        """The conversation and all that belongs to it, with the draft of an interrupted step at its end.

        Raises:
            RequestError: `unknown_thread`.
        """

        def work(connection: Connection) -> Thread:
            from sqlalchemy import select

            from .schema import draft, event

            known = _require(connection, thread_id)
            rows = connection.execute(
                select(event.c.kind, event.c.message_id, event.c.payload)
                .where(event.c.thread_id == thread_id)
                .order_by(event.c.seq)
            )
            events = [LogEvent(row.kind, row.message_id, json.loads(row.payload)) for row in rows]
            unfinished = connection.execute(select(draft).where(draft.c.thread_id == thread_id)).first()
            if unfinished is not None:
                events.append(LogEvent("step", unfinished.message_id, json.loads(unfinished.payload)))
            return Thread(known.title, fold(events), json.loads(known.system_forms or "{}"))

        return await self._database.run(work)

    async def messages(self, thread_id: str) -> list[UIMessage]:
        return (await self.read(thread_id)).messages

    async def append(self, thread_id: str, events: Sequence[LogEvent]) -> None:
        """Append durably.

        A step takes the place of its draft. A draft whose step never came, because the process ended, goes into the
        log first: what the person has read stays.

        Raises:
            RequestError: `unknown_thread`; it may have been deleted while the model was answering.
        """

        def work(connection: Connection) -> None:
            from sqlalchemy import func

            from .schema import draft, event, thread

            _require(connection, thread_id)
            now = time.time()
            unfinished = connection.execute(draft.select().where(draft.c.thread_id == thread_id)).first()
            rows = [(entry.kind, entry.message_id, dump(entry.payload)) for entry in events]
            if unfinished is not None and ("step", unfinished.message_id) not in {row[:2] for row in rows}:
                rows.insert(0, ("step", unfinished.message_id, unfinished.payload))
            connection.execute(
                event.insert(),
                [
                    {
                        "thread_id": thread_id,
                        "kind": kind,
                        "message_id": message_id,
                        "payload": payload,
                        "created_at": now,
                    }
                    for kind, message_id, payload in rows
                ],
            )
            values: dict[str, Any] = {"updated_at": now}
            if title := next((_title(entry) for entry in events if entry.kind == "user"), ""):
                values["title"] = func.coalesce(thread.c.title, title)
            connection.execute(thread.update().where(thread.c.id == thread_id).values(values))
            connection.execute(draft.delete().where(draft.c.thread_id == thread_id))

        if events:
            await self._database.run(work)

    async def save_draft(self, thread_id: str, message_id: str, parts: Sequence[Mapping[str, Any]]) -> None:
        """Keep what has been streamed of the running step, in case this process does not live to finish it."""

        def work(connection: Connection) -> None:
            from .schema import draft, thread

            connection.execute(draft.delete().where(draft.c.thread_id == thread_id))
            known = connection.execute(thread.select().where(thread.c.id == thread_id)).first()
            if known is not None:
                connection.execute(
                    draft.insert().values(
                        thread_id=thread_id,
                        message_id=message_id,
                        payload=dump({"parts": list(parts)}),
                        updated_at=time.time(),
                    )
                )

        await self._database.run(work)

    async def keep_system_forms(self, thread_id: str, forms: Mapping[str, str]) -> None:
        def work(connection: Connection) -> None:
            from .schema import thread

            connection.execute(
                thread.update().where(thread.c.id == thread_id).values(system_forms=dump(dict(forms)))
            )

        await self._database.run(work)

    async def rename(self, thread_id: str, title: str) -> None:
        def work(connection: Connection) -> None:
            from .schema import thread

            _require(connection, thread_id)
            connection.execute(thread.update().where(thread.c.id == thread_id).values(title=title[:200]))

        await self._database.run(work)

    async def delete(self, thread_id: str) -> None:
        def work(connection: Connection) -> None:
            from .schema import draft, event, thread

            _require(connection, thread_id)
            for table, column in (
                (draft, draft.c.thread_id),
                (event, event.c.thread_id),
                (thread, thread.c.id),
            ):
                connection.execute(table.delete().where(column == thread_id))

        await self._database.run(work)


def _require(connection: Connection, thread_id: str) -> Any:
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


def _title(entry: LogEvent) -> str:
    text = " ".join(part["text"] for part in entry.payload["parts"] if part.get("type") == "text")
    words = " ".join(text.split())
    return words if len(words) <= _TITLE_LENGTH else words[: _TITLE_LENGTH - 1].rstrip() + "…"
