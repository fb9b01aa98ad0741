"""Writes to the log of a thread: events, and until they come the drafts of streaming steps.

A draft is pieces that are only appended, so that a long answer costs no more; those of all chats are written together.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import compress
from operator import not_
from typing import TYPE_CHECKING

from ...base.errors import AssistantError
from ...base.events import Notice
from ...base.text.clip import clip
from ...stream.parts import StepDelta
from ..message_rows import add_to_messages
from ..rows import batches, require_thread, stored_json, stored_text
from .event_log import LogEvent
from .thread_reader import unfinished_step

if TYPE_CHECKING:
    from sqlalchemy import Connection, Delete, Update

logger = logging.getLogger(__name__)

_TITLE_LENGTH = 60
_TITLE_READ = 1_000
BROKEN_OFF = Notice(
    "cut-off", "The answer broke off before it was complete. What was written so far is kept."
)
"""The notice at the end of a draft that no process writes any longer, since ComfyUI ended."""

_MOMENT_SECONDS = 0.1
_PATIENCE_SECONDS = 1.0


def append_events(connection: Connection, thread_id: str, events: Sequence[LogEvent]) -> None:
    """Append events to the log of a thread, and update its messages and title.

    Raises:
        RequestError: `unknown_thread`.
    """
    from ..schema import event

    thread = require_thread(connection, thread_id, is_locked=True)
    now = time.time()
    rows = [(entry, stored_json(entry.payload)) for entry in events]
    draft_step, _ = unfinished_step(connection, thread_id)
    has_ended = {entry.message_id for entry in events if entry.kind == "step"}
    if draft_step is not None and draft_step.message_id not in has_ended:
        draft_event, _ = draft_step.read()
        kept = [(draft_event, draft_step.payload)] if draft_event else []
        # Events that continue its message say how it ended.
        if draft_step.message_id not in {entry.message_id for entry in events}:
            broken_off = LogEvent("data", draft_step.message_id, {"part": BROKEN_OFF.part})
            kept.append((broken_off, stored_json(broken_off.payload)))
        rows[:0] = kept
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
    title = thread.title
    if title is None:
        title = next((_title(entry) for entry in events if entry.kind == "user"), None)
    connection.execute(_touch_thread(), {"of": thread_id, "now": now, "words": title})
    connection.execute(_delete_draft(), {"of": thread_id})


@cache
def _touch_thread() -> Update:
    """Return the statement that updates a thread at the time `now`, with the title `words`."""
    from sqlalchemy import bindparam

    from ..schema import thread

    title = bindparam("words", type_=thread.c.title.type)
    values = {"updated_at": bindparam("now"), "expires_at": None, "title": title}
    return thread.update().where(thread.c.id == bindparam("of")).values(values)


@cache
def _delete_draft() -> Delete:
    """Return the statement that deletes the draft of a thread."""
    from sqlalchemy import bindparam

    from ..schema import draft

    return draft.delete().where(draft.c.thread_id == bindparam("of"))


def _title(entry: LogEvent) -> str | None:
    """Return the first words of a message, or the file's name if it is only a file; None if it has neither."""
    parts = entry.payload["parts"]
    texts = [part["text"].lstrip()[:_TITLE_READ] for part in parts if part.get("type") == "text"]
    files = [str(part.get("filename") or "") for part in parts if part.get("type") == "file"]
    words = " ".join(" ".join(texts).split()) or " ".join(name.rpartition("/")[2] for name in files)
    return stored_text(clip(words, _TITLE_LENGTH)) or None


@dataclass(frozen=True)
class DraftPiece:
    """A change of a thread's draft."""

    thread_id: str
    message_id: str
    news: StepDelta


def save_pieces(connection: Connection, pieces: Sequence[DraftPiece]) -> None:
    """Insert pieces, except those of deleted threads."""
    from sqlalchemy import select

    from ..schema import draft, thread

    found: set[str] = set()
    for batch in batches(sorted({piece.thread_id for piece in pieces})):
        rows = select(thread.c.id).where(thread.c.id.in_(batch)).with_for_update(read=True)
        found |= set(connection.execute(rows).scalars())
    now = time.time()
    rows = [
        {
            "thread_id": piece.thread_id,
            "message_id": piece.message_id,
            "payload": stored_json(piece.news),
            "updated_at": now,
        }
        for piece in pieces
        if piece.thread_id in found
    ]
    if rows:
        connection.execute(draft.insert(), rows)


class DraftWriter:
    """Writes drafts. A commit costs as much as a hundred drafts, so those of one moment share one.

    Drafts that could not be written are kept for the next attempt: without one piece, those after it are worthless.
    """

    def __init__(
        self,
        write: Callable[[Sequence[DraftPiece]], Awaitable[None]],
        *,
        moment_seconds: float = _MOMENT_SECONDS,
        patience_seconds: float = _PATIENCE_SECONDS,
    ) -> None:
        self._write = write
        self._moment_seconds = moment_seconds
        self._patience_seconds = patience_seconds
        self._waiting: list[DraftPiece] = []
        self._being_written: list[DraftPiece] = []
        self._held: set[str] = set()
        self._task: asyncio.Task[None] | None = None

    def note(self, piece: DraftPiece) -> None:
        """Queue a piece, to be written soon."""
        self._waiting.append(piece)
        self._begin()

    @contextlib.contextmanager
    def replace(self, thread_id: str) -> Iterator[None]:
        """Hold back a thread's queued pieces while the body writes what replaces them, and drop them if that
        succeeds.
        """
        self._held.add(thread_id)
        try:
            yield
            self._waiting = _without(thread_id, self._waiting)
            self._being_written = _without(thread_id, self._being_written)
        finally:
            self._held.discard(thread_id)

    def _begin(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write_all())

    async def _write_all(self) -> None:
        wait, has_failed = self._moment_seconds, False
        while self._waiting:
            await asyncio.sleep(wait)
            is_held = [piece.thread_id in self._held for piece in self._waiting]
            self._being_written = list(compress(self._waiting, map(not_, is_held)))
            self._waiting = list(compress(self._waiting, is_held))
            try:
                if self._being_written:
                    await self._write(self._being_written)
            except AssistantError as error:
                self._waiting[:0] = self._being_written
                if not has_failed:
                    logger.warning("what streams could not be saved yet: %s", error)
                wait, has_failed = self._patience_seconds, True
            else:
                wait, has_failed = self._moment_seconds, False
            finally:
                self._being_written = []


def _without(thread_id: str, pieces: Sequence[DraftPiece]) -> list[DraftPiece]:
    return [piece for piece in pieces if piece.thread_id != thread_id]
