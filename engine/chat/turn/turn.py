"""One response of a turn: plan, ask, run server tools, again, until there is text or the browser has to act."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...base.errors import AssistantError
from ...base.events import (
    Condensed,
    ContextReport,
    FinishReason,
    Notice,
    ReasoningDelta,
    ReplyEvent,
    ReplyFinished,
    StepEvent,
    StepReset,
    TextDelta,
    ToolOutput,
)
from ...base.messages import UIMessage
from ...context.plan import ContextTooSmall, Plan
from ...context.results import ResultBudget
from ...context.turn_calls import list_turn_calls
from ...llm.endpoint import Endpoint
from ...llm.refusals import failures
from ...llm.refusals.overflow import ContextOverflow, Overflow
from ...stream.chunks import Chunk
from ..calls.allowed_tools import allowed_tools
from ..calls.calls import SortedCalls, ToolForm, sort_calls
from ..calls.limits import Limits, Spending, TurnClock, TurnUsage, count_steps, limit_notice
from ..calls.untrusted_text import untrusted_places
from ..replies.filtered_model import FilteredModel
from ..thread_context.turn_context import TurnContext
from .response_writer import ResponseWriter, TurnLog
from .step_end import decide_step_end

logger = logging.getLogger(__name__)

ServerTools = Mapping[str, Callable[[dict[str, Any], Sequence[UIMessage], ResultBudget], Awaitable[Any]]]
"""Tools by name, called with the model's arguments, the conversation up to the running step and the result's room."""
_EMPTY_REPLIES = 2
_OVERFLOWS = 8
_CUT_OFF = ReplyFinished(None, (), None)
_SHRUNK = Notice(
    "retrying", "The conversation was longer than the model can read. It was condensed and is sent again …"
)


@dataclass(frozen=True)
class TurnSetup:
    """The collaborators of a turn. `keeps_reports` leaves each step's context report in the message, for debugging."""

    endpoint: Endpoint
    server_tools: ServerTools
    browser_tools: frozenset[str]
    context: TurnContext
    limits: Limits = field(default_factory=Limits)
    keeps_reports: bool = False
    tool_form: ToolForm = field(default_factory=ToolForm)
    spending: Spending | None = None
    clock: TurnClock = field(default_factory=TurnClock)


