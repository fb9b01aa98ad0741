"""One response, written twice from one feed: as chunks for the panel, and step by step into the thread's log."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence, Set
from typing import Any

from ...base.errors import AssistantError
from ...base.events import ContextReport, FinishReason, Notice, StepEvent
from ...base.messages import UIMessage, answer_metadata
from ...store.log.event_log import LogEvent
from ...store.log.thread_writer import DraftPiece
from ...store.threads import ThreadStore
from ...stream.chunks import Chunk
from ...stream.encoder import Encoder
from ...stream.parts import StepDelta, StepParts

logger = logging.getLogger(__name__)
_SECONDS = 0.35


class ResponseWriter:
    """Writes one response. Every method returns the chunks to send; the thread stores the parts that they make.

    `conversation` is the whole conversation up to the running step.
    """

    def __init__(
        self, conversation: Sequence[UIMessage], *, message_id: str, server_tools: Set[str], log: TurnLog
    ) -> None:
        self.conversation = list(conversation)
        self._message_id = message_id
        self._log = log
        self._encoder = Encoder(message_id=message_id, server_tools=server_tools)
        self._parts = StepParts()
        self._draft = Draft(log, message_id)
        self._is_in_step = False
        self._last_write: asyncio.Task[None] | None = None

    def start(self, *, is_slim: bool) -> list[Chunk]:
        return self._encoder.start(answer_metadata({"slim": is_slim}))

    def start_step(self) -> list[Chunk]:
        self._parts = StepParts()
        self._last_write = None
        self._is_in_step = True
        return self._encoder.start_step()

    def feed(self, event: StepEvent) -> list[Chunk]:
        chunks = self._encoder.feed(event)
        if not isinstance(event, ContextReport):
            self._parts.read(chunks)
            self._draft.save_soon(self._parts)
        return chunks

    def save_draft(self) -> None:
        """Store what the step has so far, as before a tool that may take long."""
        self._draft.save(self._parts)

    async def close_step(self) -> list[Chunk]:
        """Store the step, and end it.

        Raises:
            StoreError: the step is still open, and can be tried again.
        """
        await self._keep_step()
        return self._encoder.finish_step()

    async def say(self, notice: Notice) -> list[Chunk]:
        """Write a notice that belongs to no step."""
        await self._append(LogEvent("data", self._message_id, {"part": notice.part}))
        return self._encoder.feed(notice)

    async def finish(self, reason: FinishReason, metadata: dict[str, Any]) -> list[Chunk]:
        await self._append(LogEvent("metadata", self._message_id, metadata))
        return self._encoder.finish(reason, answer_metadata(metadata))

    async def fail(self, error: AssistantError) -> list[Chunk]:
        """Write the failure, also into the thread, together with a step that is still open."""
        data = {
            "code": error.code,
            "message": error.message,
            "hint": error.hint,
            "retryable": error.retryable,
        }
        failure = LogEvent("data", self._message_id, {"part": {"type": "data-error", "data": data}})
        try:
            await (self._keep_step(failure) if self._is_in_step else self._append(failure))
        except AssistantError as refusal:
            logger.warning("the end of a reply that failed (%s) could not be kept: %s", error.code, refusal)
        return self._encoder.error(**data)

    async def stop(self) -> None:
        """Store what there is of a stopped step."""
        if not self._is_in_step:
            return
        if self._last_write is None:
            self.feed(Notice("interrupted", "Stopped."))
        else:
            await asyncio.wait([self._last_write])
        try:
            if self._is_in_step:
                await self._keep_step()
        except AssistantError as error:
            logger.warning("a reply that was stopped could not be kept: %s", error)

    async def _keep_step(self, *after: LogEvent) -> None:
        """Store the step, and the events `after` it, even if the client leaves meanwhile."""
        if self._last_write is None or self._last_write.done():
            self._last_write = asyncio.create_task(self._write_step(after))
        await asyncio.shield(self._last_write)

    async def _write_step(self, after: Sequence[LogEvent]) -> None:
        parts = self._parts.parts()
        await self._write([LogEvent("step", self._message_id, {"parts": parts}), *after])
        self._is_in_step = False
        last = self.conversation[-1]
        if last["role"] == "assistant" and last["id"] == self._message_id:
            self.conversation[-1] = {**last, "parts": [*last["parts"], *parts]}
        else:
            self.conversation.append({"id": self._message_id, "role": "assistant", "parts": parts})

    async def _append(self, event: LogEvent) -> None:
        await asyncio.shield(self._write([event]))

    async def _write(self, events: Sequence[LogEvent]) -> None:
        self._draft.leave()
        await self._log.append(events)


class Draft:
    """Stores what the running step gained, a moment later, so that little is lost if the server ends."""

    def __init__(self, log: TurnLog, message_id: str, *, seconds: float = _SECONDS) -> None:
        self._log = log
        self._message_id = message_id
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None

    def save_soon(self, parts: StepParts) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._seconds, self.save, parts)

    def save(self, parts: StepParts) -> None:
        self.leave()
        if (news := parts.news()) is not None:
            self._log.save_draft(self._message_id, news)

    def leave(self) -> None:
        """Save no more of the step, which is now stored whole."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class TurnLog:
    """The log of one conversation, as a turn needs it.

    This base class stores nothing: the client keeps the conversation itself and posts all of it each time.
    """

    async def append(self, events: Sequence[LogEvent]) -> None:
        """Write down what happened.

        Raises:
            StoreError: it could not be written.
        """

    def save_draft(self, message_id: str, news: StepDelta) -> None:
        """Store what the running step gained soon."""


class ThreadTurnLog(TurnLog):
    """The log of a turn in a stored thread."""

    def __init__(self, threads: ThreadStore, thread_id: str) -> None:
        self._threads = threads
        self._thread_id = thread_id

    async def append(self, events: Sequence[LogEvent]) -> None:
        await self._threads.append(self._thread_id, events)

    def save_draft(self, message_id: str, news: StepDelta) -> None:
        self._threads.draft_writer.note(DraftPiece(self._thread_id, message_id, news))
