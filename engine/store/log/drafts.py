"""The drafts of streaming steps, as pieces that are only appended, so that a long answer costs no more."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...base.events import Notice
from ...stream.parts import StepNews, join_news
from ..rows import batches, read_json, rows_of_thread, stored_json
from .event_row import EventRow

if TYPE_CHECKING:
    from sqlalchemy import Connection

BROKEN_OFF = Notice(
    "cut-off", "The answer broke off before it was complete. What was written so far is kept."
)
"""The notice at the end of a draft that no process writes any longer, since ComfyUI ended."""


@dataclass(frozen=True)
class DraftPiece:
    """A change of a thread's draft."""

    thread_id: str
    message_id: str
    news: StepNews


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


def unfinished_step(connection: Connection, thread_id: str) -> tuple[EventRow | None, str]:
    """Return the draft of the last step as an event, or None, and what could not be read of it."""
    from ..schema import draft

    pieces = connection.execute(rows_of_thread(draft), {"of": thread_id}).all()
    if not pieces:
        return None, ""
    news: list[StepNews] = []
    lost = ""
    for piece in pieces:
        read = _read(piece.payload)
        if read is None:
            lost = "a piece of it is no draft"
            break
        news.append(read)
    parts, problem = join_news(news)
    newest = pieces[-1]
    event = EventRow(0, "step", newest.message_id, stored_json({"parts": parts}), newest.updated_at)
    return event, problem or lost


def _read(payload: str) -> StepNews | None:
    """Return a piece, or None if it is damaged. Rows of older versions have the whole draft."""
    news = read_json(payload, None)
    if not isinstance(news, dict) or not isinstance(news.get("parts"), list):
        return None
    number, keep, grow = news.get("number", 0), news.get("keep", 0), news.get("grow", "")
    if not (_is_count(number) and _is_count(keep) and isinstance(grow, str)):
        return None
    if not all(isinstance(part, dict) for part in news["parts"]):
        return None
    return StepNews(number=number, keep=keep, grow=grow, parts=news["parts"])


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and value >= 0
