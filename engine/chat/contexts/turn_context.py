"""The context of a running turn: plans each step, writes down what was condensed and sent, learns from what it cost."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from typing import Any

from ...context.budget import Budget, reserve_of, window_with_room
from ...context.calibration import Calibration
from ...context.checkpoint import Summary
from ...context.compaction import Compaction, newest_valid
from ...context.condensed_entry import condensed_entry
from ...context.condensing import Condense
from ...context.emergency import ContextTooSmall
from ...context.frame import Frame, SystemForm
from ...context.newest_message import with_workflow, workflow_of_newest
from ...context.plan import Plan, plan
from ...context.position import START
from ...context.rendering import RenderingMemo
from ...context.tokens import CountText, count_fewest_tokens, count_tools_tokens
from ...errors import AssistantError
from ...events import Notice, Usage
from ...llm.provider import SLIM_BELOW
from ...llm.refusals.overflow import (
    Overflow,
    cut_silently,
    is_known_well,
    is_small_window,
    was_cut_silently,
)
from ...messages import UIMessage
from ...store.compactions import Cause
from .context_log import ContextLog, new_compaction

logger = logging.getLogger(__name__)

_SMALLER, _MUCH_SMALLER = 0.7, 0.5
_LEAST_WINDOW = 1_024
_WRITE_LATER_SECONDS = 0.02
"""Time for a request to be on its way: two threads of Python only slow each other down."""


@dataclass(frozen=True)
class Renewal:
    """Composes what a thread's requests carry anew, in a form; `keep` lets the system message of this text hold."""

    frame: Callable[[SystemForm], Awaitable[Frame]]
    keep: Callable[[str], Awaitable[None]]


