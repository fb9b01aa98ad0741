"""The context of a conversation, from which its requests are planned: its log, and the facts of its model."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ...base.messages import UIMessage
from ...context.budget import Budget
from ...context.frame import Frame, SystemForm, SystemMessage, SystemRoom
from ...context.rendering import RenderingMemo
from ...llm.endpoint import Endpoint
from ...llm.learned import Learned
from ...llm.provider import Provider
from ...llm.tokenizer import Tokenizer
from ...store.compactions import Compactions, StoredCompaction, active_compactions, pending_summary
from ...store.costs import Costs
from ...store.database import Database
from ...store.pins import Pins, select_pins
from ...store.requests import Requests
from ...store.tasks import Tasks
from ...store.threads import StoredThread, ThreadState, ThreadStore
from ...user.memory_days import MemoryDays
from .context_log import ModelLog, ThreadContextLog
from .live_options import LiveOptions
from .thread_providers import ThreadProviders
from .thread_system_message import ThreadSystemMessage
from .tool_catalog import ToolCatalog
from .turn_context import TurnContext
from .turn_planner import TurnPlanner
from .words import MessageSkills, PromptSource

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(frozen=True)
class OpenContext:
    """A thread's context as of its next request. `goals` is the user's `goals.md`."""

    context: TurnContext
    conversation: Sequence[UIMessage]
    state: ThreadState
    provider: Provider
    goals: str


class OpenContexts:
    """Opens the contexts of stored threads, and of conversations that their clients keep."""

    def __init__(
        self,
        *,
        threads: ThreadStore,
        contexts: ThreadContexts,
        providers: ThreadProviders,
        tools: ToolCatalog,
        words: PromptSource,
        live_options: LiveOptions,
    ) -> None:
        self._threads = threads
        self._contexts = contexts
        self._providers = providers
        self._tools = tools
        self._words = words
        self._live_options = live_options
        self.skills = MessageSkills(words, tools.facts)

    async def read(self, thread_id: str) -> StoredThread:
        """Read a thread as it is stored, with its pins and what was condensed of it.

        Raises:
            RequestError: `unknown_thread`.
        """
        return StoredThread(thread_id, *await self._threads.read_with(thread_id, self._contexts.read_state))

    async def open(self, thread_id: str) -> OpenContext:
        """Return a thread's context as of its next request, and store nothing.

        Raises:
            RequestError: `unknown_thread`.
            ProviderError: no model is set up.
        """
        stored = await self.read(thread_id)
        provider = await self._providers.for_choice(stored.thread.chosen)
        conversation = await self.skills.fill_in(stored.thread.messages)
        context = await self.for_thread(stored, conversation, provider, peek=True)
        goals = (await self._words.user(stored.thread.persona)).goals
        return OpenContext(context, conversation, stored.state, provider, goals)

    async def for_thread(
        self,
        stored: StoredThread,
        conversation: Sequence[UIMessage],
        provider: Provider,
        *,
        peek: bool = False,
    ) -> TurnContext:
        budget = await self._live_options.budget(provider)
        room = _system_room(budget, provider)
        system = ThreadSystemMessage(self._threads, self._words, stored.thread_id, stored.thread, room)

        async def renewed(form: SystemForm) -> Frame:
            return self._frame(form, await system.renew(form), provider)

        form = self._live_options.next_form(conversation, provider)
        message = await (system.peek(form) if peek else system.get(form))
        return await self._contexts.open_thread(
            stored,
            conversation,
            provider.endpoint,
            self._frame(form, message, provider),
            budget,
            renew=renewed,
            keep_system=system.store,
        )

    async def for_client(self, conversation: Sequence[UIMessage], provider: Provider) -> TurnContext:
        """Return the context of a conversation without a thread, which may bring its own system message."""
        has_system = any(message["role"] == "system" for message in conversation)
        form = "posted" if has_system else self._live_options.next_form(conversation, provider)
        budget = await self._live_options.budget(provider)
        room = _system_room(budget, provider)
        system = await self._words.system_message(form, room)
        return await self._contexts.open(provider.endpoint, self._frame(form, system, provider), budget)

    def _frame(self, form: SystemForm, system: SystemMessage, provider: Provider) -> Frame:
        return Frame(
            system.text,
            form,
            self._tools.flat(provider.window) if provider.is_slim else self._tools.full,
            self._tools.facts,
            sees_images=provider.vision is not False,
            left_out=system.left_out,
        )


def _system_room(budget: Budget, provider: Provider) -> SystemRoom:
    is_known = provider.window_source != "unknown"
    return SystemRoom.of(budget.effective_working, is_window_known=is_known)


class ThreadContexts:
    """The stored records of all threads' contexts, and the contexts that are made from them."""

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
        return await self._database.run(self.read_state, thread_id)

    def read_state(self, connection: Connection, thread_id: str) -> ThreadState:
        return ThreadState(select_pins(connection, thread_id), self.compactions.select(connection, thread_id))

    async def open(self, endpoint: Endpoint, frame: Frame, budget: Budget) -> TurnContext:
        """Return the context of a client's own conversation; only what is learned of the model is stored."""
        planner = await self._planner(endpoint, frame, budget, RenderingMemo())
        log = ModelLog(self._learned, endpoint.base_url, endpoint.model)
        return TurnContext.of(planner, log, model=endpoint.model)

    async def open_thread(
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
        """Return the context of a stored thread, whose conversation already has its newest message."""
        compactions = stored.state.compactions
        planner = replace(
            await self._planner(endpoint, frame, budget, stored.thread.memo),
            compactions=active_compactions(compactions),
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
    """Return the dividers of what the user condensed or cleared since the last answer; the next answer shows them.

    Compactions of another branch that do not apply to this one have none.
    """
    asked_for = [entry for entry in compactions if entry.is_manual]
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
        if entry.id not in shown_ids
        and any(state.holds_for(conversation) for state in active_compactions([entry]))
    ]
