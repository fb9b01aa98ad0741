"""Where a turn is written down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from ..store.thread_log import LogEvent
from ..store.threads import ThreadStore


class TurnLog(Protocol):
    """The log of one conversation, as a turn needs it."""

    async def append(self, events: Sequence[LogEvent]) -> None: ...

    async def save_draft(self, message_id: str, parts: Sequence[Mapping[str, Any]]) -> None: ...


class ThreadTurnLog:
    def __init__(self, threads: ThreadStore, thread_id: str) -> None:
        self._threads = threads
        self._thread_id = thread_id

    async def append(self, events: Sequence[LogEvent]) -> None:
        await self._threads.append(self._thread_id, events)

    async def save_draft(self, message_id: str, parts: Sequence[Mapping[str, Any]]) -> None:
        await self._threads.save_draft(self._thread_id, message_id, parts)


class NoTurnLog:
    """For a client that keeps the conversation itself and posts all of it each time."""

    async def append(self, events: Sequence[LogEvent]) -> None: ...

    async def save_draft(self, message_id: str, parts: Sequence[Mapping[str, Any]]) -> None: ...
