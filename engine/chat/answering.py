"""The chat: what a request asks is written down, planned and answered, and what comes of it is kept."""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

from ..background import BackgroundWork
from ..context.documents import number_all_documents
from ..context.frame import Frame, SystemForm, SystemMessage, SystemRoom
from ..context.plan import Plan
from ..context.slash_skill import SKILL, UsedSkill, skill_command, used_skill
from ..context.tool_facts import ToolFacts
from ..errors import RequestError, StoreError
from ..live_options import LiveOptions
from ..llm.endpoint import Endpoint
from ..llm.provider import Provider
from ..messages import UIMessage, last_user_index, text_of, user_count
from ..plain.asked_before import question_in
from ..store.thread_log import LogEvent, fold
from ..store.threads import Thread, ThreadStore
from ..stream.chunks import Chunk
from ..tools.tool import ServerTool, ToolServices
from .attempts import Model
from .background_summary import pending_summary, prepare_summary
from .billed_model import BilledModel
from .delegation import Delegation
from .elsewhere import Elsewhere
from .learned_reading import edits_unread
from .open_graph import OpenGraph
from .plain_calls import PlainCalls, request_read
from .project_of_thread import ProjectOfThread, ProjectRoom
from .request import ChatRequest, additions, answer_id, check_answerable, workflow_file
from .running import RunningTurns
from .sent_along import SentAlong
from .spending import BEYOND_BUDGET, Spending, budgets_of
from .thread_contexts import ThreadContexts, ThreadState
from .thread_providers import NOTHING_CHOSEN, ThreadProviders
from .thread_system import ThreadSystem
from .told_pictures import ToldPictures
from .turn import Turn, TurnSetup
from .turn_clock import TurnClocks
from .turn_context import Renewal, SlimForm, TurnContext
from .turn_log import NoTurnLog, ThreadTurnLog, TurnLog
from .words import Words


class ToolCatalogue(Protocol):
    @property
    def facts(self) -> Mapping[str, ToolFacts]:
        """Of every tool by its name, also of those that models are not offered."""
        ...

    @property
    def browser_names(self) -> frozenset[str]: ...

    @property
    def slim_only(self) -> frozenset[str]: ...

    @property
    def server(self) -> Sequence[ServerTool[Any]]: ...

    def schemas(self, *, is_slim: bool = False) -> list[dict[str, Any]]:
        """The `tools` of a chat completion request."""
        ...


@dataclass(frozen=True)
class Answer:
    """What goes into the message `message_id`, of which `parts_before` are there already; `endpoint` gives it.

    `first_request` is None where it cannot be planned, which the chunks then say.
    """

    chunks: AsyncGenerator[Chunk, None]
    first_request: Plan | None
    message_id: str
    parts_before: int
    endpoint: Endpoint | None = None


@dataclass(frozen=True)
class OpenContext:
    """A thread's context as its next request would have it. `goals` is the person's own `goals.md`."""

    context: TurnContext
    conversation: Sequence[UIMessage]
    state: ThreadState
    provider: Provider
    goals: str


@dataclass(frozen=True)
class _Stored:
    """A thread as it was before the request."""

    thread_id: str
    thread: Thread
    state: ThreadState


@dataclass(frozen=True)
class _Question:
    """A conversation that waits for its answer. Without a thread its client keeps it."""

    conversation: Sequence[UIMessage]
    context: TurnContext
    log: TurnLog
    thread_id: str | None = None
    is_beyond_budget: bool = False


