"""One response of a turn: plan, stream, run server tools, again, until there is text or the browser has to act."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ..context.plan import ContextTooSmall, Plan
from ..context.repeats import calls_of_turn
from ..errors import AssistantError, ProviderError
from ..events import (
    Condensed,
    FinishReason,
    Notice,
    ReplyEvent,
    ReplyFinished,
    StepEvent,
    StepReset,
    ToolOutput,
    Usage,
)
from ..llm import failures
from ..llm.endpoint import Endpoint
from ..llm.overflow import ContextOverflow
from ..messages import Message, UIMessage, answer_metadata
from ..store.thread_log import LogEvent
from ..stream.chunks import Chunk
from ..stream.encoder import Encoder
from ..stream.parts import PartsBuilder
from .calls import SortedCalls, sort_calls
from .limits import Limits, limit_reached, steps_of_turn
from .records import Record
from .turn_context import TurnContext

logger = logging.getLogger(__name__)

_DRAFT_SECONDS = 1.0
_ATTEMPTS = 4
_SHRUNK = Notice(
    "retrying", "The conversation was longer than the model can read. It was condensed and is sent again …"
)


class Model(Protocol):
    def stream(
        self, endpoint: Endpoint, messages: Sequence[Message], tools: Sequence[dict[str, Any]]
    ) -> AsyncGenerator[ReplyEvent, None]: ...


ServerTools = Mapping[str, Callable[[dict[str, Any], Sequence[UIMessage]], Awaitable[Any]]]
"""Called with the model's arguments, and the conversation up to the step that is running."""


@dataclass(frozen=True)
class TurnSetup:
    """What a turn works with. `keeps_reports` leaves the context report of each step in the message, for whoever
    debugs it.
    """

    endpoint: Endpoint
    server_tools: ServerTools
    browser_tools: frozenset[str]
    context: TurnContext
    limits: Limits = field(default_factory=Limits)
    keeps_reports: bool = False


