"""The answer to a chat request, step by step; the outcome of each step is stored before the next begins."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from functools import partial

from ..base.event_loop.background import BackgroundWork
from ..base.events import Notice
from ..context.message_metadata import newest_metadata
from ..llm.client import ChatClient
from ..llm.provider import Provider
from ..llm.replies.reply_filter import ReplyFilter
from ..store.costs import CostKind
from ..store.threads import StoredThread
from .calls.calls import ToolForm
from .calls.flat_tools import FlatTools
from .calls.limits import Spending, TurnClocks
from .incoming.incoming_messages import IncomingMessage, IncomingMessages, OpenGraph
from .incoming.request import ChatRequest, answer_id
from .replies.cost_meter import Bill, CostMeter
from .replies.filtered_model import FilteredModel, ModelRequest
from .replies.length_limit import LengthLimit
from .replies.text_call import TextCall
from .replies.vram_manager import ModelLoader, VramManager
from .response_streams import Answer, Beginning
from .thread_context.live_options import LiveOptions
from .thread_context.thread_contexts import OpenContexts, ThreadContexts
from .thread_context.thread_providers import NOTHING_CHOSEN, ThreadProviders
from .thread_context.tool_catalog import ToolCatalog
from .thread_context.turn_context import TurnContext
from .turn.background_summary import prepare_summary
from .turn.delegation import Delegation, ServerToolbox
from .turn.turn import Turn, TurnSetup
from .turn_locks import TurnLocks

_ALL_TOOLS = ToolForm()


class Answers:
    """Answers the requests of all chats: `answer` is the list of the steps."""

    def __init__(
        self,
        *,
        incoming_messages: IncomingMessages,
        open_contexts: OpenContexts,
        contexts: ThreadContexts,
        providers: ThreadProviders,
        client: ChatClient,
        vram_manager: VramManager,
        tools: ToolCatalog,
        toolbox: ServerToolbox,
        live_options: LiveOptions,
        turn_locks: TurnLocks,
        background: BackgroundWork,
    ) -> None:
        self._incoming_messages = incoming_messages
        self._open_contexts = open_contexts
        self._contexts = contexts
        self._providers = providers
        self._client = client
        self._vram_manager = vram_manager
        self._tools = tools
        self._toolbox = toolbox
        self._live_options = live_options
        self._turn_locks = turn_locks
        self._background = background
        self._clocks = TurnClocks()

    @contextlib.asynccontextmanager
    async def answer(self, request: ChatRequest, *, keeps_reports: bool = False) -> AsyncIterator[Answer]:
        """Answer the newest message, or go on after tool results; the thread is held until the context ends.

        Raises:
            RequestError: there is nothing to answer, or no such thread or skill; or a turn runs in the thread.
            ProviderError: no model is set up.
        """
        graph = self._open_graph(request)
        async with self._hold(request):
            stored = await self._read_thread(request)
            provider, notices = await self._choose_provider(request, stored)
            incoming = await self._incoming_messages.store(request, stored, provider, graph)
            context = await self._open_context(incoming, stored, provider)
            context.recorder.pending_notices += notices
            message_id = answer_id(incoming.conversation)
            turn = await self._make_turn(
                incoming, context, provider, graph, message_id=message_id, keeps_reports=keeps_reports
            )
            beginning = Beginning(message_id, _parts_before(incoming, message_id), await turn.prepare())
            yield Answer(turn.run(), beginning, provider.endpoint)
            await self._summarize_later(incoming, context, provider, turn)

    def _open_graph(self, request: ChatRequest) -> OpenGraph:
        environment = self._toolbox.services.environment
        if request.page_types is not None:
            environment.set_page_types(request.page_types)
        return OpenGraph(request.workflow, environment)

    def _hold(self, request: ChatRequest) -> contextlib.AbstractAsyncContextManager[None]:
        thread_id = request.thread_id
        return contextlib.nullcontext() if thread_id is None else self._turn_locks.hold(thread_id)

    async def _read_thread(self, request: ChatRequest) -> StoredThread | None:
        return None if request.thread_id is None else await self._open_contexts.read(request.thread_id)

    async def _choose_provider(
        self, request: ChatRequest, stored: StoredThread | None
    ) -> tuple[Provider, list[Notice]]:
        if stored is None:
            return await self._providers.for_turn(request.thread_id, NOTHING_CHOSEN)
        thread = stored.thread
        return await self._providers.for_turn(
            request.thread_id, thread.chosen, answers_from=thread.answers_from
        )

    async def _open_context(
        self, incoming: IncomingMessage, stored: StoredThread | None, provider: Provider
    ) -> TurnContext:
        if stored is None:
            return await self._open_contexts.for_client(incoming.conversation, provider)
        return await self._open_contexts.for_thread(stored, incoming.conversation, provider)

    async def _make_turn(
        self,
        incoming: IncomingMessage,
        context: TurnContext,
        provider: Provider,
        graph: OpenGraph,
        *,
        message_id: str,
        keeps_reports: bool,
    ) -> Turn:
        names = newest_metadata(incoming.conversation).workflow_names
        tool_form = FlatTools(graph.read, names) if provider.is_slim else ToolForm(self._tools.slim_only)
        spending = await self._spending(incoming, message_id)
        delegation = Delegation(
            endpoint=provider.endpoint,
            model=self._model("task", incoming, context, message_id),
            spending=spending,
            context=context,
            toolbox=self._toolbox,
            tasks=self._contexts.tasks,
            thread_id=incoming.thread_id,
            is_slim=provider.is_slim,
        )
        setup = TurnSetup(
            endpoint=provider.endpoint,
            server_tools=delegation.server_tools(),
            browser_tools=self._tools.browser_names,
            context=context,
            limits=await self._live_options.limits(),
            keeps_reports=keeps_reports,
            tool_form=tool_form,
            spending=spending,
            clock=self._clocks.get(message_id),
        )
        return Turn(
            incoming.conversation,
            message_id=message_id,
            setup=setup,
            model=self._model("answer", incoming, context, message_id, tool_form),
            log=incoming.log,
        )

    def _model(
        self,
        kind: CostKind,
        incoming: IncomingMessage,
        context: TurnContext,
        message_id: str,
        tool_form: ToolForm = _ALL_TOOLS,
    ) -> FilteredModel:
        bill = Bill(self._contexts.costs, context.planner.count, incoming.thread_id, message_id, kind)
        filters = partial(reply_filters, vram_manager=self._vram_manager, bill=bill, tool_form=tool_form)
        return FilteredModel(self._client, filters)

    async def _spending(self, incoming: IncomingMessage, message_id: str) -> Spending:
        if incoming.is_beyond_budget:
            return Spending(self._contexts.costs, message_id)
        options = await self._live_options.current()
        return Spending(
            self._contexts.costs,
            message_id,
            answer_tokens=options.budget_turn_tokens,
            day_cents=options.budget_day_cents,
        )

    async def _summarize_later(
        self, incoming: IncomingMessage, context: TurnContext, provider: Provider, turn: Turn
    ) -> None:
        """Begin a summary in the background if the user has turned such summaries on."""
        thread_id = incoming.thread_id
        if thread_id is None or not (await self._live_options.current()).background_summary:
            return
        message_id = turn.conversation[-1]["id"]
        if await (await self._spending(incoming, message_id)).budget_notice():
            return
        self._background.begin(
            "the background summary",
            prepare_summary(
                context,
                turn.conversation,
                endpoint=provider.endpoint,
                model=self._model("summary", incoming, context, message_id),
                compactions=self._contexts.compactions,
                thread_id=thread_id,
                memory=self._contexts.memory,
            ),
        )


def _parts_before(incoming: IncomingMessage, message_id: str) -> int:
    last = incoming.conversation[-1]
    return len(last["parts"]) if last["id"] == message_id else 0


def reply_filters(
    request: ModelRequest, *, vram_manager: VramManager, bill: Bill, tool_form: ToolForm
) -> list[ReplyFilter]:
    """Return the filters of a reply, in the order in which it passes them on its way from the model to the user."""
    filters: list[ReplyFilter] = [ModelLoader(vram_manager, request.endpoint), CostMeter(bill, request)]
    if tool_form.is_for_small_windows:
        filters += [LengthLimit(request.endpoint.model, tool_form), TextCall(tool_form)]
    return filters
