"""One request to the model, tried again where that can help: smaller if it is too long, once more if nothing came."""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field

from ...base.events import (
    Condensed,
    ContextReport,
    Notice,
    ReplyEvent,
    ReplyFinished,
    StepEvent,
    StepReset,
    TextDelta,
)
from ...base.messages import UIMessage
from ...context.plan import ContextTooSmall
from ...context.request_plan import Plan
from ...llm.endpoint import Endpoint
from ...llm.refusals import failures
from ...llm.refusals.overflow import ContextOverflow
from ..calls.limits import steps_of_turn
from ..thread_context.turn_context import TurnContext
from .reply_filter import FilteredModel

_EMPTY_REPLIES = 2
_OVERFLOWS = 8
_CUT_OFF = ReplyFinished(None, (), None)
_SHRUNK = Notice(
    "retrying", "The conversation was longer than the model can read. It was condensed and is sent again …"
)


class Attempts:
    """`newest_request` is what was sent last, `reply` the end of the reply that it came to."""

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
        """What comes of a request, until there is a `reply`.

        Refusals as too long and empty replies are counted apart: neither takes an attempt from the other.

        Raises:
            ProviderError
        """
        step = steps_of_turn(conversation) + 1
        overflows = empty_replies = 0
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
                request = await self._shrink(conversation, request, overflow)
                if reply.has_begun:
                    yield StepReset()
                yield _SHRUNK
                continue
            if not reply.is_empty:
                break
            empty_replies += 1
            if empty_replies == _EMPTY_REPLIES:
                raise failures.empty_reply(self._endpoint.model)
            yield StepReset()
        notice = await self._context.recorder.write_usage(request, reply.end.usage, reply.first_token_ms)
        if notice:
            yield notice
        self.reply = reply.end

    async def _announce(self, request: Plan, step: int) -> list[StepEvent]:
        """Write the request down before it is sent, and tell the panel what is in it."""
        recorder = self._context.recorder
        is_new, self.newest_request = request is not self.newest_request, request
        dividers = await recorder.write_condensed(request) if is_new else []
        recorder.write_request(request, message_id=self._message_id, step=step)
        report = ContextReport(recorder.report(request, step), is_kept=self._keeps_reports)
        return [report, *map(Condensed, dividers), *recorder.take_notices()]

    async def _shrink(
        self, conversation: Sequence[UIMessage], previous: Plan, error: ContextOverflow
    ) -> Plan:
        try:
            return await self._context.shrink(conversation, previous, error.overflow)
        except ContextTooSmall:
            if self._context.frame.form == "slim":
                raise error from None
            raise failures.window_is_smaller(
                self._endpoint.model, self._context.planner.budget.window
            ) from error


@dataclass
class _Reply:
    """What is known of a reply so far. One that ends without saying so was cut off."""

    began: float = field(default_factory=time.monotonic)
    first_token_ms: float | None = None
    has_text: bool = False
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
        elif isinstance(event, TextDelta):
            self.has_text = self.has_text or bool(event.text.strip())
