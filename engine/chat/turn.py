"""One response of a turn: plan, stream, run server tools, again, until there is text or the browser has to act."""

from __future__ import annotations

import asyncio
import contextlib
import difflib
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..context.plan import Plan
from ..context.repeats import call_key, calls_of_turn, cycles, part_key
from ..errors import AssistantError
from ..events import (
    FinishReason,
    Notice,
    ReplyEvent,
    ReplyFinished,
    StepEvent,
    StepReset,
    ToolCall,
    ToolInputAccepted,
    ToolInputRejected,
    ToolOutput,
    Usage,
)
from ..llm import failures
from ..llm.client import Endpoint
from ..llm.tool_calls import parse_arguments
from ..messages import Message, UIMessage, last_user_index, tool_name
from ..store.thread_log import LogEvent
from ..stream.chunks import Chunk
from ..stream.encoder import Encoder
from ..stream.parts import PartsBuilder

logger = logging.getLogger(__name__)

_DRAFT_SECONDS = 1.0


class Model(Protocol):
    def stream(
        self, endpoint: Endpoint, messages: Sequence[Message], tools: Sequence[dict[str, Any]]
    ) -> AsyncGenerator[ReplyEvent, None]: ...


class Record(Protocol):
    """Where a turn is written down; nothing at all for a conversation that its client keeps."""

    async def append(self, events: Sequence[LogEvent]) -> None: ...

    async def save_draft(self, message_id: str, parts: Sequence[Mapping[str, Any]]) -> None: ...


@dataclass(frozen=True)
class Limits:
    """How far a turn may go before the person is asked.

    A call repeated `repeats` times in a row stops the turn: with the same result each time, or, for the small models
    that cannot tell when they are done, whatever the result (`repeats_any_result`).
    """

    steps: int = 25
    calls: int = 60
    parallel_calls: int = 8
    repeats: int = 5
    repeats_any_result: bool = False


SLIM_LIMITS = Limits(steps=12, calls=24, repeats=2, repeats_any_result=True)


