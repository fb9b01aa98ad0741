"""The chat: a request is planned and answered, and what comes of it is kept."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass

from ..base.event_loop.background import BackgroundWork
from ..context.message_metadata import metadata_of_newest
from ..context.plan import Plan
from ..llm.endpoint import Endpoint
from ..llm.provider import Provider
from ..store.costs import CostKind
from ..stream.chunks import Chunk
from .calls.tool_form import FlatTools, FullTools, ToolForm
from .question.open_graph import OpenGraph
from .question.questions import Question, Questions
from .question.request import ChatRequest, answer_id
from .replies.cost_meter import Bill
from .replies.filters import ReplyFilters
from .replies.model import Model
from .replies.reply_filter import FilteredModel
from .replies.vram_manager import VramManager
from .running import RunningTurns
from .thread_context.live_options import LiveOptions
from .thread_context.thread_contexts import ThreadContexts
from .thread_context.thread_providers import NOTHING_CHOSEN, ThreadProviders
from .thread_context.tool_catalogue import ToolCatalogue
from .turn.background_summary import prepare_summary
from .turn.delegation import Delegation, ServerToolbox
from .turn.spending import Spending
from .turn.turn import Turn, TurnSetup
from .turn.turn_clock import TurnClocks

_ALL_TOOLS = FullTools()


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


class Answering:
    def __init__(
        self,
        *,
        questions: Questions,
        contexts: ThreadContexts,
        providers: ThreadProviders,
        model: Model,
        vram_manager: VramManager,
        tools: ToolCatalogue,
        toolbox: ServerToolbox,
        live_options: LiveOptions,
        running: RunningTurns,
        background: BackgroundWork,
    ) -> None:
        self._questions = questions
        self._contexts = contexts
        self._providers = providers
        self._model = model
        self._vram_manager = vram_manager
        self._tools = tools
        self._toolbox = toolbox
        self._live_options = live_options
        self._turns = running
        self._background = background
        self._clocks = TurnClocks()

    @contextlib.asynccontextmanager
    async def answer(self, request: ChatRequest, *, keeps_reports: bool = False) -> AsyncIterator[Answer]:
        """Answer the newest message, or go on after tool results; the thread is held until the context ends.

        Raises:
            RequestError: there is nothing to answer, or no such thread or skill; or a turn runs in the thread.
            ProviderError: no model is set up.
        """
        environment = self._toolbox.services.environment
        if request.page_types is not None:
            environment.set_page_types(request.page_types)
        async with self._hold(request.thread_id):
            stored = await self._questions.stored(request.thread_id)
            provider, notices = await self._providers.of_turn(
                request.thread_id,
                stored.thread.chosen if stored else NOTHING_CHOSEN,
                answers_from=stored.thread.answers_from if stored else "",
            )
            graph = OpenGraph(request.workflow, environment)
            question = await self._questions.asked(request, provider, stored, graph)
            question.context.recorder.pending_notices += notices
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

    def _hold(self, thread_id: str | None) -> contextlib.AbstractAsyncContextManager[None]:
        return contextlib.nullcontext() if thread_id is None else self._turns.only_one(thread_id)

    async def _turn(
        self,
        question: Question,
        provider: Provider,
        *,
        message_id: str,
        keeps_reports: bool,
        graph: OpenGraph,
    ) -> Turn:
        tool_form = (
            FlatTools(graph.read, metadata_of_newest(question.conversation).workflow_names)
            if provider.is_slim
            else FullTools(self._tools.slim_only)
        )
        spending = await self._spending(question, message_id)
        delegation = Delegation(
            endpoint=provider.endpoint,
            model=self._model_for("task", question, message_id),
            spending=spending,
            context=question.context,
            toolbox=self._toolbox,
            tasks=self._contexts.tasks,
            thread_id=question.thread_id,
            is_slim=provider.is_slim,
        )
        setup = TurnSetup(
            endpoint=provider.endpoint,
            server_tools=delegation.server_tools(),
            browser_tools=self._tools.browser_names,
            context=question.context,
            limits=await self._live_options.limits(),
            keeps_reports=keeps_reports,
            tool_form=tool_form,
            spending=spending,
            clock=self._clocks.of(message_id),
        )
        return Turn(
            question.conversation,
            message_id=message_id,
            setup=setup,
            model=self._model_for("answer", question, message_id, tool_form),
            log=question.log,
        )

    def _model_for(
        self, kind: CostKind, question: Question, message_id: str, tool_form: ToolForm = _ALL_TOOLS
    ) -> FilteredModel:
        bill = Bill(
            self._contexts.costs, question.context.planner.count, question.thread_id, message_id, kind
        )
        return FilteredModel(self._model, ReplyFilters(self._vram_manager, bill, tool_form))

    async def _spending(self, question: Question, message_id: str) -> Spending:
        if question.is_beyond_budget:
            return Spending(self._contexts.costs, message_id)
        options = await self._live_options.current()
        return Spending(
            self._contexts.costs,
            message_id,
            answer_tokens=options.budget_turn_tokens,
            day_cents=options.budget_day_cents,
        )

    async def _prepare_summary(self, question: Question, turn: Turn, provider: Provider) -> None:
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
                model=self._model_for("summary", question, message_id),
                compactions=self._contexts.compactions,
                thread_id=thread_id,
                memory=self._contexts.memory,
            ),
        )
