"""The context of a running turn: the planner of its requests, and the recorder that stores and learns from them."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from ...base.errors import AssistantError
from ...base.events import Notice, Usage
from ...base.messages import Message, UIMessage, dump
from ...context.budget import window_with_room
from ...context.compaction import START, Compaction, newest_valid
from ...context.frame import Frame
from ...context.ledger import condensed_entry
from ...context.plan import ContextTooSmall, Plan
from ...context.tokens import Calibration, count_fewest_tokens, count_tools_tokens
from ...llm.refusals.overflow import (
    Overflow,
    cut_silently,
    is_known_well,
    is_small_window,
    was_cut_silently,
    window_of_cut,
)
from ...store.compactions import Cause, StoredCompaction
from .turn_planner import LEAST_WINDOW, SMALLER, TurnPlanner

_MUCH_SMALLER = 0.5
logger = logging.getLogger(__name__)

_WRITE_LATER_SECONDS = 0.02
"""The time a request gets to be on its way before it is stored: two Python threads slow each other down."""


@dataclass(frozen=True)
class SilentCut:
    """A request whose beginning the server cut without an error: what the user is told, and what a refusal would have
    said, if that can be known.
    """

    notice: Notice
    overflow: Overflow | None


@dataclass(frozen=True)
class TurnContext:
    """The planner and the recorder of one turn."""

    planner: TurnPlanner
    recorder: ContextRecorder

    @staticmethod
    def of(
        planner: TurnPlanner,
        log: ContextLog | None = None,
        *,
        model: str = "",
        pending_dividers: Sequence[dict[str, Any]] = (),
        keep_system: Callable[[str], Awaitable[None]] | None = None,
    ) -> TurnContext:
        """Return a context with this planner; without a log nothing is stored or learned."""
        recorder = ContextRecorder(
            planner,
            log or ContextLog(),
            model=model,
            pending_dividers=pending_dividers,
            keep_system=keep_system,
        )
        return TurnContext(planner, recorder)

    @property
    def frame(self) -> Frame:
        return self.planner.frame

    def fresh(self, model: str) -> TurnContext:
        """Return a new context with the same frame: nothing condensed, pinned or stored."""
        return TurnContext.of(self.planner.fresh(), model=model)

    async def shrink(self, conversation: Sequence[UIMessage], previous: Plan, overflow: Overflow) -> Plan:
        """Plan a strictly smaller request after the provider refused one as too long.

        A window that the provider named is stored, and a count of its own corrects ours. Otherwise smaller and smaller
        windows are tried, and the one that succeeds is stored; if none does, the last one is, so that the next
        message may have the form for it.

        Raises:
            ContextTooSmall: nothing smaller is possible, or the turn has not begun and the window is one for the slim
                form, which keeps more of the conversation.
        """
        planner, recorder = self.planner, self.recorder
        if overflow.requested:
            planner.calibration = planner.calibration.observe(previous.estimate, overflow.requested)
        window = overflow.window
        if window is not None and window < planner.budget.window:
            await recorder.learn_window(window, is_named=True)
        else:
            window = await self._window_to_try(previous)
        request = await planner.plan_smaller(conversation, previous, window)
        if request is not None:
            return request
        planner.assume_window(window)
        await recorder.learn_window(window)
        raise ContextTooSmall(previous.tokens, window - planner.budget.reserve)

    async def _window_to_try(self, previous: Plan) -> int:
        """Return the window to try if none was named: one that sufficed before, else a part of what was refused."""
        is_first = self.recorder.note_refusal(previous.tokens)
        room = int(previous.tokens * (SMALLER if is_first else _MUCH_SMALLER))
        earlier = await self.recorder.earlier_window() if is_first else None
        return max(LEAST_WINDOW, min(window_with_room(room), earlier or self.planner.budget.window))


class ContextRecorder:
    """Stores the requests of one conversation and their outcomes, and corrects the planner by them.

    `pending_dividers` are those that no answer shows yet; `keep_system` stores the thread's new system message.
    """

    def __init__(
        self,
        planner: TurnPlanner,
        log: ContextLog,
        *,
        model: str = "",
        pending_dividers: Sequence[dict[str, Any]] = (),
        keep_system: Callable[[str], Awaitable[None]] | None = None,
    ) -> None:
        self.pending_notices: list[Notice] = []
        self._planner = planner
        self._log = log
        self._model = model
        self._pending_dividers = pending_dividers
        self._keep_system = keep_system
        self._refused: int | None = None
        self._cached_share: float | None = None
        self._request: asyncio.Task[str | None] | None = None

    def take_notices(self) -> list[Notice]:
        """Return the notices for the next request, and forget them."""
        notices, self.pending_notices = self.pending_notices, []
        return notices

    async def write_condensed(self, request: Plan) -> list[dict[str, Any]]:
        """Store what was condensed for a request; return the dividers that no answer shows yet."""
        dividers, self._pending_dividers = list(self._pending_dividers), ()
        if request.new_compaction is not None:
            is_told = self._planner.summary is not None and "checkpoint" in request.stages
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
        """Store a request that is about to be sent, once it is on its way, so that it need not wait."""
        self._planner.idle_seconds = 0.0
        tools = self._planner.frame.tools
        self._request = asyncio.create_task(self._write_later(request, message_id, step, tools))

    async def write_compaction(
        self, state: Compaction, cause: Cause, *, tokens_before: int, tokens_after: int
    ) -> dict[str, Any]:
        """Store a compaction, which is in effect from now on; return the data of its divider in the chat."""
        planner = self._planner
        if cause == "clear" and planner.renew is not None:
            planner.frame = await planner.renew(planner.frame.form)
        if self._keep_system is not None:
            await self._quietly(self._keep_system(planner.frame.system))
        await self._remember(state)
        planner.compactions.append(state)
        compaction = new_compaction(state, cause, tokens_before, tokens_after)
        compaction_id = await self._quietly(self._log.keep_compaction(compaction))
        return {**compaction.divider(), "id": compaction_id or ""}

    async def write_usage(
        self, request: Plan, usage: Usage | None, first_token_ms: float | None
    ) -> SilentCut | None:
        """Store what the provider counted, and learn from it; return the cut if it read much less than was sent."""
        planner = self._planner
        request_id = await self._request if self._request is not None else None
        if request_id is not None:
            await self._quietly(self._log.finish_request(request_id, usage, first_token_ms))
        if self._refused is not None:
            await self.learn_window(planner.budget.window)
            self._refused = None
        if usage is None or usage.input_tokens <= 0:
            return None
        if usage.cached_tokens is not None:
            self._cached_share = usage.cached_tokens / usage.input_tokens
        if was_cut_silently(request.estimate, usage.input_tokens, planner.calibration):
            return await self._learn_cut(request, usage) if self._was_cut(request, usage) else None
        planner.calibration = planner.calibration.observe(request.estimate, usage.input_tokens)
        await self._quietly(self._log.keep_calibration(planner.calibration))
        await self._quietly(
            self._log.grow_window(
                used=usage.input_tokens + usage.output_tokens,
                share=usage.input_tokens / (planner.budget.window - planner.budget.reserve),
            )
        )
        return None

    def note_refusal(self, tokens: int) -> bool:
        """Note a refusal of so many tokens that named no window; return whether it is the first one."""
        is_first, self._refused = self._refused is None, tokens
        return is_first

    async def earlier_window(self) -> int | None:
        """Return the window that was learned before."""
        return await self._quietly(self._log.earlier_window())

    async def learn_window(self, window: int, *, is_named: bool = False) -> None:
        """Store the window for next time. If the provider named it, no refused size is stored with it."""
        refused = None if is_named else self._refused
        await self._quietly(self._log.learn_window(window, refused=refused))

    def report(self, request: Plan, step: int) -> dict[str, Any]:
        """Return the context report (docs/api.md, data-context)."""
        return {
            "step": step,
            **request.report(),
            "pinned": len(self._planner.pins),
            **report_cached_share(self._cached_share),
        }

    async def _remember(self, state: Compaction) -> None:
        """Add what is condensed to the user's memory. If that fails, the chat goes on with a notice."""
        planned = self._planner.conversation
        previous = newest_valid(self._planner.compactions, planned)
        begin = previous.upto if previous else START
        facts = self._planner.frame.facts
        entry = await asyncio.to_thread(condensed_entry, planned, begin, state.upto, facts)
        if entry and (problem := await self._log.keep_memory(entry)):
            self.pending_notices.append(Notice("memory-not-saved", problem))

    def _was_cut(self, request: Plan, usage: Usage) -> bool:
        """Return whether the server read much less than the least that the request can take.

        Some servers count no tools, or nothing that they had cached; that alone is no cut.
        """
        planner = self._planner
        counts_tools = is_known_well(planner.calibration) or is_small_window(usage.input_tokens)
        tools = count_tools_tokens(planner.frame.tools, planner.count) if counts_tools else 0
        fewest = tools + count_fewest_tokens(request.messages, planner.count)
        read = usage.input_tokens + (usage.cached_tokens or 0)
        return was_cut_silently(fewest, read, planner.calibration)

    async def _learn_cut(self, request: Plan, usage: Usage) -> SilentCut:
        window = window_of_cut(usage.input_tokens)
        if window is not None:
            await self.learn_window(window, is_named=True)
        is_learned = window is not None
        notice = cut_silently(self._model, request.tokens, usage.input_tokens, is_learned=is_learned)
        return SilentCut(notice, Overflow(window) if is_learned else None)

    async def _write_later(
        self, request: Plan, message_id: str, step: int, tools: Sequence[dict[str, Any]]
    ) -> str | None:
        await asyncio.sleep(_WRITE_LATER_SECONDS)
        return await self._quietly(
            self._log.keep_request(message_id, step, request.messages, tools, request.tokens, request.stages)
        )

    async def _quietly(self, work: Any) -> Any:
        """Await work that stores something for later; a turn does not fail if it cannot be stored."""
        try:
            return await work
        except AssistantError as error:
            logger.warning("the context of a turn could not be written down: %s", error)
            return None