class Turn:
    """Streams one response. The steps of earlier responses of the same turn count against its limits."""

    def __init__(
        self,
        conversation: Sequence[UIMessage],
        *,
        message_id: str,
        setup: TurnSetup,
        model: Model,
        record: Record,
    ) -> None:
        self._conversation = list(conversation)
        self._message_id = message_id
        self._setup = setup
        self._model = model
        self._record = record
        self._encoder = Encoder(message_id=message_id, server_tools=setup.server_tools.keys())
        self._parts = PartsBuilder()
        self._is_in_step = False
        self._closing: asyncio.Task[None] | None = None
        self._usage: Usage | None = None
        self._prepared: Plan | None = None
        self._plan: Plan | None = None
        self._first_token_ms: float | None = None
        self.tokens_used = 0
        self._draft: asyncio.Task[None] | None = None
        self._draft_saved_at = time.monotonic()

    async def prepare(self) -> Plan | None:
        """Plan the first step ahead; None where it cannot be planned, which the stream then says."""
        with contextlib.suppress(ContextTooSmall):
            self._prepared = await self._setup.context.plan(self._conversation)
        return self._prepared

    async def run(self) -> AsyncGenerator[Chunk, None]:
        """The chunks of the response, ended well whatever happens. Closing the generator stops the model."""
        began = time.monotonic()
        outcome = "interrupted"
        try:
            for chunk in self._encoder.start():
                yield chunk
            reason: FinishReason | None = None
            while reason is None:
                if notice := limit_reached(self._conversation, self._setup.limits):
                    async for chunk in self._say(notice):
                        yield chunk
                    reason = "interrupted"
                    break
                async with contextlib.aclosing(self._step()) as step:
                    async for item in step:
                        if isinstance(item, _StepOver):
                            reason = item.reason
                        else:
                            yield item
            metadata = self._metadata()
            await self._append(LogEvent("metadata", self._message_id, metadata))
            outcome = reason
            for chunk in self._encoder.finish(reason, answer_metadata(metadata)):
                yield chunk
        except AssistantError as error:
            outcome = error.code
            async for chunk in self._fail(error):
                yield chunk
        except Exception:
            outcome = "internal_error"
            logger.exception("the turn failed")
            error = AssistantError(
                "internal_error",
                "ComfyUI Assistant failed while answering.",
                hint="Press Retry. The ComfyUI log has the details.",
                retryable=True,
            )
            async for chunk in self._fail(error):
                yield chunk
        finally:
            if outcome == "interrupted" and self._is_in_step:
                await asyncio.shield(self._keep_interrupted())
            self._log(outcome, time.monotonic() - began)

    @property
    def conversation(self) -> Sequence[UIMessage]:
        """All of it up to the step that is running."""
        return self._conversation

    async def _step(self) -> AsyncGenerator[Chunk | _StepOver, None]:
        context = self._setup.context
        prepared, self._prepared = self._prepared, None
        try:
            planned = prepared or await context.plan(self._conversation)
        except ContextTooSmall as error:
            raise failures.window_too_small(error.needed, error.room) from error
        for chunk in self._encoder.start_step():
            yield chunk
        self._is_in_step = True
        self._closing = None
        self._parts = PartsBuilder()
        finished: ReplyFinished | None = None
        for attempt in range(_ATTEMPTS):
            for chunk in await self._announce(planned):
                yield chunk
            try:
                async with contextlib.aclosing(self._reply(planned)) as reply:
                    async for event in reply:
                        if isinstance(event, ReplyFinished):
                            finished = event
                        for chunk in self._feed(event):
                            yield chunk
                        await self._save_draft()
            except ProviderError as error:
                if error.code != "context_overflow" or attempt == _ATTEMPTS - 1 or self._parts.text():
                    raise
                planned = await self._shrunk(planned, error, attempt + 1)
                for chunk in self._feed(_SHRUNK):
                    yield chunk
                continue
            if finished is None or not self._is_empty(finished):
                break
            if attempt:
                raise failures.empty_reply(self._setup.endpoint.model)
            for chunk in self._feed(StepReset()):
                yield chunk
        assert finished is not None
        self._usage = finished.usage or self._usage
        if finished.usage is not None:
            self.tokens_used += finished.usage.input_tokens + finished.usage.output_tokens
        if notice := await context.counted(planned, finished.usage, self._first_token_ms):
            for chunk in self._feed(notice):
                yield chunk
        async with contextlib.aclosing(self._act(finished)) as actions:
            async for item in actions:
                yield item

    async def _announce(self, planned: Plan) -> list[Chunk]:
        """Write the request down before it is sent, and tell the panel what is in it."""
        self._plan = planned
        step = steps_of_turn(self._conversation) + 1
        context = self._setup.context
        dividers = await context.sending(planned, message_id=self._message_id, step=step)
        report = context.report(planned, step)
        chunks = self._encoder.data("context", report, is_transient=not self._setup.keeps_reports)
        return chunks + [chunk for divider in dividers for chunk in self._feed(Condensed(divider))]

    async def _reply(self, planned: Plan) -> AsyncGenerator[ReplyEvent, None]:
        began = time.monotonic()
        self._first_token_ms = None
        stream = self._model.stream(self._setup.endpoint, planned.messages, self._setup.context.frame.tools)
        async with contextlib.aclosing(stream) as reply:
            async for event in reply:
                if self._first_token_ms is None and not isinstance(event, Notice):
                    self._first_token_ms = (time.monotonic() - began) * 1_000
                yield event

    async def _shrunk(self, refused: Plan, error: ProviderError, attempt: int) -> Plan:
        overflow = error.overflow if isinstance(error, ContextOverflow) else None
        try:
            return await self._setup.context.shrunk(self._conversation, refused, overflow, attempt)
        except ContextTooSmall:
            raise error from None

    def _is_empty(self, finished: ReplyFinished) -> bool:
        has_said_why = finished.reason in ("length", "content-filter")
        return not (finished.calls or has_said_why or self._parts.text().strip())

    async def _act(self, finished: ReplyFinished) -> AsyncGenerator[Chunk | _StepOver, None]:
        """Run what the reply asks for, close the step and write it down."""
        calls = sort_calls(
            finished,
            calls_of_turn(self._conversation),
            known={*self._setup.browser_tools, *self._setup.server_tools},
            limits=self._setup.limits,
        )
        for event in calls.decisions:
            for chunk in self._feed(event):
                yield chunk
        for event in calls.accepted:
            if event.call.name in self._setup.server_tools:
                await self._save_draft(now=True)
                run = self._setup.server_tools[event.call.name]
                output = await run(event.input, self._conversation)
                for chunk in self._feed(ToolOutput(event.call.call_id, output)):
                    yield chunk
        over = self._verdict(finished, calls)
        if notice := over.notice:
            for chunk in self._feed(notice):
                yield chunk
        for chunk in self._encoder.finish_step():
            yield chunk
        await self._close_step()
        yield over

    def _verdict(self, finished: ReplyFinished, calls: SortedCalls) -> _StepOver:
        """How the response goes on after this step: another step (None), the browser's turn, or the end."""
        if finished.reason is None:
            notice = Notice("cut-off", "The connection to the model broke off. What it wrote so far is kept.")
            return _StepOver("other", notice)
        if finished.reason == "length":
            return _StepOver(
                "length", Notice("length", "The model reached its limit of tokens for one reply.")
            )
        if finished.reason == "content-filter":
            return _StepOver(
                "content-filter", Notice("filtered", "The provider's content filter ended the reply.")
            )
        if calls.loop is not None:
            return _StepOver("interrupted", calls.loop)
        if any(event.call.name in self._setup.browser_tools for event in calls.accepted):
            return _StepOver("tool-calls")
        return _StepOver(None) if finished.calls else _StepOver("stop")

    def _feed(self, event: StepEvent) -> Iterator[Chunk]:
        self._parts.feed(event)
        yield from self._encoder.feed(event)

    async def _say(self, notice: Notice) -> AsyncGenerator[Chunk, None]:
        part = {"type": "data-notice", "data": {"code": notice.code, "message": notice.message}}
        await self._append(LogEvent("data", self._message_id, {"part": part}))
        for chunk in self._encoder.feed(notice):
            yield chunk

    async def _close_step(self, *after: LogEvent) -> None:
        """Write the step down, and `after` with it; a client that leaves meanwhile does not stop that.

        Raises:
            StoreError: it is still open, and can be tried again.
        """
        if self._closing is None or self._closing.done():
            self._closing = asyncio.create_task(self._write_step(after))
        await asyncio.shield(self._closing)

    async def _write_step(self, after: Sequence[LogEvent]) -> None:
        parts = self._parts.parts()
        await self._write([LogEvent("step", self._message_id, {"parts": parts}), *after])
        self._is_in_step = False
        last = self._conversation[-1]
        if last["role"] == "assistant" and last["id"] == self._message_id:
            self._conversation[-1] = {**last, "parts": [*last["parts"], *parts]}
        else:
            self._conversation.append({"id": self._message_id, "role": "assistant", "parts": parts})

    async def _fail(self, error: AssistantError) -> AsyncGenerator[Chunk, None]:
        """Say what failed, in the thread too: in one go with a step that is still open."""
        data = {
            "code": error.code,
            "message": error.message,
            "hint": error.hint,
            "retryable": error.retryable,
        }
        said = LogEvent("data", self._message_id, {"part": {"type": "data-error", "data": data}})
        try:
            await (self._close_step(said) if self._is_in_step else self._append(said))
        except AssistantError as refusal:
            logger.warning("the end of a reply that failed (%s) could not be kept: %s", error.code, refusal)
        for chunk in self._encoder.error(**data):
            yield chunk

    async def _keep_interrupted(self) -> None:
        if self._closing is None:
            self._parts.feed(Notice("interrupted", "Stopped."))
        try:
            if self._closing is not None:
                await asyncio.wait([self._closing])
            if self._is_in_step:
                await self._close_step()
        except AssistantError as error:
            logger.warning("an interrupted reply could not be kept: %s", error)

    async def _append(self, event: LogEvent) -> None:
        await asyncio.shield(self._write([event]))

    async def _write(self, events: Sequence[LogEvent]) -> None:
        if self._draft is not None:
            await self._draft
        await self._record.append(events)

    async def _save_draft(self, *, now: bool = False) -> None:
        due = now or time.monotonic() - self._draft_saved_at >= _DRAFT_SECONDS
        if not due or (self._draft is not None and not self._draft.done()):
            return
        self._draft_saved_at = time.monotonic()
        self._draft = asyncio.create_task(self._write_draft(self._parts.parts()))

    async def _write_draft(self, parts: list[dict[str, Any]]) -> None:
        try:
            await self._record.save_draft(self._message_id, parts)
        except AssistantError as error:
            logger.warning("the reply could not be saved while it streams: %s", error)

    def _metadata(self) -> dict[str, Any]:
        metadata: dict[str, Any] = {
            "model": self._setup.endpoint.model,
            "steps": steps_of_turn(self._conversation),
        }
        if self._usage is not None:
            usage = {
                "inputTokens": self._usage.input_tokens,
                "outputTokens": self._usage.output_tokens,
                "totalTokens": self._usage.input_tokens + self._usage.output_tokens,
            }
            if self._usage.cached_tokens is not None:
                usage["cachedInputTokens"] = self._usage.cached_tokens
            metadata["usage"] = usage
        return metadata

    def _log(self, outcome: str, seconds: float) -> None:
        plan = self._plan
        if plan is None:
            return
        logger.info(
            "turn: %s tokens in (%s), %s, %d messages, %s after %.1f s",
            f"{self._usage.input_tokens:,}" if self._usage else f"about {plan.tokens:,}",
            plan.form,
            f"condensed ({', '.join(plan.stages)})" if plan.stages else "nothing condensed",
            len(plan.messages),
            outcome,
            seconds,
        )


@dataclass(frozen=True)
class _StepOver:
    reason: FinishReason | None
    notice: Notice | None = None