class Turn:
    """Streams one response. The steps of earlier responses of the same turn count against its limits."""

    def __init__(
        self,
        conversation: Sequence[UIMessage],
        *,
        message_id: str,
        setup: TurnSetup,
        model: FilteredModel,
        log: TurnLog,
    ) -> None:
        self._setup = setup
        self._writer = ResponseWriter(
            conversation, message_id=message_id, server_tools=setup.server_tools.keys(), log=log
        )
        self._attempts = Attempts(
            message_id=message_id,
            model=model,
            endpoint=setup.endpoint,
            context=setup.context,
            keeps_reports=setup.keeps_reports,
        )
        self._first_request: Plan | None = None
        self._outcome = "left"
        self.usage = TurnUsage()

    @property
    def conversation(self) -> Sequence[UIMessage]:
        """The whole conversation up to the running step."""
        return self._writer.conversation

    async def prepare(self) -> Plan | None:
        """Plan the first step ahead; return None if it cannot be planned, which the stream then says."""
        with contextlib.suppress(ContextTooSmall):
            self._first_request = await self._setup.context.planner.plan(self.conversation)
        return self._first_request

    async def run(self) -> AsyncGenerator[Chunk, None]:
        """Yield the chunks of the response, well ended whatever happens. Closing the generator stops the model."""
        began = time.monotonic()
        try:
            async with contextlib.aclosing(self._respond()) as response:
                async for chunks in response:
                    for chunk in chunks:
                        yield chunk
        except AssistantError as error:
            self._outcome = error.code
            for chunk in await self._writer.fail(error):
                yield chunk
        except Exception:
            self._outcome = "internal_error"
            logger.exception("the turn failed")
            for chunk in await self._writer.fail(_internal_error()):
                yield chunk
        except (asyncio.CancelledError, GeneratorExit):
            await asyncio.shield(self._writer.stop())
            raise
        finally:
            self._log(time.monotonic() - began)

    async def _respond(self) -> AsyncGenerator[list[Chunk], None]:
        setup, writer, attempts = self._setup, self._writer, self._attempts
        yield writer.start(is_slim=setup.tool_form.is_for_small_windows)
        reason: FinishReason | None = None
        while reason is None:
            if notice := await self._limit_notice():
                yield await writer.say(notice)
                reason = "interrupted"
                break
            planned = await self._plan()
            yield writer.start_step()
            with setup.clock.running():
                async with contextlib.aclosing(attempts.ask(planned, self.conversation)) as events:
                    async for event in events:
                        if not setup.tool_form.hides(event):
                            yield writer.feed(event)
            self.usage.add(attempts.reply.usage)
            calls = await setup.tool_form.translate(self._sort_calls(attempts.reply))
            planned = attempts.newest_request or planned
            rooms = calls.share_room(planned.free, setup.context.frame.facts)
            if calls.accepted:
                calls = calls.with_rooms(rooms, untrusted_places(self.conversation))
            for decision in calls.decisions:
                yield writer.feed(decision)
            for call_to_run, room in zip(calls.accepted, rooms, strict=True):
                if run_tool := setup.server_tools.get(call_to_run.call.name):
                    writer.save_draft()
                    output = await run_tool(call_to_run.input, self.conversation, room)
                    yield writer.feed(ToolOutput(call_to_run.call.call_id, output))
            end = decide_step_end(attempts.reply, calls, browser_tools=setup.browser_tools)
            for notice in (end.notice, await self._price_notice()):
                if notice:
                    yield writer.feed(notice)
            yield await writer.close_step()
            reason = end.reason
        chunks = await writer.finish(reason, await self._metadata())
        self._outcome = reason
        yield chunks

    async def _limit_notice(self) -> Notice | None:
        setup = self._setup
        notice = limit_notice(self.conversation, setup.limits, seconds=setup.clock.seconds)
        return notice if notice or setup.spending is None else await setup.spending.budget_notice()

    async def _price_notice(self) -> Notice | None:
        return (
            None
            if self._setup.spending is None
            else await self._setup.spending.price_notice(self.conversation)
        )

    async def _plan(self) -> Plan:
        first_request, self._first_request = self._first_request, None
        try:
            return first_request or await self._setup.context.planner.plan(self.conversation)
        except ContextTooSmall as error:
            raise failures.window_too_small(error.tokens, error.room) from error

    def _sort_calls(self, reply: ReplyFinished) -> SortedCalls:
        setup = self._setup
        form = setup.tool_form
        return sort_calls(
            reply,
            list_turn_calls(self.conversation),
            tool_names={*setup.browser_tools, *setup.server_tools, *form.added} - form.withheld,
            limits=setup.limits,
            facts=setup.context.frame.facts,
            allowed=allowed_tools(self.conversation, setup.context.frame.facts, form.added),
        )

    async def _metadata(self) -> dict[str, Any]:
        setup, usage = self._setup, self.usage.as_json()
        if usage and setup.spending is not None and (dollars := await setup.spending.dollars()):
            usage["dollars"] = dollars
        about = {"model": setup.endpoint.model, "steps": count_steps(self.conversation)}
        return {**about, "usage": usage} if usage else about

    def _log(self, seconds: float) -> None:
        request = self._attempts.newest_request
        if request is None:
            return
        logger.info(
            "turn: %s tokens in (%s), %s, %d messages, %s after %.1f s",
            f"{usage.input_tokens:,}" if (usage := self.usage.newest) else f"about {request.tokens:,}",
            request.form,
            f"condensed ({', '.join(request.stages)})" if request.stages else "nothing condensed",
            len(request.messages),
            self._outcome,
            seconds,
        )


def _internal_error() -> AssistantError:
    return AssistantError(
        "internal_error",
        "ComfyUI Assistant failed while answering.",
        hint="Press Retry. The ComfyUI log has the details.",
        retryable=True,
    )


