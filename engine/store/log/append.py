"""Appends events to the log of a thread, in place of its draft."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from ...base.text.clip import clip
from ..message_rows import add_to_messages
from ..rows import require_thread, stored_json, stored_text
from .drafts import BROKEN_OFF, unfinished_step
from .event_log import LogEvent

if TYPE_CHECKING:
    from sqlalchemy import Connection, Delete, Update

_TITLE_LENGTH = 60
_TITLE_READ = 1_000


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
