"""Writes the drafts of all streaming chats, many in one transaction."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import compress
from operator import not_

from ...base.errors import AssistantError
from .drafts import DraftPiece

logger = logging.getLogger(__name__)

_MOMENT_SECONDS = 0.1
_PATIENCE_SECONDS = 1.0


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