@dataclass(frozen=True)
class TurnSetup:
    """What a turn works with. `plan` is pure; `server_tools` are called with the model's arguments."""

    endpoint: Endpoint
    tools: Sequence[dict[str, Any]]
    server_tools: Mapping[str, Callable[[dict[str, Any]], Awaitable[Any]]]
    browser_tools: frozenset[str]
    plan: Callable[[Sequence[UIMessage]], Plan]
    limits: Limits = Limits()


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
        self._usage: Usage | None = None
        self._plan: Plan | None = None
        self._draft: asyncio.Task[None] | None = None
        self._draft_saved_at = time.monotonic()

    async def run(self) -> AsyncGenerator[Chunk, None]:
        """The chunks of the response, ended well whatever happens. Closing the generator stops the model."""
        began = time.monotonic()
        outcome = "interrupted"
        try:
            for chunk in self._encoder.start():
                yield chunk
            reason: FinishReason | None = None
            while reason is None:
                if notice := self._limit_reached():
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
            for chunk in self._encoder.finish(reason, metadata):
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

    async def _step(self) -> AsyncGenerator[Chunk | _StepOver, None]:
        planned = self._plan = self._setup.plan(self._conversation)
        if planned.tokens > planned.window:
            raise failures.too_long(planned.tokens, planned.window)
        number = self._steps_so_far() + 1
        for chunk in self._encoder.start_step():
            yield chunk
        for chunk in self._encoder.data("context", {"step": number, **planned.report()}, is_transient=True):
            yield chunk
        self._is_in_step = True
        self._parts = PartsBuilder()
        finished: ReplyFinished | None = None
        for attempt in range(2):
            async with contextlib.aclosing(
                self._model.stream(self._setup.endpoint, planned.messages, self._setup.tools)
            ) as reply:
                async for event in reply:
                    if isinstance(event, ReplyFinished):
                        finished = event
                    for chunk in self._feed(event):
                        yield chunk
                    await self._save_draft()
            if (
                finished is None
                or finished.calls
                or self._parts.text().strip()
                or finished.reason == "length"
            ):
                break
            if attempt == 1:
                raise failures.empty_reply(self._setup.endpoint.model)
            for chunk in self._feed(StepReset()):
                yield chunk
        assert finished is not None
        self._usage = finished.usage or self._usage
        async with contextlib.aclosing(self._act(finished)) as actions:
            async for item in actions:
                yield item

    async def _act(self, finished: ReplyFinished) -> AsyncGenerator[Chunk | _StepOver, None]:
        """Run what the reply asks for, close the step and write it down."""
        accepted, rejected, loop = self._sort(finished)
        for event in rejected:
            for chunk in self._feed(event):
                yield chunk
        for event in accepted:
            for chunk in self._feed(event):
                yield chunk
        for event in accepted:
            if event.call.name in self._setup.server_tools:
                await self._save_draft(now=True)
                output = await self._setup.server_tools[event.call.name](event.input)
                for chunk in self._feed(ToolOutput(event.call.call_id, output)):
                    yield chunk
        over = self._verdict(finished, accepted, loop)
        if notice := over.notice:
            for chunk in self._feed(notice):
                yield chunk
        for chunk in self._encoder.finish_step():
            yield chunk
        await self._close_step()
        yield over

    def _sort(
        self, finished: ReplyFinished
    ) -> tuple[list[ToolInputAccepted], list[ToolInputRejected], Notice | None]:
        """Which calls are run, which are answered with an error, and whether the model runs in circles."""
        was_cut = finished.reason in (None, "length", "content-filter")
        names = [call_key(tool_name(part), part.get("input")) for part in calls_of_turn(self._conversation)]
        results = [part_key(part) for part in calls_of_turn(self._conversation)]
        limits = self._setup.limits
        accepted: list[ToolInputAccepted] = []
        rejected: list[ToolInputRejected] = []
        loop: Notice | None = None
        for call in finished.calls:
            value = parse_arguments(call.arguments)
            if was_cut:
                rejected.append(
                    ToolInputRejected(call, "Not run: the reply ended before this call was complete.")
                )
            elif error := self._why_not(call, value):
                rejected.append(ToolInputRejected(call, error))
            elif len(accepted) >= limits.parallel_calls:
                error = f"Not run: at most {limits.parallel_calls} calls fit into one step. Make it again."
                rejected.append(ToolInputRejected(call, error))
            elif cycles([*names, call_key(call.name, value)]) >= limits.repeats and (
                limits.repeats_any_result or cycles(results) >= limits.repeats - 1
            ):
                rejected.append(ToolInputRejected(call, "Not run: this call has been repeated too often."))
                loop = _loop_notice(call)
            else:
                accepted.append(ToolInputAccepted(call, value or {}))
        return accepted, rejected, loop

    def _why_not(self, call: ToolCall, value: dict[str, Any] | None) -> str | None:
        known = sorted([*self._setup.browser_tools, *self._setup.server_tools])
        if call.name not in known:
            closest = difflib.get_close_matches(call.name, known, n=3, cutoff=0.5)
            return f'There is no tool "{call.name}". ' + (
                f"Did you mean {' or '.join(closest)}?" if closest else f"There are: {', '.join(known)}."
            )
        if value is None:
            return f"The arguments of {call.name} are no JSON object: {call.arguments[:200]!r}. Make the call again."
        return None

    def _verdict(
        self, finished: ReplyFinished, accepted: Sequence[ToolInputAccepted], loop: Notice | None
    ) -> _StepOver:
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
        if loop is not None:
            return _StepOver("interrupted", loop)
        if any(event.call.name in self._setup.browser_tools for event in accepted):
            return _StepOver("tool-calls")
        return _StepOver(None) if finished.calls else _StepOver("stop")

    def _limit_reached(self) -> Notice | None:
        steps, calls = self._steps_so_far(), len(calls_of_turn(self._conversation))
        limits = self._setup.limits
        if steps >= limits.steps:
            return Notice(
                "step-limit",
                f"Stopped after {steps} steps without an end. Continue if it is on the right way.",
            )
        if calls >= limits.calls:
            return Notice(
                "step-limit", f"Stopped after {calls} tool calls. Continue if it is on the right way."
            )
        return None

    def _steps_so_far(self) -> int:
        turn = self._conversation[last_user_index(self._conversation) + 1 :]
        return sum(part["type"] == "step-start" for message in turn for part in message["parts"])

    def _feed(self, event: StepEvent) -> Iterator[Chunk]:
        self._parts.feed(event)
        yield from self._encoder.feed(event)

    async def _say(self, notice: Notice) -> AsyncGenerator[Chunk, None]:
        part = {"type": "data-notice", "data": {"code": notice.code, "message": notice.message}}
        await self._append(LogEvent("data", self._message_id, {"part": part}))
        for chunk in self._encoder.feed(notice):
            yield chunk

    async def _close_step(self) -> None:
        self._is_in_step = False
        parts = self._parts.parts()
        last = self._conversation[-1]
        if last["role"] == "assistant" and last["id"] == self._message_id:
            self._conversation[-1] = {**last, "parts": [*last["parts"], *parts]}
        else:
            self._conversation.append({"id": self._message_id, "role": "assistant", "parts": parts})
        await self._append(LogEvent("step", self._message_id, {"parts": parts}))

    async def _fail(self, error: AssistantError) -> AsyncGenerator[Chunk, None]:
        if self._is_in_step:
            with contextlib.suppress(AssistantError):
                await self._close_step()
        data = {
            "code": error.code,
            "message": error.message,
            "hint": error.hint,
            "retryable": error.retryable,
        }
        with contextlib.suppress(AssistantError):
            part = {"type": "data-error", "data": data}
            await self._append(LogEvent("data", self._message_id, {"part": part}))
        for chunk in self._encoder.error(**data):
            yield chunk

    async def _keep_interrupted(self) -> None:
        self._parts.feed(Notice("interrupted", "Stopped."))
        try:
            await self._close_step()
        except AssistantError as error:
            logger.warning("an interrupted reply could not be kept: %s", error)

    async def _append(self, event: LogEvent) -> None:
        if self._draft is not None:
            await self._draft
        await self._record.append([event])

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
        metadata: dict[str, Any] = {"model": self._setup.endpoint.model, "steps": self._steps_so_far()}
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
            "turn: %s tokens in (%s), %d rounds folded, %d messages kept, %s after %.1f s",
            f"{self._usage.input_tokens:,}" if self._usage else f"about {plan.tokens:,}",
            plan.form,
            plan.folded_rounds,
            len(plan.messages),
            outcome,
            seconds,
        )


@dataclass(frozen=True)
class _StepOver:
    reason: FinishReason | None
    notice: Notice | None = None


def _loop_notice(call: ToolCall) -> Notice:
    return Notice(
        "loop", f"The model began to repeat {call.name}, so it was stopped. The repeated call was not run."
    )
