"""The conversations of the threads in use, kept in memory: reading one costs what it gained since the last time.

The log stays the truth. Each reading takes the events behind the last one that is known, whoever wrote them, and begins
anew where the log is not the one that was read before.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...base.messages import UIMessage
from ...context.rendering import RenderingMemo
from .branches import FIRST_BRANCH, BranchTree
from .event_row import Damage, EventRow, log_of
from .thread_log import LogEvent, fold

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

MOST_BYTES = 128 * 1024 * 1024
"""Of all kept conversations together: three threads of 500 turns that read a large workflow twice in each."""

_BYTES_PER_VALUE = 96
"""What a value of a JSON text takes in memory beside its characters."""


@dataclass(frozen=True)
class Conversation:
    """The current branch of a thread. `damage` names what of it could not be read.

    `memo` is what was written of its messages for a model, by their parts, which stay the same from reading to reading.
    """

    messages: Sequence[UIMessage] = ()
    branch_id: str = FIRST_BRANCH
    damage: Sequence[Damage] = ()
    memo: RenderingMemo = field(default_factory=RenderingMemo)


@dataclass(frozen=True)
class _Entry:
    conversation: Conversation
    newest: EventRow
    size: int


class ActiveThreads:
    """Used on the database's worker thread alone. What it hands out is never changed afterwards."""

    def __init__(self, *, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._engine: Engine | None = None
        self._entries: OrderedDict[str, _Entry] = OrderedDict()

    @property
    def size(self) -> int:
        """About how many bytes of memory the kept conversations take."""
        return sum(entry.size for entry in self._entries.values())

    def read(self, connection: Connection, thread_id: str) -> Conversation:
        """The conversation of a thread that exists, without the draft of a step that is being streamed."""
        if connection.engine is not self._engine:
            # Another file: the one before was deleted, replaced or damaged.
            self._entries.clear()
            self._engine = connection.engine
        entry = self._entries.pop(thread_id, None)
        new_events = self._new_events(connection, thread_id, entry) if entry else None
        if entry is None or new_events is None:
            entry = _from_the_start(
                connection, thread_id, entry.conversation.memo if entry else RenderingMemo()
            )
        elif new_events:
            entry = _grow(entry, new_events)
        if entry is None:
            return Conversation()
        self._entries[thread_id] = entry
        while self._entries and self.size > self._most_bytes:
            self._entries.popitem(last=False)
        return entry.conversation

    def forget(self, thread_id: str) -> None:
        self._entries.pop(thread_id, None)

    def _new_events(self, connection: Connection, thread_id: str, entry: _Entry) -> Sequence[EventRow] | None:
        """The events behind the newest known one; None where they do not simply follow it."""
        newest, new_events = _split(log_of(connection, thread_id, since=entry.newest.seq))
        if newest != entry.newest or any(event.kind == "switch" for event in new_events):
            return None
        return new_events


def _from_the_start(connection: Connection, thread_id: str, memo: RenderingMemo) -> _Entry | None:
    log = log_of(connection, thread_id)
    if not log:
        return None
    tree = BranchTree(log)
    events, damage = tree.read()
    conversation = Conversation(fold(events), tree.current, damage, memo)
    return _Entry(conversation, log[-1], _size(tree.current_events()))


def _grow(entry: _Entry, new_events: Sequence[EventRow]) -> _Entry:
    previous = entry.conversation
    events: list[LogEvent] = []
    damage = list(previous.damage)
    branch_id = previous.branch_id
    for event_row in new_events:
        event, problem = event_row.read()
        events += [event] if event else []
        damage += [(event_row.seq, problem)] if problem else []
        branch_id = str(event_row.seq) if event_row.kind == "rewind" else branch_id
    conversation = Conversation(fold(events, previous.messages), branch_id, damage, previous.memo)
    return _Entry(conversation, new_events[-1], entry.size + _size(new_events))


def _split(log: Sequence[EventRow]) -> tuple[EventRow | None, Sequence[EventRow]]:
    return (log[0], log[1:]) if log else (None, ())


def _size(log: Iterable[EventRow]) -> int:
    return sum(len(event.payload) + _BYTES_PER_VALUE * event.payload.count(",") for event in log)
