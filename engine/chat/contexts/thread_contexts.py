"""The context of each stored thread, as its log and what is known of its model make it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...context.budget import Budget
from ...context.checkpoint import Summary
from ...context.compaction import Compaction
from ...context.frame import Frame
from ...context.rendering import RenderingMemo
from ...llm.endpoint import Endpoint
from ...llm.tokenizer import Tokenizer
from ...messages import UIMessage
from ...store.compactions import Compactions, StoredCompaction
from ...store.costs import Costs
from ...store.database import Database
from ...store.learned_windows import LearnedWindows
from ...store.pins import Pin, Pins, pins_of
from ...store.requests import Requests
from ...store.tasks import Tasks
from .context_log import ContextLog, Memory, ModelLog, ThreadContextLog
from .learned_counts import LearnedCounts
from .learned_reading import LearnedReading
from .turn_context import Renewal, SlimForm, TurnContext

if TYPE_CHECKING:
    from sqlalchemy import Connection

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class ThreadState:
    """What the store knows of a thread's context."""

    pins: Sequence[Pin] = ()
    compactions: Sequence[StoredCompaction] = ()


class ThreadContexts:
    def __init__(self, database: Database, tokenizer: Tokenizer, memory: Memory) -> None:
        self._database = database
        self.compactions = Compactions(database)
        self.requests = Requests(database)
        self.costs = Costs(database)
        self.pins = Pins(database)
        self.tasks = Tasks(database)
        self.windows = LearnedWindows(database)
        self.counts = LearnedCounts(database, lambda: tokenizer.name)
        self.reading = LearnedReading(database)
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

    async def open(
        self,
        endpoint: Endpoint,
        frame: Frame,
        budget: Budget,
        *,
        thread_id: str | None = None,
        state: ThreadState = ThreadState(),
        conversation: Sequence[UIMessage] = (),
        idle_seconds: float = 0.0,
        summary: Summary | None = None,
        memo: RenderingMemo | None = None,
        slim: SlimForm | None = None,
        renewal: Renewal | None = None,
    ) -> TurnContext:
        """A turn's context; without a thread nothing of it is kept but what is learned of the model."""
        of_model = (self.counts, self.windows, endpoint.base_url, endpoint.model)
        log: ContextLog = (
            ModelLog(*of_model)
            if thread_id is None
            else ThreadContextLog(*of_model, thread_id, self.requests, self.compactions, self.memory)
        )
        return TurnContext(
            frame,
            budget,
            self._tokenizer.count,
            endpoint.model,
            calibration=await self.counts.of(endpoint.base_url, endpoint.model),
            compactions=active(state.compactions),
            pending_dividers=pending_dividers(state.compactions, conversation),
            pins=[pin.text for pin in state.pins],
            idle_seconds=idle_seconds,
            summary=summary,
            log=log,
            memo=(RenderingMemo() if memo is None else memo).for_counter(self._tokenizer.name),
            slim=slim,
            renewal=renewal,
        )


def active(compactions: Sequence[StoredCompaction]) -> list[Compaction]:
    """Those that hold, oldest first. One that cannot be read is as if it had never been made: nothing is lost."""
    states: list[Compaction] = []
    for entry in compactions:
        if entry.status != "active":
            continue
        try:
            states.append(Compaction.from_json(entry.state_value))
        except (KeyError, TypeError, ValueError):
            logger.warning("compaction %s cannot be read and is passed over.", entry.id)
    return states


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
