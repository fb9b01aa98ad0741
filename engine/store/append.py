"""What is written down while a thread goes on: events at the end of its log, in the place of a draft."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..clip import clip
from .drafts import unfinished_step
from .message_rows import add_to_messages
from .rows import require_thread, stored_json, stored_text
from .thread_log import LogEvent

if TYPE_CHECKING:
    from sqlalchemy import Connection

_TITLE_LENGTH = 60
_TITLE_READ = 1_000


def append_events(connection: Connection, thread_id: str, events: Sequence[LogEvent]) -> None:
    from sqlalchemy import func

    from .schema import draft, event, thread

    require_thread(connection, thread_id, is_locked=True)
    now = time.time()
    rows = [(entry, stored_json(entry.payload)) for entry in events]
    draft_step, _ = unfinished_step(connection, thread_id)
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


def _title(entry: LogEvent) -> str:
    """The first words of the message; of one that is a file alone, the file's name."""
    parts = entry.payload["parts"]
    texts = [part["text"].lstrip()[:_TITLE_READ] for part in parts if part.get("type") == "text"]
    files = [str(part.get("filename") or "") for part in parts if part.get("type") == "file"]
    words = " ".join(" ".join(texts).split()) or " ".join(name.rpartition("/")[2] for name in files)
    return clip(words, _TITLE_LENGTH)
