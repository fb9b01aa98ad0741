"""Responses that run on their own: their readers may leave, come back and resume, or read along with others."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from ..base.caller import current_user
from ..context.plan import Plan
from ..llm.endpoint import Endpoint
from ..stream import sse
from ..stream.chunks import Chunk
from .incoming.request import ChatRequest

logger = logging.getLogger(__name__)

_KEPT_SECONDS = 120.0
_LOOK_SECONDS = 0.25
_MOST_BYTES = 32 * 1_048_576
"""The most that is kept of one response; a long turn of hard work has a few megabytes."""
_EVENT_BYTES = 80
"""The memory of an event beside its own bytes."""
_STOPPED: Chunk = {"type": "data-notice", "data": {"code": "interrupted", "message": "Stopped."}}
"""The notice for readers who did not stop the response; the thread stores its own."""


@dataclass(frozen=True)
class Beginning:
    """The message that a response goes into, the number of its parts before, and the first request to the model.

    `first_request` is None if it cannot be planned; the chunks then say so.
    """

    message_id: str
    parts: int
    first_request: Plan | None


@dataclass(frozen=True)
class Answer:
    """The chunks of a response, and the endpoint of its model."""

    chunks: AsyncGenerator[Chunk, None]
    beginning: Beginning
    endpoint: Endpoint | None = None


class BeginAnswer(Protocol):
    """A function that begins an answer and holds its thread until the context ends: `Answers.answer`."""

    def __call__(
        self, request: ChatRequest, *, keeps_reports: bool = False
    ) -> contextlib.AbstractAsyncContextManager[Answer]: ...


class ResponseStream:
    """One response: its server-sent events in order, without the last `[DONE]`.

    Beyond `most_bytes` the oldest events are dropped, and reading can no longer begin with them. The thread has all.
    """

    def __init__(self, thread_id: str | None, most_bytes: int | None = None) -> None:
        self.id = secrets.token_hex(8)
        self.thread_id = thread_id
        self._most_bytes = _MOST_BYTES if most_bytes is None else most_bytes
        self._events: list[bytes] = []
        self._first = 0
        self._bytes = 0
        self.is_over = False
        self.begun: asyncio.Future[Beginning] = asyncio.get_running_loop().create_future()
        self.readers = 0
        self.endpoint: Endpoint | None = None
        """The endpoint of the model, once it is known."""
        self.question: str | None = None
        """The id of the user message, if the request came with one."""
        self.was_read = False
        """Whether anybody read it to its end or stopped it; otherwise no call in it was begun."""
        self._open_calls: set[str] = set()
        self._news: asyncio.Future[None] | None = None

    @property
    def beginning(self) -> Beginning | None:
        return self.begun.result() if self.begun.done() and not self.begun.exception() else None

    @property
    def runs_a_tool(self) -> bool:
        """Whether a server tool runs. Calls of browser tools end the response."""
        return bool(self._open_calls)

    def add(self, chunk: Chunk) -> None:
        call_id = str(chunk.get("toolCallId"))
        if chunk["type"] == "tool-input-available" and chunk.get("providerExecuted"):
            self._open_calls.add(call_id)
        elif chunk["type"] == "tool-output-available":
            self._open_calls.discard(call_id)
        event = sse.encode(chunk)
        self._events.append(event)
        self._bytes += len(event) + _EVENT_BYTES
        if self._bytes > self._most_bytes:
            self._forget_oldest()
        self._tell()

    def has(self, start: int) -> bool:
        """Return whether it can be read from this event on."""
        return start >= self._first

    def _forget_oldest(self) -> None:
        """Drop the oldest events down to half of the limit, but never the newest one."""
        count = 0
        while self._bytes > self._most_bytes // 2 and count < len(self._events) - 1:
            self._bytes -= len(self._events[count]) + _EVENT_BYTES
            count += 1
        del self._events[:count]
        self._first += count

    def end(self) -> None:
        self.is_over = True
        self._tell()

    async def read(self, start: int = 0) -> AsyncGenerator[bytes, None]:
        """Yield the events from `start` on, the present ones in one piece, until the response is over.

        Raises:
            ConnectionError: the reader is so far behind that its next events were dropped.
        """
        self.readers += 1
        try:
            position = start
            while True:
                if not self.has(position):
                    raise ConnectionError("The events to be read next are forgotten.")
                if (at := position - self._first) < len(self._events):
                    news, position = self._events[at:], self._first + len(self._events)
                    yield b"".join(news)
                elif self.is_over:
                    self.was_read = True
                    return
                else:
                    await asyncio.shield(self._next_news())
        finally:
            self.readers -= 1

    def _next_news(self) -> asyncio.Future[None]:
        if self._news is None:
            self._news = asyncio.get_running_loop().create_future()
        return self._news

    def _tell(self) -> None:
        if self._news is not None:
            news, self._news = self._news, None
            news.set_result(None)


class ResponseStreams:
    """The responses of every user. One that nobody reads for `pause_seconds` is stopped, unless a server tool runs; one
    that is over can be read for two more minutes.
    """

    def __init__(
        self, answer: BeginAnswer, *, pause_seconds: float, kept_seconds: float = _KEPT_SECONDS
    ) -> None:
        self._answer = answer
        self._pause_seconds = pause_seconds
        self._kept_seconds = kept_seconds
        self._by_thread: dict[tuple[str | None, str], ResponseStream] = {}
        self._beginning: dict[tuple[str | None, str], ResponseStream] = {}
        self._tasks: dict[ResponseStream, asyncio.Task[None]] = {}

    async def begin(self, request: ChatRequest, *, keeps_reports: bool = False) -> ResponseStream:
        """Begin a response, and return it once it is certain that there will be one.

        Raises:
            AssistantError: what `Answers.answer` raises.
        """
        live = ResponseStream(request.thread_id)
        newest = request.messages[-1] if request.messages else None
        live.question = newest["id"] if newest is not None and newest["role"] == "user" else None
        task = asyncio.create_task(self._run(live, request, keeps_reports=keeps_reports))
        self._tasks[live] = task
        task.add_done_callback(lambda _: self._tasks.pop(live, None))
        with self._is_beginning(live):
            await asyncio.shield(live.begun)
        return live

    def newest(self, thread_id: str) -> ResponseStream | None:
        """Return the newest response in a thread of the current user, if it runs or has just ended."""
        return self._by_thread.get((current_user(), thread_id))

    def running(self, thread_id: str) -> ResponseStream | None:
        live = self.newest(thread_id)
        return live if live is not None and not live.is_over else None

    def others_ask(self, endpoint: Endpoint, thread_id: str | None) -> bool:
        """Return whether this endpoint answers, or may be about to answer, in any other thread of any user."""
        asked = (endpoint.base_url, endpoint.model)
        return any(
            live.thread_id != thread_id
            and (live.endpoint is None or (live.endpoint.base_url, live.endpoint.model) == asked)
            for live in self._tasks
        )

    def unread(self, thread_id: str) -> ResponseStream | None:
        """Return the running response, or one that ended before anybody had read all of it."""
        live = self.newest(thread_id)
        return live if live is not None and not (live.is_over and live.was_read) else None

    async def stop(self, thread_id: str, response: str | None = None, *, answer: str | None = None) -> bool:
        """Stop the response of this id, or in the message `answer`, or any; return whether there was one.

        Its text so far is stored. A response that is just beginning is stopped once its message is in the thread.
        """
        live = self.running(thread_id) or self._beginning.get((current_user(), thread_id))
        task = self._tasks.get(live) if live is not None else None
        if live is None or task is None or response not in (None, live.id):
            return False
        await asyncio.wait([live.begun])
        if live.beginning is None or answer not in (None, live.beginning.message_id):
            return False
        task.cancel()
        await asyncio.wait([task])
        live.was_read = True
        return True

    async def close(self) -> None:
        tasks = [*self._tasks.values()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _run(self, live: ResponseStream, request: ChatRequest, *, keeps_reports: bool) -> None:
        watching: asyncio.Task[None] | None = None
        try:
            async with self._answer(request, keeps_reports=keeps_reports) as answer:
                self._keep(live)
                live.endpoint = answer.endpoint
                live.begun.set_result(answer.beginning)
                watching = asyncio.create_task(self._stop_unread(live, asyncio.current_task()))
                async with contextlib.aclosing(answer.chunks) as chunks:
                    async for chunk in chunks:
                        live.add(chunk)
        except asyncio.CancelledError:
            live.add(_STOPPED)
            raise
        except Exception as error:
            if live.begun.done():
                logger.error("the stream broke off (%s: %s)", type(error).__name__, error)
            else:
                live.begun.set_exception(error)
        finally:
            if watching is not None:
                watching.cancel()
            live.end()
            if not live.begun.done():
                live.begun.cancel()
            asyncio.get_running_loop().call_later(self._kept_seconds, self._forget, live)

    async def _stop_unread(self, live: ResponseStream, task: asyncio.Task[Any] | None) -> None:
        """Stop a response that nobody reads: at once without a thread, since nobody could come back to it."""
        pause = self._pause_seconds if live.thread_id is not None else 0.0
        unread = 0.0
        while unread <= pause:
            await asyncio.sleep(_LOOK_SECONDS)
            is_needed = live.readers > 0 or (live.thread_id is not None and live.runs_a_tool)
            unread = 0.0 if is_needed else unread + _LOOK_SECONDS
        if task is not None:
            task.cancel()

    @contextlib.contextmanager
    def _is_beginning(self, live: ResponseStream) -> Iterator[None]:
        """Note that a response is beginning; of several that wait for the thread the newest counts."""
        key = (current_user(), live.thread_id or "")
        self._beginning[key] = live
        try:
            yield
        finally:
            if self._beginning.get(key) is live:
                del self._beginning[key]

    def _keep(self, live: ResponseStream) -> None:
        if live.thread_id is not None:
            self._by_thread[current_user(), live.thread_id] = live

    def _forget(self, live: ResponseStream) -> None:
        for key in [key for key, kept in self._by_thread.items() if kept is live]:
            del self._by_thread[key]