def new_compaction(
    state: Compaction, cause: Cause, tokens_before: int, tokens_after: int
) -> StoredCompaction:
    """Return the stored form of a new compaction."""
    return StoredCompaction(
        id=f"compaction_{secrets.token_hex(8)}",
        created_at=time.time(),
        cause=cause,
        state=dump(state.as_json()),
        text=state.text,
        turns=state.turns,
        rounds=state.rounds,
        tokens_before=tokens_before,
        tokens_after=tokens_after,
    )


class ContextLog:
    """The log of a turn's context. This base class stores and learns nothing."""

    async def keep_request(
        self,
        message_id: str,
        step: int,
        messages: Sequence[Message],
        tools: Sequence[dict[str, Any]],
        tokens: int,
        stages: Sequence[str],
    ) -> str | None: ...

    async def finish_request(
        self, request_id: str, usage: Usage | None, first_token_ms: float | None
    ) -> None: ...

    async def keep_compaction(self, compaction: StoredCompaction) -> str | None:
        """Store a compaction; return its id, or None if it cannot be read again."""

    async def keep_memory(self, entry: str) -> str:
        """Add what is left of condensed turns to the user's memory; return the problem, or ""."""
        del entry
        return ""

    async def keep_calibration(self, calibration: Calibration) -> None: ...

    async def learn_window(self, window: int, *, refused: int | None = None) -> None:
        """Store a learned window; `refused` is the size of the request that was too long if no window was named."""

    async def earlier_window(self) -> int | None:
        """Return the window that was learned before, even if it no longer applies."""

    async def grow_window(self, *, used: int, share: float) -> None: ...


def report_cached_share(share: float | None) -> dict[str, Any]:
    """Return the share of a request that the provider had cached, if it is known."""
    return {} if share is None else {"cachedShare": ceil(share * 1_000) / 1_000}
