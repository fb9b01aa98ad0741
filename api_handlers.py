"""HTTP in and out, and the one place where everything is put together."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import agent_prompts
from .engine.background import BackgroundWork
from .engine.chat.background_summary import pending_summary, prepare_summary
from .engine.chat.delegation import Delegation, ServerTools, ThreadOfRun
from .engine.chat.limits import SLIM_LIMITS, Limits
from .engine.chat.records import NotKept, Record, ThreadRecord
from .engine.chat.request import ChatRequest, additions, answer_id, check_answerable, parse_chat_request
from .engine.chat.running import RunningTurns
from .engine.chat.thread_contexts import ThreadContexts, ThreadState
from .engine.chat.turn import Turn, TurnSetup
from .engine.chat.turn_context import Frame, TurnContext
from .engine.context.documents import all_numbered, documents
from .engine.context.plan import Budget, SystemForm, system_form
from .engine.context.reminder import reminder
from .engine.context.rendering import REMINDER
from .engine.context.slash_skill import named_skills
from .engine.environment.comfy import RunningComfy
from .engine.environment.host import ComfyHost
from .engine.environment.scan import EnvironmentScanner
from .engine.environment.snapshot import Environment
from .engine.environment.summary import save_summary, summarise
from .engine.environment.templates import TemplateShelf
from .engine.errors import AssistantError, StoreError
from .engine.http.body import read_json
from .engine.http.config import ConfigHandlers
from .engine.http.context import CONTEXT_HEADER, ContextHandlers, OpenContext
from .engine.http.environment import EnvironmentHandlers
from .engine.http.guarded import Route, guarded, reply
from .engine.http.history import HistoryHandlers
from .engine.http.providers import ProviderHandlers
from .engine.http.skills import SkillHandlers, unknown_skill
from .engine.http.sse_response import send_stream
from .engine.http.templates import TemplateHandlers
from .engine.http.thread_records import ThreadRecordHandlers
from .engine.http.threads import ThreadHandlers
from .engine.llm.client import ChatClient
from .engine.llm.probe import find_local_servers
from .engine.llm.provider import Provider, ProviderDirectory
from .engine.llm.server_facts import ask_for_facts
from .engine.llm.tokenizer import Tokenizer
from .engine.messages import UIMessage, user_count
from .engine.settings import Settings, read_env_file
from .engine.skills.library import merged
from .engine.store.database import Database
from .engine.store.history import HistorySearch
from .engine.store.preferences import PreferencesFile
from .engine.store.retention import Retention
from .engine.store.thread_log import LogEvent, fold
from .engine.store.threads import Thread, ThreadStore
from .engine.tools.tool import ToolServices, run_server_tool
from .engine.web.node_registry import NodeRegistry
from .tools_definitions import Catalogue, load_catalogue
from .user_context_loader import (
    load_environment_summary,
    load_system_context,
    load_user_context,
    system_skill_folders,
    user_skill_folders,
)

if TYPE_CHECKING:
    from aiohttp import web

logger = logging.getLogger(__name__)

ROOT = Path(__file__).parent
VERSION = "0.1.0"
_DAY = 86_400.0


class Assistant:
    """The running assistant: what its parts are, and the handlers that need more than one of them."""

    def __init__(self, host: ComfyHost, environ: Mapping[str, str], *, root: Path = ROOT) -> None:
        self.settings, problems = Settings.from_env(environ, read_env_file(root / ".env"))
        for problem in problems:
            logger.warning("%s %s", problem.message, problem.hint)
        self._data = host.data_directory()
        self._system_context = root / "system_context"
        self._user_context = root / "user_context"
        self._catalogue: Catalogue = load_catalogue()
        self._environment = EnvironmentScanner(host, on_scanned=self._keep_summary)
        self._system_skills = system_skill_folders(self._system_context)
        self._user_skills = user_skill_folders(self._data, self._user_context)
        self._templates = TemplateShelf(host)
        self._tool_services = ToolServices(
            environment=self._environment,
            system_skills=self._system_skills,
            user_skills=self._user_skills,
            templates=self._templates,
            registry=NodeRegistry(),
        )
        database_url = self.settings.database_url
        self.database = Database(database_url) if database_url else Database.in_folder(self._data)
        self.threads = ThreadStore(self.database)
        self.history = HistorySearch(self.database)
        self.client = ChatClient()
        self._tokenizer = Tokenizer()
        self.contexts = ThreadContexts(self.database, self._tokenizer)
        self._preferences = PreferencesFile(self._data / "settings.json")
        self._providers = ProviderDirectory(
            self.settings,
            preferences=self._preferences.load,
            facts=ask_for_facts,
            discovery=find_local_servers,
            listing=self.client.models,
            learned=self.contexts.learned_window,
        )
        self._config = ConfigHandlers(self._preferences, self.settings.runtime)
        self._retention = Retention(self.database, self._data / "exports")
        self._running = RunningTurns()
        self.background = BackgroundWork()

    def routes(self) -> list[Route]:
        return [
            Route("POST", "/chat", self.chat),
            Route("GET", "/assistant/status", self.status),
            *ThreadHandlers(self.threads, hold=self._running.only_one, announce=self._announce).routes(),
            *ThreadRecordHandlers(self.contexts.pins, self.contexts.requests, self.contexts.runs).routes(),
            *HistoryHandlers(self.history).routes(),
            *ProviderHandlers(
                self._providers, self._preferences, self.client, on_changed=self._providers.forget
            ).routes(),
            *self._config.routes(),
            *ContextHandlers(self.opened_context, self.contexts, self._running).routes(),
            *TemplateHandlers(self._templates, self._environment).routes(),
            *SkillHandlers("/system-context", self._system_skills).routes(),
            *SkillHandlers("/user-context", self._user_skills).routes(),
            *EnvironmentHandlers(self._environment).routes(),
        ]

    async def chat(self, request: web.Request) -> web.StreamResponse:
        """Answer the newest message, or go on after tool results: docs/api.md, POST /chat."""
        asked = parse_chat_request(await read_json(request))
        provider = await self._providers.current()
        if asked.thread_id is None:
            posted = all_numbered(asked.messages)
            check_answerable(posted, has_news=True)
            has_system = any(message["role"] == "system" for message in posted)
            form = "posted" if has_system else self._form(posted, provider)
            frame = await self._frame(form, await self._system_message(form), posted, provider)
            context = await self.contexts.open(provider.endpoint, frame, await self._budget(provider))
            return await self._answer(request, posted, provider, NotKept(), context)
        async with self._running.only_one(asked.thread_id):
            thread = await self.threads.read(asked.thread_id)
            state = await self.contexts.state(asked.thread_id)
            conversation = await self._accept(asked, asked.thread_id, thread, state, provider)
            context = await self._context(asked.thread_id, thread, state, conversation, provider)
            record = ThreadRecord(self.threads, asked.thread_id)
            return await self._answer(request, conversation, provider, record, context, asked.thread_id)

    async def status(self, _: web.Request) -> web.StreamResponse:
        self.background.begin("warming up", self._warm_up())
        return reply({"ok": True, "version": VERSION, "model": await self._providers.status()})

    async def start(self, _: Any = None) -> None:
        """Once ComfyUI listens: tidy up, then once a day."""
        self.background.begin("tidying up old threads", self._tidy())

    async def stop(self, _: Any = None) -> None:
        self.background.cancel()
        await self.client.close()
        await asyncio.to_thread(self.database.close)

    async def opened_context(self, thread_id: str) -> OpenContext:
        """A thread's context as its next request would have it: for the context report, which changes nothing.

        Raises:
            RequestError: `unknown_thread`.
        """
        provider = await self._providers.current()
        thread = await self.threads.read(thread_id)
        state = await self.contexts.state(thread_id)
        context = await self._context(thread_id, thread, state, thread.messages, provider)
        user = await asyncio.to_thread(load_user_context, self._data, self._user_context)
        return OpenContext(context, thread.messages, state, provider.endpoint.model, user.goals)

    async def _context(
        self,
        thread_id: str,
        thread: Thread,
        state: ThreadState,
        conversation: Sequence[UIMessage],
        provider: Provider,
    ) -> TurnContext:
        form = self._form(conversation, provider)
        system = await self._kept_system_message(thread_id, form, thread.system_forms)
        return await self.contexts.open(
            provider.endpoint,
            await self._frame(form, system, conversation, provider),
            await self._budget(provider),
            thread_id=thread_id,
            state=state,
            conversation=conversation,
            idle_seconds=time.time() - thread.updated_at,
            summary=pending_summary(state.compactions, conversation),
        )

    async def _frame(
        self, form: SystemForm, system: str, conversation: Sequence[UIMessage], provider: Provider
    ) -> Frame:
        skills = await self._skills_for(conversation, must_exist=False)
        tools = self._catalogue.schemas(is_slim=provider.is_slim)
        facts = self._catalogue.facts
        return Frame(system, form, tools, skills, facts, sees_images=provider.vision is not False)

    async def _accept(
        self,
        asked: ChatRequest,
        thread_id: str,
        thread: Thread,
        state: ThreadState,
        provider: Provider,
    ) -> list[UIMessage]:
        """Write down what the request adds, before any model is asked; the conversation that it makes."""
        events = additions(asked, thread.messages)
        if any(event.kind == "user" for event in events):
            await self._skills_for([message for message in asked.messages if message["role"] == "user"][-1:])
            cites = any(documents(fold(events, thread.messages)))
            said = await self._reminder(state, provider, cites=cites)
            events = [_reminded(event, said) for event in events]
        conversation = fold(events, thread.messages)
        check_answerable(conversation, has_news=bool(events))
        await self.threads.append(thread_id, events)
        return conversation

    async def _reminder(self, state: ThreadState, provider: Provider, *, cites: bool) -> str:
        """What the model reads last: date, persona, goals, pins, how to cite. Small models get only the last two."""
        pins = [pin.text for pin in state.pins]
        if provider.is_slim:
            return reminder(pins=pins, cites=cites)
        user = await asyncio.to_thread(load_user_context, self._data, self._user_context)
        now = time.strftime("%A, %d %B %Y, %H:%M")
        return reminder(now=now, pins=pins, goals=user.goals, persona=user.soul, cites=cites)

    async def _answer(
        self,
        request: web.Request,
        conversation: Sequence[UIMessage],
        provider: Provider,
        record: Record,
        context: TurnContext,
        thread_id: str | None = None,
    ) -> web.StreamResponse:
        delegation = Delegation(
            provider.endpoint, self.client, context, self._server_tools, self.contexts.runs, thread_id
        )
        thread = ThreadOfRun(delegation)
        setup = TurnSetup(
            endpoint=provider.endpoint,
            server_tools=self._server_tools(thread),
            browser_tools=self._catalogue.browser_names,
            context=context,
            limits=await self._limits(provider),
            keeps_reports=request.query.get("debug") == "context",
        )
        message_id = answer_id(conversation)
        turn = thread.turn = Turn(
            conversation, message_id=message_id, setup=setup, model=self.client, record=record
        )
        planned = await turn.prepare()
        headers = {CONTEXT_HEADER: f"{planned.tokens}/{planned.window} {planned.form}"} if planned else {}
        response = await send_stream(request, turn.run(), headers=headers)
        if thread_id is not None and (await self._config.current()).background_summary:
            self.background.begin(
                "the background summary",
                prepare_summary(
                    context,
                    turn.conversation,
                    endpoint=provider.endpoint,
                    model=self.client,
                    compactions=self.contexts.compactions,
                    thread_id=thread_id,
                    memory=self._data / "memory",
                ),
            )
        return response

    def _server_tools(self, thread: ThreadOfRun) -> ServerTools:
        services = replace(self._tool_services, thread=thread)
        return {
            tool.name: partial(run_server_tool, tool, services=services) for tool in self._catalogue.server
        }

    def _form(self, conversation: Sequence[UIMessage], provider: Provider) -> SystemForm:
        return system_form(
            self.settings.system_message_mode,
            window=provider.window,
            is_slim=provider.is_slim,
            is_first_turn=user_count(conversation) == 1,
        )

    async def _budget(self, provider: Provider) -> Budget:
        config = await self._config.current()
        return Budget(
            window=provider.window,
            reserve=min(4_096, provider.window // 4),
            working=config.working_set_tokens,
            max_messages=self.settings.history_max_messages,
            max_turns=config.max_context_turns,
            keep_rounds=self.settings.tool_result_keep_last_rounds,
            auto_compact=config.auto_compact,
        )

    async def _limits(self, provider: Provider) -> Limits:
        steps = (await self._config.current()).max_steps
        return (
            replace(SLIM_LIMITS, steps=min(steps, SLIM_LIMITS.steps)) if provider.is_slim else Limits(steps)
        )

    async def _announce(self) -> None:
        try:
            await self._retention.announce((await self._config.current()).retention_days)
        except StoreError as error:
            logger.warning("the day of removal of old threads could not be written down: %s", error)

    async def _tidy(self) -> None:
        """Once a day, remove the threads that have been announced for removal."""
        while True:
            try:
                await self._retention.apply((await self._config.current()).retention_days)
            except AssistantError as error:
                logger.warning("old threads were not tidied up: %s %s", error.message, error.hint)
            await asyncio.sleep(_DAY)

    async def _kept_system_message(self, thread_id: str, form: SystemForm, kept: Mapping[str, str]) -> str:
        """The same bytes in every request of a thread, whatever has been installed or written since it began."""
        if form in kept:
            return kept[form]
        system = await self._system_message(form)
        await self.threads.keep_system_forms(thread_id, {**kept, form: system})
        return system

    async def _system_message(self, form: SystemForm) -> str:
        return "" if form == "posted" else await asyncio.to_thread(self._compose, form)

    def _compose(self, form: SystemForm) -> str:
        user = load_user_context(self._data, self._user_context)
        if form == "slim":
            return agent_prompts.get_system_message_slim(user)
        system = load_system_context(self._system_context)
        for diagnostic in (*system.diagnostics, *user.diagnostics):
            logger.warning("%s", diagnostic)
        if form == "continuation":
            return agent_prompts.get_system_message_continuation(system, user)
        return agent_prompts.get_system_message(
            system,
            user,
            load_environment_summary(self._data),
            system_context_max_chars=self.settings.system_context_max_chars,
            user_context_max_chars=self.settings.user_context_max_chars,
        )

    async def _skills_for(self, messages: Sequence[UIMessage], *, must_exist: bool = True) -> dict[str, str]:
        """The texts of the skills that user messages activate by `/skill <name>`.

        Raises:
            RequestError: `unknown_skill` (404), with the closest names, when they must exist.
        """
        names = named_skills(messages)
        if not names:
            return {}
        library = merged([await self._user_skills.library(), await self._system_skills.library()])
        found = {name: library.find(name) for name in names}
        if must_exist and (missing := next((name for name, skill in found.items() if skill is None), None)):
            raise unknown_skill(missing, library)
        return {name: skill.content for name, skill in found.items() if skill is not None}

    def _keep_summary(self, environment: Environment) -> None:
        save_summary(summarise(environment), self._data)

    async def _warm_up(self) -> None:
        """What the first message needs and takes a while: the openai package, the database, what is installed."""
        await asyncio.to_thread(__import__, "openai")
        await self.threads.list()
        await self._tokenizer.load()
        await self._environment.snapshot()


def register(
    server: Any, host: ComfyHost | None = None, *, environ: Mapping[str, str] = os.environ
) -> Assistant:
    """Give ComfyUI's server our routes, and our part in its start and end."""
    assistant = Assistant(host or RunningComfy(), environ)
    routes = assistant.routes()
    _refuse_a_second_copy(server, routes)
    for route in routes:
        handler = guarded(route.handler, allowed_hosts=assistant.settings.allowed_hosts)
        server.routes.route(route.method, route.path)(handler)
    server.app.on_startup.append(assistant.start)
    server.app.on_cleanup.append(assistant.stop)
    return assistant


def _reminded(event: LogEvent, said: str) -> LogEvent:
    """The reminder is stored with the message that it goes out with, so that message never reads otherwise."""
    if event.kind != "user" or not said:
        return event
    return replace(event, payload={**event.payload, "metadata": {REMINDER: said}})


def _refuse_a_second_copy(server: Any, routes: Sequence[Route]) -> None:
    """ComfyUI would not start at all with two handlers for one path."""
    taken = {(getattr(route, "method", ""), getattr(route, "path", "")) for route in server.routes}
    for route in routes:
        if (route.method, route.path) in taken:
            raise RuntimeError(
                f"another extension already answers {route.method} {route.path}; "
                "if ComfyUI Assistant is installed twice, remove one copy from custom_nodes"
            )
