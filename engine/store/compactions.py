"""Compactions: what older parts of a thread were reduced to. Only their status changes, so each can be undone."""

from __future__ import annotations

import contextlib
import json
import logging
import secrets
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from ..base.cache import Cache
from ..base.errors import RequestError
from ..base.messages import UIMessage, dump, user_count
from ..context.checkpoint import Summary
from ..context.compaction import Compaction, Position, message_before
from .database import Database
from .rows import batches, read_json, require_thread, rows_of_thread, stored_text

if TYPE_CHECKING:
    from sqlalchemy import Connection

logger = logging.getLogger(__name__)

Cause = Literal["rule", "manual", "model", "emergency", "clear"]
CompactionStatus = Literal["active", "void", "pending"]

_KEPT_THREADS = 16
"""The number of threads whose compactions stay in memory, a few MB if all of them are long."""


@dataclass(frozen=True)
class StoredCompaction:
    """A stored compaction. `state` is the context engine's own JSON; `text` is the checkpoint for a user to read.

    `turns` and `rounds` count what it stands for. `created_at` is in seconds since the epoch.
    """

    id: str
    created_at: float
    cause: Cause
    state: str
    text: str
    turns: int
    rounds: int
    tokens_before: int
    tokens_after: int
    status: CompactionStatus = "active"

    def as_json(self) -> dict[str, Any]:
        """Return the compaction for the API, without its state."""
        return {
            **self.divider(),
            "createdAt": self.created_at,
            "status": self.status,
            "text": self.text,
        }

    def divider(self) -> dict[str, Any]:
        """Return the data of the line in the chat: docs/api.md, data-compaction."""
        return {
            "id": self.id,
            "cause": self.cause,
            "turns": self.turns,
            "rounds": self.rounds,
            "tokensBefore": self.tokens_before,
            "tokensAfter": self.tokens_after,
        }

    @cached_property
    def state_value(self) -> Any:
        """The state as a value, or None if it is damaged."""
        return read_json(self.state, None)

    @property
    def is_manual(self) -> bool:
        """Whether the user asked for the compaction and can undo it; others were needed to make a request fit."""
        return self.cause in ("manual", "clear")


class Compactions:
    def __init__(self, database: Database) -> None:
        self._database = database
        self._by_thread: Cache[str, dict[str, StoredCompaction]] = Cache(most=_KEPT_THREADS)

    async def add(self, thread_id: str, new_compaction: StoredCompaction) -> None:
        """Add a compaction to a thread.

        Raises:
            RequestError: `unknown_thread`.
        """
        await self._database.run(_add, thread_id, new_compaction)

    async def void(self, thread_id: str, compaction_id: str) -> None:
        """Mark a compaction as undone.

        Raises:
            RequestError: `not_found`.
        """
        await self._database.run(_void, thread_id, compaction_id)

    def select(self, connection: Connection, thread_id: str) -> list[StoredCompaction]:
        """Return all compactions of a thread, of every branch and status, oldest first.

        Only their status changes, so the texts of a thread in use are read once.
        """
        from .schema import compaction

        compactions = dict(self._by_thread.get(thread_id) or {})
        rows = rows_of_thread(compaction, compaction.c.id, compaction.c.status)
        statuses = connection.execute(rows, {"of": thread_id}).all()
        for batch in batches([row.id for row in statuses if row.id not in compactions]):
            rows = connection.execute(
                compaction.select().where(compaction.c.thread_id == thread_id, compaction.c.id.in_(batch))
            )
            compactions |= {row.id: StoredCompaction(**_fields(row)) for row in rows}
        current = {row.id: _with_status(compactions[row.id], row.status) for row in statuses}
        self._by_thread.keep(thread_id, current)
        return list(current.values())


def active_compactions(compactions: Sequence[StoredCompaction]) -> list[Compaction]:
    """Return the compactions in effect, oldest first. An unreadable one is skipped, which loses nothing."""
    states: list[Compaction] = []
    for entry in compactions:
        if entry.status != "active":
            continue
        try:
            states.append(Compaction.from_json(entry.state_value))
        except (KeyError, TypeError, ValueError):
            logger.warning("compaction %s cannot be read and is passed over.", entry.id)
    return states


def pending_compaction(text: str, conversation: Sequence[UIMessage]) -> StoredCompaction:
    """Return the stored form of a summary that was just written about this conversation."""
    users = user_count(conversation)
    state = {"users": users, "messages": len(conversation), "last": conversation[-1]["id"]}
    return StoredCompaction(
        id=f"compaction_{secrets.token_hex(8)}",
        created_at=time.time(),
        cause="model",
        state=dump(state),
        text=text,
        turns=users,
        rounds=0,
        tokens_before=0,
        tokens_after=0,
        status="pending",
    )


def pending_summary(
    compactions: Sequence[StoredCompaction], conversation: Sequence[UIMessage]
) -> Summary | None:
    """Return the newest unused summary, if it was written about this branch."""
    for entry in reversed(compactions):
        if entry.status == "active" and entry.cause in ("rule", "model", "manual", "clear"):
            return None
        if entry.status == "pending":
            with contextlib.suppress(ValueError, KeyError, TypeError):
                state = json.loads(entry.state)
                if message_before(conversation, Position(int(state["messages"]))) == state["last"]:
                    return Summary(entry.text, int(state["users"]))
    return None


def _add(connection: Connection, thread_id: str, new_compaction: StoredCompaction) -> None:
    from .schema import compaction

    require_thread(connection, thread_id)
    clean_compaction = replace(
        new_compaction, state=stored_text(new_compaction.state), text=stored_text(new_compaction.text)
    )
    connection.execute(compaction.insert().values(thread_id=thread_id, **asdict(clean_compaction)))


def _void(connection: Connection, thread_id: str, compaction_id: str) -> None:
    from .schema import compaction

    require_thread(connection, thread_id)
    update = connection.execute(
        compaction.update()
        .where(compaction.c.thread_id == thread_id, compaction.c.id == compaction_id)
        .values(status="void")
    )
    if not update.rowcount:
        raise RequestError(
            "not_found",
            f'The thread has no compaction "{compaction_id[:64]}".',
            hint="Open the context report again to see those that it has.",
            status=404,
        )


def _with_status(old_compaction: StoredCompaction, status: CompactionStatus) -> StoredCompaction:
    return old_compaction if old_compaction.status == status else replace(old_compaction, status=status)


def _fields(row: Any) -> dict[str, Any]:
    return {name: value for name, value in row._mapping.items() if name not in ("seq", "thread_id")}
