"""A thread read from its rows, as far as they can be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..messages import UIMessage
from .branches import FIRST_BRANCH, BranchTree
from .known_thread import require_thread
from .stored_event import Damage, StoredEvent
from .stored_text import read_json
from .thread_log import Kind, fold

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True)
class Thread:
    """A thread as it is stored, on the branch that is current.

    `system_forms` are the system messages that it was begun with, by form. `damaged` names what could not be read and
    is missing from `messages`. `updated_at` is in seconds since the epoch.
    """

    title: str | None
    messages: list[UIMessage]
    system_forms: dict[str, str]
    updated_at: float = 0.0
    branch_id: str = FIRST_BRANCH
    damaged: list[Damage] = field(default_factory=list)


def read_thread(connection: Connection, thread_id: str) -> tuple[Thread, BranchTree]:
    """A thread with the draft of an interrupted step at its end, and its branches.

    Raises:
        RequestError: `unknown_thread`.
    """
    known = require_thread(connection, thread_id)
    tree = branch_tree(connection, known)
    events, damaged = tree.read()
    if (unfinished := unfinished_step(connection, thread_id)) is not None:
        event, problem = unfinished.read()
        events += [event] if event else []
        damaged += [(0, f"the draft of the last step: {problem}")] if problem else []
    forms = read_json(known.system_forms or "{}", None)
    if not _are_texts(forms):
        forms = {}
        damaged.append((0, "its system messages are not texts by form"))
    return Thread(known.title, fold(events), forms, known.updated_at, tree.current, damaged), tree


def branch_tree(connection: Connection, thread: Any) -> BranchTree:
    return BranchTree(_log(connection, thread.id), created_at=thread.created_at)


def current_branch(connection: Connection, thread_id: str) -> str:
    """The id of the branch that a thread goes on with; only the events that begin and change branches tell it."""
    return BranchTree(_log(connection, thread_id, kinds=("rewind", "switch"))).current


def unfinished_step(connection: Connection, thread_id: str) -> StoredEvent | None:
    """The draft of the step that was being streamed when the process ended, or is."""
    from .schema import draft

    row = connection.execute(draft.select().where(draft.c.thread_id == thread_id)).first()
    return StoredEvent(0, "step", row.message_id, row.payload, row.updated_at) if row else None


def _log(connection: Connection, thread_id: str, *, kinds: Sequence[Kind] = ()) -> Iterator[StoredEvent]:
    from sqlalchemy import select

    from .schema import event

    rows = select(event.c.seq, event.c.kind, event.c.message_id, event.c.payload, event.c.created_at)
    if kinds:
        rows = rows.where(event.c.kind.in_(kinds))
    rows = rows.where(event.c.thread_id == thread_id).order_by(event.c.seq)
    return (StoredEvent(*row) for row in connection.execute(rows))


def _are_texts(forms: Any) -> bool:
    return isinstance(forms, dict) and all(isinstance(form, str) for form in forms.values())
