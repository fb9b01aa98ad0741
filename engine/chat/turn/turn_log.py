"""Where a turn is written down."""

from __future__ import annotations

from collections.abc import Sequence

from ...store.log.event_log import LogEvent
from ...store.log.thread_writer import DraftPiece
from ...store.threads import ThreadStore
from ...stream.step_news import StepNews


class TurnLog:
    """The log of one conversation, as a turn needs it.

    This one keeps nothing: its client keeps the conversation itself and posts all of it each time.
    """

    async def append(self, events: Sequence[LogEvent]) -> None:
        """Write down what happened.

        Raises:
            StoreError: it could not be written.
        """

    def save_draft(self, message_id: str, news: StepNews) -> None:
        """Have what the running step gained on the disk soon."""


class ThreadTurnLog(TurnLog):
    """The log of a turn in a stored thread."""

    def __init__(self, threads: ThreadStore, thread_id: str) -> None:
        self._threads = threads
        self._thread_id = thread_id

    async def append(self, events: Sequence[LogEvent]) -> None:
        await self._threads.append(self._thread_id, events)

    def save_draft(self, message_id: str, news: StepNews) -> None:
        self._threads.draft_writer.note(DraftPiece(self._thread_id, message_id, news))