@dataclass
class TurnContext:
    """Plans the requests of one conversation.

    `compactions` are those that hold, oldest first; `pending_dividers` are of those that no answer shows yet. Where
    something is condensed, the request begins otherwise anyway: then the frame is renewed.
    """

    frame: Frame
    budget: Budget
    count: CountText
    model: str = ""
    calibration: Calibration = field(default_factory=Calibration)
    compactions: list[Compaction] = field(default_factory=list)
    pending_dividers: Sequence[dict[str, Any]] = ()
    pins: Sequence[str] = ()
    idle_seconds: float = 0.0
    summary: Summary | None = None
    log: ContextLog = field(default_factory=ContextLog)
    memo: RenderingMemo = field(default_factory=RenderingMemo)
    renewal: Renewal | None = None

    def __post_init__(self) -> None:
        self.pending_notices: list[Notice] = []
        self._refused: int | None = None
        self._cached_share: float | None = None
        self._requests: asyncio.Task[str | None] | None = None
        self._planned: Sequence[UIMessage] = ()

    def fresh(self) -> TurnContext:
        """For a run of its own with the same frame: nothing condensed, nothing pinned, nothing written down."""
        return TurnContext(self.frame, self.budget, self.count, self.model, self.calibration)

    async def plan(self, conversation: Sequence[UIMessage], *, force: Condense | None = None) -> Plan:
        """The next request. Long conversations are laid out in a thread, so that ComfyUI's event loop goes on.

        Raises:
            ContextTooSmall: the window cannot hold rules, tools and the newest message.
        """
        self._planned = conversation
        return await self._lay_out(conversation, force=force)

    async def shrink(self, conversation: Sequence[UIMessage], previous: Plan, overflow: Overflow) -> Plan:
        """A strictly smaller request, after the provider refused one as too long.

        What the provider named is believed: its window is kept for the next time, its count corrects ours. Else less
        and less of what was refused is tried, and what succeeds is kept; so is the last that was tried where nothing
        does, so that the next message may have the form for it.

        Raises:
            ContextTooSmall: nothing smaller can be made, or the turn has not begun and so small a window has a form
                of its own, which keeps more of the conversation.
        """
        if overflow.requested:
            self.calibration = self.calibration.observe(previous.estimate, overflow.requested)
        window = overflow.window
        if window is not None and window < self.budget.window:
            await self._quietly(self.log.learn_window(window))
        else:
            window = await self._window_to_try(previous)
        if not self._is_for_slim_form(conversation, window):
            request = await self._smaller(conversation, previous, window)
            if request is not None:
                return request
        self.budget = replace(self.budget, window=window, reserve=reserve_of(window))
        await self._quietly(self.log.learn_window(window, refused=self._refused))
        raise ContextTooSmall(previous.tokens, window - self.budget.reserve)

    async def write_condensed(self, request: Plan) -> list[dict[str, Any]]:
        """Let what was condensed for a request hold from now on; the dividers that no answer shows yet."""
        dividers, self.pending_dividers = list(self.pending_dividers), ()
        if request.new_compaction is not None:
            is_told = self.summary is not None and "checkpoint" in request.stages
            cause: Cause = "emergency" if request.is_emergency else "model" if is_told else "rule"
            dividers.append(
                await self.write_compaction(
                    request.new_compaction,
                    cause,
                    tokens_before=request.tokens_before,
                    tokens_after=request.tokens,
                )
            )
        return dividers

    def write_request(self, request: Plan, *, message_id: str, step: int) -> None:
        """Write down a request that is about to be sent, which need not wait for that: when it is on its way."""
        self.idle_seconds = 0.0
        self._requests = asyncio.create_task(self._write_later(request, message_id, step, self.frame.tools))

    async def write_compaction(
        self, state: Compaction, cause: Cause, *, tokens_before: int, tokens_after: int
    ) -> dict[str, Any]:
        """Let this hold from now on; what the divider in the chat shows."""
        if self.renewal is not None:
            if cause == "clear":
                self.frame = await self.renewal.frame(self.frame.form)
            await self._quietly(self.renewal.keep(self.frame.system))
        await self._remember(state)
        self.compactions.append(state)
        compaction = new_compaction(state, cause, tokens_before, tokens_after)
        compaction_id = await self._quietly(self.log.keep_compaction(compaction))
        return {**compaction.divider(), "id": compaction_id or ""}

    async def _remember(self, state: Compaction) -> None:
        """A chat goes on where its memory cannot be kept; the person is told."""
        previous = newest_valid(self.compactions, self._planned)
        begin = previous.upto if previous else START
        entry = await asyncio.to_thread(condensed_entry, self._planned, begin, state.upto, self.frame.facts)
        if entry and (problem := await self.log.keep_memory(entry)):
            self.pending_notices.append(Notice("memory-not-saved", problem))

    async def write_usage(
        self, request: Plan, usage: Usage | None, first_token_ms: float | None
    ) -> Notice | None:
        """Write down what the provider counted, and learn from it; a notice where it read much less than was sent."""
        request_id = await self._requests if self._requests is not None else None
        if request_id is not None:
            await self._quietly(self.log.finish_request(request_id, usage, first_token_ms))
        if self._refused is not None:
            await self._quietly(self.log.learn_window(self.budget.window, refused=self._refused))
            self._refused = None
        if usage is None or usage.input_tokens <= 0:
            return None
        if usage.cached_tokens is not None:
            self._cached_share = usage.cached_tokens / usage.input_tokens
        if was_cut_silently(request.estimate, usage.input_tokens, self.calibration):
            was_cut = self._was_cut(request, usage)
            return cut_silently(self.model, request.tokens, usage.input_tokens) if was_cut else None
        self.calibration = self.calibration.observe(request.estimate, usage.input_tokens)
        await self._quietly(self.log.keep_calibration(self.calibration))
        await self._quietly(
            self.log.grow_window(
                used=usage.input_tokens + usage.output_tokens,
                share=usage.input_tokens / (self.budget.window - self.budget.reserve),
            )
        )
        return None

    def _was_cut(self, request: Plan, usage: Usage) -> bool:
        """Whether the server read much less than the request takes at the least, by whatever it may not count.

        Some leave out tools, as long as nobody knows better, or what their cache had, so that alone shows no cut.
        """
        counts_tools = is_known_well(self.calibration) or is_small_window(usage.input_tokens)
        tools = count_tools_tokens(self.frame.tools, self.count) if counts_tools else 0
        fewest = tools + count_fewest_tokens(request.messages, self.count)
        read = usage.input_tokens + (usage.cached_tokens or 0)
        return was_cut_silently(fewest, read, self.calibration)

    def report(self, request: Plan, step: int) -> dict[str, Any]:
        """docs/api.md, data-context."""
        return {
            "step": step,
            **request.report(),
            "pinned": len(self.pins),
            **report_cached_share(self._cached_share),
        }

    def _is_for_slim_form(self, conversation: Sequence[UIMessage], window: int) -> bool:
        """Whether the message is better asked again: its turn has not begun, and so small a window was not known of."""
        is_new = conversation[-1]["role"] == "user" and self.budget.window >= SLIM_BELOW
        return is_new and window < SLIM_BELOW and self.frame.form in ("full", "continuation")

    async def _smaller(self, conversation: Sequence[UIMessage], previous: Plan, window: int) -> Plan | None:
        """A smaller request for a window of so many tokens, else for less and less; None where there is none."""
        is_floor = False
        while True:
            self.budget = replace(self.budget, window=window, reserve=reserve_of(window))
            try:
                request = await self._lay_out(conversation, emergency=1)
            except ContextTooSmall as error:
                window = window_with_room(ceil(error.tokens * self.calibration.factor))
                if is_floor or not self.budget.window < window < window_with_room(previous.tokens):
                    return None
                is_floor = True
                continue
            if request.estimate < previous.estimate or window <= _LEAST_WINDOW:
                return request
            if is_floor:
                return None
            window = max(int(window * _SMALLER), _LEAST_WINDOW)

    async def _window_to_try(self, previous: Plan) -> int:
        """After a refusal that named none: what sufficed an earlier time, else a part of what was refused."""
        room = int(previous.tokens * (_SMALLER if self._refused is None else _MUCH_SMALLER))
        is_first, self._refused = self._refused is None, previous.tokens
        earlier = await self._quietly(self.log.earlier_window()) if is_first else None
        return max(_LEAST_WINDOW, min(window_with_room(room), earlier or self.budget.window))

    async def _lay_out(
        self, conversation: Sequence[UIMessage], *, emergency: int = 0, force: Condense | None = None
    ) -> Plan:
        request = await asyncio.to_thread(self._plan, list(conversation), emergency=emergency, force=force)
        if self.renewal is None or request.new_compaction is None:
            return request
        frame, self.frame = self.frame, await self.renewal.frame(self.frame.form)
        if self.frame.system == frame.system:
            return request
        try:
            renewed = await asyncio.to_thread(
                self._plan, list(conversation), emergency=emergency, force=force
            )
        except ContextTooSmall:
            renewed = None
        if renewed is None or renewed.new_compaction is None:
            self.frame = frame
            return request
        return renewed

    def _plan(
        self, conversation: Sequence[UIMessage], *, emergency: int = 0, force: Condense | None = None
    ) -> Plan:
        workflow = workflow_of_newest(conversation)
        tokens = self.count(workflow) if workflow else 0
        factor = self.calibration.factor
        request = plan(
            conversation,
            self.frame,
            replace(self.budget, factor=factor, reserve=self.budget.reserve + ceil(tokens * factor)),
            compaction=newest_valid(self.compactions, conversation),
            idle_seconds=self.idle_seconds,
            pins=self.pins,
            emergency=emergency,
            force=force,
            summary=self.summary,
            count=self.count,
            memo=self.memo,
        )
        return with_workflow(request, workflow, tokens)

    async def _write_later(
        self, request: Plan, message_id: str, step: int, tools: Sequence[dict[str, Any]]
    ) -> str | None:
        await asyncio.sleep(_WRITE_LATER_SECONDS)
        return await self._quietly(
            self.log.keep_request(message_id, step, request.messages, tools, request.tokens, request.stages)
        )

    async def _quietly(self, work: Any) -> Any:
        """What is written down helps the person later; a turn does not fail for want of it."""
        try:
            return await work
        except AssistantError as error:
            logger.warning("the context of a turn could not be written down: %s", error)
            return None


def report_cached_share(share: float | None) -> dict[str, Any]:
    """The share of a request that the provider had cached, where that is told."""
    return {} if share is None else {"cachedShare": ceil(share * 1_000) / 1_000}
