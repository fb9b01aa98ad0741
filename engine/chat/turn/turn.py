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
from ...base.events import FinishReason, Notice, ReplyFinished, ToolOutput, Usage
from ...base.messages import UIMessage
from ...context.plan import ContextTooSmall
from ...context.request_plan import Plan
from ...context.results import ResultBudget, share_budget
from ...context.tokens import count_text
from ...context.tool_facts import facts_of
from ...context.turn_calls import calls_of_turn
from ...llm.endpoint import Endpoint
from ...llm.refusals import failures
from ...stream.chunks import Chunk
from ..calls.allowed_tools import allowed_tools
from ..calls.calls import SortedCalls, ToolForm, sort_calls
from ..calls.limits import Limits, Spending, TurnClock, limit_reached, steps_of_turn
from ..calls.untrusted_text import untrusted_places
from ..replies.attempts import Attempts
from ..replies.reply_filter import FilteredModel
from ..thread_context.turn_context import TurnContext
from .response_writer import ResponseWriter, TurnLog
from .step_end import end_of_step

logger = logging.getLogger(__name__)

ServerTools = Mapping[str, Callable[[dict[str, Any], Sequence[UIMessage], ResultBudget], Awaitable[Any]]]
"""Called with the model's arguments, the conversation up to the step that is running, and the room of the result."""


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
        self._usage: Usage | None = None
        self._outcome = "left"
        self.tokens_used = 0

    @property
    def conversation(self) -> Sequence[UIMessage]:
        """All of it up to the step that is running."""
        return self._writer.conversation

    async def prepare(self) -> Plan | None:
        """Plan the first step ahead; None where it cannot be planned, which the stream then says."""
        with contextlib.suppress(ContextTooSmall):
            self._first_request = await self._setup.context.planner.plan(self.conversation)
        return self._first_request

    async def run(self) -> AsyncGenerator[Chunk, None]:
        """The chunks of the response, ended well whatever happens. Closing the generator stops the model."""
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
        yield writer.start()
        reason: FinishReason | None = None
        while reason is None:
            if notice := self._limit_reached() or await self._budget_reached():
                yield await writer.say(notice)
                reason = "interrupted"
                break
            request = await self._plan()
            yield writer.start_step()
            with setup.clock.running():
                async with contextlib.aclosing(attempts.ask(request, self.conversation)) as events:
                    async for event in events:
                        if not setup.tool_form.hides(event):
                            yield writer.feed(event)
            self._count(attempts.reply.usage)
            calls = await setup.tool_form.carried_out(self._sort_calls(attempts.reply))
            rooms = self._rooms(calls)
            if calls.accepted:
                calls = calls.with_rooms(rooms, untrusted_places(self.conversation))
            for decision in calls.decisions:
                yield writer.feed(decision)
            for call_to_run, room in zip(calls.accepted, rooms, strict=True):
                if run_tool := setup.server_tools.get(call_to_run.call.name):
                    writer.save_draft()
                    output = await run_tool(call_to_run.input, self.conversation, room)
                    yield writer.feed(ToolOutput(call_to_run.call.call_id, output))
            end = end_of_step(attempts.reply, calls, browser_tools=setup.browser_tools)
            for notice in (end.notice, await self._price_unknown()):
                if notice:
                    yield writer.feed(notice)
            yield await writer.close_step()
            reason = end.reason
        chunks = await writer.finish(reason, await self._metadata())
        self._outcome = reason
        yield chunks

    def _limit_reached(self) -> Notice | None:
        return limit_reached(self.conversation, self._setup.limits, seconds=self._setup.clock.seconds)

    async def _budget_reached(self) -> Notice | None:
        return None if self._setup.spending is None else await self._setup.spending.reached()

    async def _price_unknown(self) -> Notice | None:
        return None if self._setup.spending is None else await self._setup.spending.unknown(self.conversation)

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
            calls_of_turn(self.conversation),
            tool_names={*setup.browser_tools, *setup.server_tools, *form.added} - form.withheld,
            limits=setup.limits,
            facts=setup.context.frame.facts,
            allowed=allowed_tools(self.conversation, setup.context.frame.facts, form.added),
        )

    def _rooms(self, calls: SortedCalls) -> list[ResultBudget]:
        """Of each result of the step, which is sent behind the calls in the next request."""
        request = self._attempts.newest_request
        free = request.free if request else 0
        facts = self._setup.context.frame.facts
        taken = sum(count_text(each.call.arguments) for each in calls.accepted)
        return share_budget(free - taken, [facts_of(each.call.name, facts) for each in calls.accepted])

    def _count(self, usage: Usage | None) -> None:
        if usage is not None:
            self._usage = usage
            self.tokens_used += usage.input_tokens + usage.output_tokens

    async def _metadata(self) -> dict[str, Any]:
        metadata: dict[str, Any] = {
            "model": self._setup.endpoint.model,
            "steps": steps_of_turn(self.conversation),
        }
        if self._usage is not None:
            usage: dict[str, float] = {
                "inputTokens": self._usage.input_tokens,
                "outputTokens": self._usage.output_tokens,
                "totalTokens": self._usage.input_tokens + self._usage.output_tokens,
            }
            if self._usage.cached_tokens is not None:
                usage["cachedInputTokens"] = self._usage.cached_tokens
            if self._setup.spending is not None and (dollars := await self._setup.spending.dollars()):
                usage["dollars"] = dollars
            metadata["usage"] = usage
        return metadata

    def _log(self, seconds: float) -> None:
        request = self._attempts.newest_request
        if request is None:
            return
        logger.info(
            "turn: %s tokens in (%s), %s, %d messages, %s after %.1f s",
            f"{self._usage.input_tokens:,}" if self._usage else f"about {request.tokens:,}",
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
