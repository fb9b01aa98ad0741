"""The context of each stored thread, as its log and what is known of its model make it."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...base.messages import UIMessage
from ...context.budget import Budget
from ...context.frame import Frame, SystemForm
from ...context.rendering import RenderingMemo
from ...llm.endpoint import Endpoint
from ...llm.learned import Learned
from ...llm.tokenizer import Tokenizer
from ...store.compactions import Compactions, StoredCompaction
from ...store.costs import Costs
from ...store.database import Database
from ...store.pins import Pins, pins_of
from ...store.requests import Requests
from ...store.tasks import Tasks
from ...user.memory_days import MemoryDays
from .context_log import ModelLog, ThreadContextLog
from .pending_summary import pending_summary
from .stored_thread import StoredThread, ThreadState, active
from .turn_context import TurnContext
from .turn_planner import TurnPlanner

if TYPE_CHECKING:
    from sqlalchemy import Connection


class ThreadContexts:
    def __init__(
        self, database: Database, tokenizer: Tokenizer, memory: MemoryDays, learned: Learned
    ) -> None:
        self._database = database
        self.compactions = Compactions(database)
        self.requests = Requests(database)
        self.costs = Costs(database)
        self.pins = Pins(database)
        self.tasks = Tasks(database)
        self._learned = learned
        self._tokenizer = tokenizer
        self.memory = memory

    async def state(self, thread_id: str) -> ThreadState:
        """
        Raises:
            RequestError: `unknown_thread`.
        """
        return await self._database.run(self.state_of, thread_id)

    def state_of(self, connection: Connection, thread_id: str) -> ThreadState:
        return ThreadState(pins_of(connection, thread_id), self.compactions.of(connection, thread_id))

    async def open(self, endpoint: Endpoint, frame: Frame, budget: Budget) -> TurnContext:
        """Of a conversation that its client keeps: nothing of it is kept here but what is learned of the model."""
        planner = await self._planner(endpoint, frame, budget, RenderingMemo())
        log = ModelLog(self._learned, endpoint.base_url, endpoint.model)
        return TurnContext.of(planner, log, model=endpoint.model)

    async def open_stored(
        self,
        stored: StoredThread,
        conversation: Sequence[UIMessage],
        endpoint: Endpoint,
        frame: Frame,
        budget: Budget,
        *,
        renew: Callable[[SystemForm], Awaitable[Frame]],
        keep_system: Callable[[str], Awaitable[None]],
    ) -> TurnContext:
        """The same with what is kept of a thread, whose conversation has its newest message already."""
        compactions = stored.state.compactions
        planner = replace(
            await self._planner(endpoint, frame, budget, stored.thread.memo),
            compactions=active(compactions),
            pins=[pin.text for pin in stored.state.pins],
            idle_seconds=time.time() - stored.thread.updated_at,
            summary=pending_summary(compactions, conversation),
            renew=renew,
        )
        log = ThreadContextLog(
            *(self._learned, endpoint.base_url, endpoint.model),
            *(stored.thread_id, self.requests, self.compactions, self.memory),
        )
        return TurnContext.of(
            planner,
            log,
            model=endpoint.model,
            pending_dividers=pending_dividers(compactions, conversation),
            keep_system=keep_system,
        )

    async def _planner(
        self, endpoint: Endpoint, frame: Frame, budget: Budget, memo: RenderingMemo
    ) -> TurnPlanner:
        return TurnPlanner(
            frame,
            budget,
            self._tokenizer.count,
            await self._learned.counts.of(endpoint.base_url, endpoint.model),
            memo=memo.for_counter(self._tokenizer.name),
        )


def pending_dividers(
    compactions: Sequence[StoredCompaction], conversation: Sequence[UIMessage]
) -> list[dict[str, Any]]:
    """Dividers of what the person had condensed or cleared since the last answer: the next answer shows them.

    What was made on another branch and does not hold on this one is not told here.
    """
    asked_for = [entry for entry in compactions if entry.was_asked_for]
    if not asked_for:
        return []
    dividers = [
        part.get("data")
        for message in conversation
        if message["role"] == "assistant"
        for part in message["parts"]
        if part["type"] == "data-compaction"
    ]
    shown_ids = [data.get("id") for data in dividers if isinstance(data, dict)]
    return [
        entry.divider()
        for entry in asked_for
        if entry.id not in shown_ids and any(state.holds_for(conversation) for state in active([entry]))
    ]