class Answering:
    def __init__(
        self,
        *,
        threads: ThreadStore,
        contexts: ThreadContexts,
        providers: ThreadProviders,
        model: Model,
        tools: ToolCatalogue,
        services: ToolServices,
        words: Words,
        live_options: LiveOptions,
        running: RunningTurns,
        background: BackgroundWork,
        elsewhere: Elsewhere | None = None,
        project: ProjectOfThread | None = None,
        pictures: ToldPictures | None = None,
    ) -> None:
        self._threads = threads
        self._contexts = contexts
        self._providers = providers
        self._model = model
        self._tools = tools
        self._services = services
        self._words = words
        self._live_options = live_options
        self._turns = running
        self._background = background
        self._elsewhere = elsewhere
        self._project = project
        self._pictures = pictures
        self._clocks = TurnClocks()
        self._sent_along = SentAlong(words, live_options, project)

    @contextlib.asynccontextmanager
    async def answer(self, request: ChatRequest, *, keeps_reports: bool = False) -> AsyncIterator[Answer]:
        """Answer the newest message, or go on after tool results; the thread is held until the context ends.

        Raises:
            RequestError: there is nothing to answer, or no such thread or skill; or a turn runs in the thread.
            ProviderError: no model is set up.
        """
        if request.page_types is not None:
            self._services.environment.know_page_types(request.page_types)
        async with self._hold(request.thread_id):
            stored = await self._stored(request.thread_id)
            provider, notices = await self._providers.of_turn(
                request.thread_id, stored.thread.chosen if stored else NOTHING_CHOSEN
            )
            graph = OpenGraph(request.workflow, self._services.environment)
            question = await self._question(request, provider, stored, graph)
            question.context.pending_notices += notices
            await self._learn_reading(question, provider)
            question.context.listing = graph.listing
            message_id = answer_id(question.conversation)
            turn = await self._turn(
                question,
                provider,
                message_id=message_id,
                keeps_reports=keeps_reports,
                graph=graph,
            )
            first_request = await turn.prepare()
            last = question.conversation[-1]
            parts = len(last["parts"]) if last["id"] == message_id else 0
            yield Answer(turn.run(), first_request, message_id, parts, provider.endpoint)
            await self._prepare_summary(question, turn, provider)

    async def _learn_reading(self, question: _Question, provider: Provider) -> None:
        if provider.shows_workflow or not edits_unread(question.conversation):
            return
        endpoint = provider.endpoint
        with contextlib.suppress(StoreError):
            await self._contexts.reading.keep(endpoint.base_url, endpoint.model)

    async def open_context(self, thread_id: str) -> OpenContext:
        """A thread's context as its next request would have it.

        Raises:
            RequestError: `unknown_thread`.
            ProviderError: no model is set up.
        """
        thread, state = await self._read(thread_id)
        provider = await self._providers.of_choice(thread.chosen)
        conversation = await self._with_skills(thread.messages)
        context = await self._context(thread_id, thread, state, conversation, provider)
        goals = (await self._words.user(thread.persona)).goals
        return OpenContext(context, conversation, state, provider, goals)

    async def _read(self, thread_id: str) -> tuple[Thread, ThreadState]:
        return await self._threads.read_with(thread_id, self._contexts.state_of)

    async def _stored(self, thread_id: str | None) -> _Stored | None:
        return None if thread_id is None else _Stored(thread_id, *await self._read(thread_id))

    def _hold(self, thread_id: str | None) -> contextlib.AbstractAsyncContextManager[None]:
        return contextlib.nullcontext() if thread_id is None else self._turns.only_one(thread_id)

    async def _question(
        self, request: ChatRequest, provider: Provider, stored: _Stored | None, graph: OpenGraph
    ) -> _Question:
        if stored is not None:
            return await self._accept(request, stored, provider, graph)
        conversation = await self._with_skills(number_all_documents(request.messages))
        check_answerable(conversation, has_news=True)
        has_system = any(message["role"] == "system" for message in conversation)
        form = "posted" if has_system else self._form(conversation, provider)
        room = await self._system_room(provider)
        system = await self._words.system_message(form, room)
        frame = self._frame(form, system, provider, is_slim=provider.is_slim)

        async def slim_frame() -> Frame:
            slim = form if form == "posted" else "slim"
            return self._frame(slim, await self._words.system_message(slim, room), provider, is_slim=True)

        context = await self._contexts.open(
            provider.endpoint,
            frame,
            await self._live_options.budget(provider),
            slim=None if provider.is_slim else SlimForm(provider.slim_below, slim_frame),
        )
        return _Question(conversation, context, NoTurnLog(), is_beyond_budget=request.is_beyond_budget)

    async def _accept(
        self, request: ChatRequest, stored: _Stored, provider: Provider, graph: OpenGraph
    ) -> _Question:
        """Write down what the request adds, before any model is asked."""
        thread_id, thread, state = stored.thread_id, stored.thread, stored.state
        events = additions(request, thread.messages)
        if self._pictures is not None:
            events = await self._pictures.with_facts(events)
        conversation = fold(events, thread.messages)
        news = [event.message_id for event in events if event.kind == "user"]
        skills = {
            message["id"]: {SKILL: (await self._skill(command)).as_metadata()}
            for message in conversation
            if message["id"] in news and (command := skill_command(message))
        }
        if news:
            form = self._form(conversation, provider)
            told = await self._sent_along.told(request, thread, state, conversation, provider, form, graph)
            metadata = {name: {**(told if name == news[-1] else {}), **skills.get(name, {})} for name in news}
            events = [_event_with(event, metadata.get(event.message_id, {})) for event in events]
            conversation = [_with(message, metadata.get(message["id"], {})) for message in conversation]
        check_answerable(conversation, has_news=bool(events))
        await self._threads.append(thread_id, events)
        if news and (file := workflow_file(request.workflow)) not in ("", thread.workflow):
            await self._threads.keep_workflow(thread_id, file)
        conversation = await self._with_skills(conversation)
        context = await self._context(thread_id, thread, state, conversation, provider)
        newest = conversation[last_user_index(conversation)]
        return _Question(
            conversation,
            context,
            ThreadTurnLog(self._threads, thread_id),
            thread_id,
            is_beyond_budget=BEYOND_BUDGET in newest.get("metadata", {}),
        )

    async def project_room(self, thread_id: str | None) -> ProjectRoom:
        """What a thread's model is shown of project files.

        Raises:
            RequestError: `unknown_thread`.
            ProviderError: no model is set up.
        """
        provider = await self._providers.current(thread_id)
        return ProjectRoom(await self._sent_along.room(provider), is_searched=not provider.is_slim)

    async def _skill(self, command: str) -> UsedSkill:
        """Of the tools that it allows those that there are: it may be written for other assistants, too."""
        skill = await self._words.skill(command)
        return replace(skill, tools=tuple(name for name in skill.tools if name in self._tools.facts))

    async def _with_skills(self, conversation: Sequence[UIMessage]) -> Sequence[UIMessage]:
        """Messages that keep no skill, their client's or older than that, with the one that they name now, if any."""
        messages = list(conversation)
        for index, message in enumerate(messages):
            if used_skill(message) is None and (command := skill_command(message)):
                with contextlib.suppress(RequestError):
                    skill = await self._skill(command)
                    metadata = {**message.get("metadata", {}), SKILL: skill.as_metadata()}
                    messages[index] = {**message, "metadata": metadata}
        return messages

    async def _context(
        self,
        thread_id: str,
        thread: Thread,
        state: ThreadState,
        conversation: Sequence[UIMessage],
        provider: Provider,
    ) -> TurnContext:
        room = await self._system_room(provider)
        system = ThreadSystem(self._threads, self._words, thread_id, thread, room)

        async def frame(form: SystemForm) -> Frame:
            return self._frame(form, await system.kept(form), provider, is_slim=form == "slim")

        async def renewed(form: SystemForm) -> Frame:
            return self._frame(form, await system.renewed(form), provider, is_slim=form == "slim")

        return await self._contexts.open(
            provider.endpoint,
            await frame(self._form(conversation, provider)),
            await self._live_options.budget(provider),
            thread_id=thread_id,
            state=state,
            conversation=conversation,
            idle_seconds=time.time() - thread.updated_at,
            summary=pending_summary(state.compactions, conversation),
            memo=thread.memo,
            slim=None if provider.is_slim else SlimForm(provider.slim_below, partial(frame, "slim")),
            renewal=Renewal(renewed, system.keep),
        )

    async def _system_room(self, provider: Provider) -> SystemRoom:
        budget = await self._live_options.budget(provider)
        is_known = provider.window_source != "unknown"
        return SystemRoom.of(budget.effective_working, is_window_known=is_known)

    def _form(self, conversation: Sequence[UIMessage], provider: Provider) -> SystemForm:
        return self._live_options.system_form(provider, is_first_turn=user_count(conversation) == 1)

    def _frame(self, form: SystemForm, system: SystemMessage, provider: Provider, *, is_slim: bool) -> Frame:
        return Frame(
            system.text,
            form,
            self._tools.schemas(is_slim=is_slim),
            self._tools.facts,
            sees_images=provider.vision is not False,
            left_out=system.left_out,
            is_slim=is_slim,
        )

    async def _turn(
        self,
        question: _Question,
        provider: Provider,
        *,
        message_id: str,
        keeps_reports: bool,
        graph: OpenGraph,
    ) -> Turn:
        newest = last_user_index(question.conversation)
        wish = text_of(question.conversation[newest]) if newest >= 0 else ""
        before = question.conversation[newest - 1] if newest > 0 else None
        asked = question_in(text_of(before)) if before and before["role"] == "assistant" else ""

        async def plain_calls() -> PlainCalls:
            return PlainCalls(*await graph.read(), request_read(wish), asked=asked)

        model = self._billed(question, message_id)
        spending = await self._spending(question, message_id)
        delegation = Delegation(
            endpoint=provider.endpoint,
            model=replace(model, kind="task"),
            spending=spending,
            context=question.context,
            tools=self._tools.server,
            services=self._services,
            tasks=self._contexts.tasks,
            thread_id=question.thread_id,
            elsewhere=self._elsewhere,
            project=self._project,
        )
        setup = TurnSetup(
            endpoint=provider.endpoint,
            server_tools=delegation.server_tools(),
            browser_tools=self._tools.browser_names,
            slim_only=self._tools.slim_only,
            context=question.context,
            limits=await self._live_options.limits(provider),
            keeps_reports=keeps_reports,
            plain_calls=plain_calls,
            is_doubted=not provider.reads_first,
            spending=spending,
            clock=self._clocks.of(message_id),
        )
        return Turn(
            question.conversation,
            message_id=message_id,
            setup=setup,
            model=model,
            log=question.log,
        )

    def _billed(self, question: _Question, message_id: str) -> BilledModel:
        count = question.context.count
        return BilledModel(self._model, self._contexts.costs, count, question.thread_id, message_id)

    async def _spending(self, question: _Question, message_id: str) -> Spending:
        budgets = () if question.is_beyond_budget else budgets_of(await self._live_options.current())
        return Spending(self._contexts.costs, tuple(budgets), question.thread_id, message_id)

    async def _prepare_summary(self, question: _Question, turn: Turn, provider: Provider) -> None:
        """In the background, where a person has asked for such summaries."""
        thread_id = question.thread_id
        if thread_id is None or not (await self._live_options.current()).background_summary:
            return
        message_id = turn.conversation[-1]["id"]
        if await (await self._spending(question, message_id)).reached():
            return
        self._background.begin(
            "the background summary",
            prepare_summary(
                question.context,
                turn.conversation,
                endpoint=provider.endpoint,
                model=replace(self._billed(question, message_id), kind="summary"),
                compactions=self._contexts.compactions,
                thread_id=thread_id,
                memory=self._contexts.memory,
            ),
        )


def _event_with(event: LogEvent, metadata: Mapping[str, Any]) -> LogEvent:
    """What goes out with a message is stored with it, so that message never reads otherwise."""
    if event.kind != "user" or not metadata:
        return event
    return replace(event, payload={**event.payload, "metadata": dict(metadata)})


def _with(message: UIMessage, metadata: Mapping[str, Any]) -> UIMessage:
    return {**message, "metadata": dict(metadata)} if metadata else message
