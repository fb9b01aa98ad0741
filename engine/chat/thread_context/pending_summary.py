"""The summary that a model wrote of a conversation: it waits for the next condensing."""

from __future__ import annotations

import contextlib
import json
import secrets
import time
from collections.abc import Sequence

from ...base.messages import UIMessage, dump, user_count
from ...context.checkpoint import Summary
from ...context.compaction import Position, message_before
from ...store.compactions import StoredCompaction


def pending_compaction(text: str, conversation: Sequence[UIMessage]) -> StoredCompaction:
    """Return what is stored of a summary that was just written about this conversation."""
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
    """The newest summary that waits for its use, if it was written about this branch."""
    for entry in reversed(compactions):
        if entry.status == "active" and entry.cause in ("rule", "model", "manual", "clear"):
            return None
        if entry.status == "pending":
            with contextlib.suppress(ValueError, KeyError, TypeError):
                state = json.loads(entry.state)
                if message_before(conversation, Position(int(state["messages"]))) == state["last"]:
                    return Summary(entry.text, int(state["users"]))
    return None
