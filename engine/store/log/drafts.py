"""The drafts of streaming steps, as pieces that are only appended, so that a long answer costs no more; those of all
chats are written together.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from operator import not_
from typing import TYPE_CHECKING, Any

from ...base.errors import AssistantError
from ...base.events import Notice
from ...stream.step_news import StepNews, join_news
from ..rows import batches, read_json, rows_of_thread, stored_json
from .event_log import EventRow

if TYPE_CHECKING:
    from sqlalchemy import Connection

logger = logging.getLogger(__name__)

BROKEN_OFF = Notice(
    "cut-off", "The answer broke off before it was complete. What was written so far is kept."
)
"""The notice at the end of a draft that no process writes any longer, since ComfyUI ended."""

_MOMENT_SECONDS = 0.1
_PATIENCE_SECONDS = 1.0


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