class Attempts:
    """The attempts at each request: `newest_request` is what was sent last, and `reply` the end of its reply."""

    def __init__(
        self,
        *,
        message_id: str,
        model: FilteredModel,
        endpoint: Endpoint,
        context: TurnContext,
        keeps_reports: bool,
    ) -> None:
        self.newest_request: Plan | None = None
        self.reply = _CUT_OFF
        self._message_id = message_id
        self._model = model
        self._endpoint = endpoint
        self._context = context
        self._keeps_reports = keeps_reports

    async def ask(self, request: Plan, conversation: Sequence[UIMessage]) -> AsyncGenerator[StepEvent, None]:
        """Yield the events of a request, until there is a `reply`.

        Refusals as too long and empty replies are counted separately. A reply to a request that the server cut without
        a word is taken back once, unless it has calls.

        Raises:
            ProviderError
        """
        step = count_steps(conversation) + 1
        overflows = empty_replies = 0
        was_cut = False
        while True:
            for event in await self._announce(request, step):
                yield event
            reply = _Reply()
            stream = self._model.stream(self._endpoint, request.messages, self._context.frame.tools)
            try:
                async with contextlib.aclosing(stream) as events:
                    async for event in events:
                        reply.note(event)
                        yield event
            except ContextOverflow as overflow:
                overflows += 1
                if reply.has_text or overflows > _OVERFLOWS:
                    raise
                request = await self._shrink(conversation, request, overflow.overflow, refusal=overflow)
                if reply.has_begun:
                    yield StepReset()
                yield _SHRUNK
                continue
            if reply.is_empty:
                empty_replies += 1
                if empty_replies == _EMPTY_REPLIES:
                    raise failures.empty_reply(self._endpoint.model, has_thought=reply.has_thought)
                yield StepReset()
                continue
            cut = await self._context.recorder.write_usage(request, reply.end.usage, reply.first_token_ms)
            if not (cut and cut.overflow) or was_cut or reply.end.calls or self._context.frame.form == "slim":
                break
            was_cut = True
            yield StepReset()
            request = await self._shrink(conversation, request, cut.overflow)
            yield cut.notice
        if cut:
            yield cut.notice
        self.reply = reply.end

    async def _announce(self, request: Plan, step: int) -> list[StepEvent]:
        """Store the request before it is sent, and return its report for the panel."""
        recorder = self._context.recorder
        is_new, self.newest_request = request is not self.newest_request, request
        dividers = await recorder.write_condensed(request) if is_new else []
        recorder.write_request(request, message_id=self._message_id, step=step)
        report = ContextReport(recorder.report(request, step), is_kept=self._keeps_reports)
        return [report, *map(Condensed, dividers), *recorder.take_notices()]

    async def _shrink(
        self,
        conversation: Sequence[UIMessage],
        previous: Plan,
        overflow: Overflow,
        *,
        refusal: ContextOverflow | None = None,
    ) -> Plan:
        try:
            return await self._context.shrink(conversation, previous, overflow)
        except ContextTooSmall as error:
            if refusal and self._context.frame.form == "slim":
                raise refusal from None
            raise failures.window_is_smaller(
                self._endpoint.model, self._context.planner.budget.window
            ) from error


@dataclass
class _Reply:
    """The state of a reply so far. A reply without an end was cut off."""

    began: float = field(default_factory=time.monotonic)
    first_token_ms: float | None = None
    has_text: bool = False
    has_thought: bool = False
    end: ReplyFinished = _CUT_OFF

    @property
    def has_begun(self) -> bool:
        return self.first_token_ms is not None

    @property
    def is_empty(self) -> bool:
        has_said_why = self.end.reason in ("length", "content-filter")
        return not (self.end.calls or has_said_why or self.has_text)

    def note(self, event: ReplyEvent) -> None:
        if self.first_token_ms is None and not isinstance(event, Notice):
            self.first_token_ms = (time.monotonic() - self.began) * 1_000
        if isinstance(event, ReplyFinished):
            self.end = event
        elif isinstance(event, StepReset):
            self.has_text = False
        elif isinstance(event, ReasoningDelta):
            self.has_thought = True
        elif isinstance(event, TextDelta):
            self.has_text = self.has_text or bool(event.text.strip())
