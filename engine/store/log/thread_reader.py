"""Reads a thread from its rows, as far as they are readable; the conversations of threads in use stay in memory.

So reading one costs only its new events. The log stays the truth: each reading takes the events after the newest known
one, whoever wrote them, and begins anew if the log is not the one that was read before.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...base.messages import UIMessage
from ...context.rendering import RenderingMemo
from ...stream.parts import StepDelta, join_deltas
from ..rows import read_json, require_thread, rows_of_thread, stored_json
from .branches import FIRST_BRANCH, BranchTree
from .event_log import Damage, EventRow, LogEvent, fold, read_log

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

MOST_BYTES = 128 * 1024 * 1024
"""The memory for all cached conversations, in bytes: about three threads of 500 turns with two large readings each."""

_BYTES_PER_VALUE = 96
"""The memory that a JSON value takes beside its characters, in bytes."""


@dataclass(frozen=True)
class ChosenProvider:
    """The choices made for a thread: "" for the default provider, its default model, or no persona."""

    id: str = ""
    model: str = ""
    persona: str = ""


@dataclass(frozen=True)
class Thread:
    """A stored thread on its current branch.

    `system_forms` has the system messages that it was begun with, by form. `damage` lists what could not be read and
    is missing from `messages`. `updated_at` is in seconds since the epoch. `memo` has what was rendered of the
    messages for a model, and stays with the thread while it is in use.
    """

    title: str | None
    messages: list[UIMessage]
    system_forms: dict[str, str]
    updated_at: float = 0.0
    branch_id: str = FIRST_BRANCH
    damage: list[Damage] = field(default_factory=list)
    memo: RenderingMemo = field(default_factory=RenderingMemo)
    persona: str = ""
    """The slug of the persona chosen for the thread."""
    workflow: str = ""
    """The file that was open with the newest message."""
    searches_all: bool = False
    """Whether the user lets the thread search their other chats."""
    provider: str = ""
    model: str = ""
    answers_from: str = ""
    """The origin that the newest request was sent to."""
    has_draft: bool = False
    """Whether the last step is a draft: being written, or unfinished when its process ended."""

    @property
    def chosen(self) -> ChosenProvider:
        return ChosenProvider(self.provider, self.model, self.persona)


def read_thread(connection: Connection, thread_id: str, active: ActiveThreads) -> Thread:
    """Return a thread, with the draft of an interrupted step at its end.

    Raises:
        RequestError: `unknown_thread`.
    """
    row = require_thread(connection, thread_id)
    conversation = active.read(connection, thread_id)
    messages, damage = list(conversation.messages), list(conversation.damage)
    draft_step, lost = unfinished_step(connection, thread_id)
    if draft_step is not None:
        event, problem = draft_step.read()
        messages = fold([event] if event else [], messages)
        damage += [(0, f"the draft of the last step: {each}") for each in (problem, lost) if each]
    forms = read_json(row.system_forms or "{}", None)
    if not _are_texts(forms):
        forms = {}
        damage.append((0, "its system messages are not texts by form"))
    return Thread(
        row.title,
        messages,
        forms,
        row.updated_at,
        conversation.branch_id,
        damage,
        conversation.memo,
        row.persona or "",
        row.workflow or "",
        row.searches_all,
        row.provider or "",
        row.model or "",
        row.answers_from or "",
        draft_step is not None,
    )


def _are_texts(forms: Any) -> bool:
    return isinstance(forms, dict) and all(isinstance(form, str) for form in forms.values())


def branch_tree(connection: Connection, thread: Any) -> BranchTree:
    """Return the branches of the thread in a row."""
    return BranchTree(read_log(connection, thread.id), created_at=thread.created_at)


def unfinished_step(connection: Connection, thread_id: str) -> tuple[EventRow | None, str]:
    """Return the draft of the last step as an event, or None, and what could not be read of it."""
    from ..schema import draft

    pieces = connection.execute(rows_of_thread(draft), {"of": thread_id}).all()
    if not pieces:
        return None, ""
    news: list[StepDelta] = []
    lost = ""
    for piece in pieces:
        read = _read_piece(piece.payload)
        if read is None:
            lost = "a piece of it is no draft"
            break
        news.append(read)
    parts, problem = join_deltas(news)
    newest = pieces[-1]
    event = EventRow(0, "step", newest.message_id, stored_json({"parts": parts}), newest.updated_at)
    return event, problem or lost


def _read_piece(payload: str) -> StepDelta | None:
    """Return a piece, or None if it is damaged. Rows of older versions have the whole draft."""
    news = read_json(payload, None)
    if not isinstance(news, dict) or not isinstance(news.get("parts"), list):
        return None
    number, keep, grow = news.get("number", 0), news.get("keep", 0), news.get("grow", "")
    if not (_is_count(number) and _is_count(keep) and isinstance(grow, str)):
        return None
    if not all(isinstance(part, dict) for part in news["parts"]):
        return None
    return StepDelta(number=number, keep=keep, grow=grow, parts=news["parts"])


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and value >= 0


@dataclass(frozen=True)
class Conversation:
    """The current branch of a thread. `damage` lists what could not be read.

    `memo` has what was rendered of its messages for a model, by their parts, which stay the same objects between
    readings.
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
    """The cache, used on the database's worker thread only. Its conversations are never changed."""

    def __init__(self, *, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._engine: Engine | None = None
        self._entries: OrderedDict[str, _Entry] = OrderedDict()

    @property
    def size(self) -> int:
        """The approximate memory of the cached conversations, in bytes."""
        return sum(entry.size for entry in self._entries.values())

    def read(self, connection: Connection, thread_id: str) -> Conversation:
        """Return the conversation of an existing thread, without the draft of a streaming step."""
        if connection.engine is not self._engine:
            # A new file has replaced the previous one.
            self._entries.clear()
            self._engine = connection.engine
        entry = self._entries.pop(thread_id, None)
        new_events = self._new_events(connection, thread_id, entry) if entry else None
        if entry is None or new_events is None:
            entry = _read_all(connection, thread_id, entry.conversation.memo if entry else RenderingMemo())
        elif new_events:
            entry = _grow(entry, new_events)
        if entry is None:
            return Conversation()
        self._entries[thread_id] = entry
        while self._entries and self.size > self._most_bytes:
            self._entries.popitem(last=False)
        return entry.conversation

    def forget(self, thread_id: str) -> None:
        """Drop a thread from the cache."""
        self._entries.pop(thread_id, None)

    def _new_events(self, connection: Connection, thread_id: str, entry: _Entry) -> Sequence[EventRow] | None:
        """Return the events after the newest known one; None if they do not simply follow it."""
        newest, new_events = _split(read_log(connection, thread_id, since=entry.newest.seq))
        if newest != entry.newest or any(event.kind == "switch" for event in new_events):
            return None
        return new_events


def _read_all(connection: Connection, thread_id: str, memo: RenderingMemo) -> _Entry | None:
    log = read_log(connection, thread_id)
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
