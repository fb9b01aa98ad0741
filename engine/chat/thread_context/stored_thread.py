"""A thread as it is stored: conversation, pins, compactions, and a summary that waits for the next one."""

from __future__ import annotations

import contextlib
import json
import logging
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass

from ...base.messages import UIMessage, dump, user_count
from ...context.checkpoint import Summary
from ...context.compaction import Compaction, Position, message_before
from ...store.compactions import StoredCompaction
from ...store.pins import Pin
from ...store.threads import Thread

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class ThreadState:
    """The pins and compactions of a thread."""

    pins: Sequence[Pin] = ()
    compactions: Sequence[StoredCompaction] = ()


@dataclass(frozen=True)
class StoredThread:
    """A thread as it was before a request."""

    thread_id: str
    thread: Thread
    state: ThreadState


def active(compactions: Sequence[StoredCompaction]) -> list[Compaction]:
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
