"""The context of a conversation: what the next request to its model is planned from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...base.messages import UIMessage
from ...context.budget import Budget
from ...context.frame import Frame, SystemForm, SystemMessage, SystemRoom
from ...llm.provider import Provider
from ...store.threads import ThreadStore
from .live_options import LiveOptions
from .message_skills import MessageSkills
from .stored_thread import StoredThread, ThreadState
from .thread_contexts import ThreadContexts
from .thread_providers import ThreadProviders
from .thread_system_message import ThreadSystemMessage
from .tool_catalogue import ToolCatalogue
from .turn_context import TurnContext
from .words import Words


@dataclass(frozen=True)
class OpenContext:
    """A thread's context as its next request would have it. `goals` is the person's own `goals.md`."""

    context: TurnContext
    conversation: Sequence[UIMessage]
    state: ThreadState
    provider: Provider
    goals: str


class OpenContexts:
    """Opens the context of a stored thread, or of a conversation that its client keeps."""

    def __init__(
        self,
        *,
        threads: ThreadStore,
        contexts: ThreadContexts,
        providers: ThreadProviders,
        tools: ToolCatalogue,
        words: Words,
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
        return StoredThread(thread_id, *await self._threads.read_with(thread_id, self._contexts.state_of))

    async def open(self, thread_id: str) -> OpenContext:
        """A thread's context as its next request would have it. Nothing is written down by that.

        Raises:
            RequestError: `unknown_thread`.
            ProviderError: no model is set up.
        """
        stored = await self.read(thread_id)
        provider = await self._providers.of_choice(stored.thread.chosen)
        conversation = await self.skills.kept_in(stored.thread.messages)
        context = await self.of_thread(stored, conversation, provider, peek=True)
        goals = (await self._words.user(stored.thread.persona)).goals
        return OpenContext(context, conversation, stored.state, provider, goals)

    async def of_thread(
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
            return self._frame(form, await system.renewed(form), provider)

        form = self._live_options.form_of(conversation, provider)
        message = await (system.peek(form) if peek else system.kept(form))
        return await self._contexts.open_stored(
            stored,
            conversation,
            provider.endpoint,
            self._frame(form, message, provider),
            budget,
            renew=renewed,
            keep_system=system.keep,
        )

    async def of_client(self, conversation: Sequence[UIMessage], provider: Provider) -> TurnContext:
        """Of a conversation without a thread, which may bring its own system message."""
        has_system = any(message["role"] == "system" for message in conversation)
        form = "posted" if has_system else self._live_options.form_of(conversation, provider)
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
