"""HTTP in and out, and the one place where everything is put together."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import agent_prompts
from .engine.chat.limits import SLIM_LIMITS, Limits
from .engine.chat.records import NotKept, Record, ThreadRecord
from .engine.chat.request import ChatRequest, additions, answer_id, check_answerable, parse_chat_request
from .engine.chat.running import RunningTurns
from .engine.chat.turn import Turn, TurnSetup
from .engine.context.convert import to_openai
from .engine.context.plan import Budget, SystemForm, plan, system_form
from .engine.context.slash_skill import named_skills
from .engine.environment.comfy import RunningComfy
from .engine.environment.host import ComfyHost
from .engine.environment.scan import EnvironmentScanner
from .engine.environment.snapshot import Environment
from .engine.environment.summary import save_summary, summarise
from .engine.errors import AssistantError
from .engine.http.body import read_json
from .engine.http.guarded import Route, guarded, reply
from .engine.http.providers import ProviderHandlers
from .engine.http.skills import SkillHandlers, unknown_skill
from .engine.http.sse_response import send_stream
from .engine.http.threads import ThreadHandlers
from .engine.llm.client import ChatClient
from .engine.llm.embedded.models import embedded_model
from .engine.llm.probe import context_window, find_local_servers
from .engine.llm.provider import Provider, ProviderDirectory
from .engine.llm.tokenizer import Tokenizer
from .engine.messages import UIMessage
from .engine.settings import Settings
from .engine.skills.library import merged
from .engine.store.database import Database
from .engine.store.preferences import PreferencesFile
from .engine.store.thread_log import fold
from .engine.store.threads import ThreadStore
from .engine.tools.tool import ServerTool, ToolServices, run_server_tool
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


class Assistant:
    """The running assistant: what its parts are, and the handlers that need more than one of them."""

    def __init__(self, host: ComfyHost, environ: Mapping[str, str], *, root: Path = ROOT) -> None:
        self.settings, problems = Settings.from_env(environ, _read_env_file(root / ".env"))
        for problem in problems:
            logger.warning("%s %s", problem.message, problem.hint)
        self._data = host.data_directory()
        self._system_context = root / "system_context"
        self._user_context = root / "user_context"
        self._catalogue: Catalogue = load_catalogue()
        self._environment = EnvironmentScanner(host, on_scanned=self._keep_summary)
        self._system_skills = system_skill_folders(self._system_context)
        self._user_skills = user_skill_folders(self._data, self._user_context)
        self._tool_services = ToolServices(self._environment, self._system_skills, self._user_skills)
        database_url = self.settings.database_url
        self.database = Database(database_url) if database_url else Database.in_folder(self._data)
        self.threads = ThreadStore(self.database)
        self.client = ChatClient()
        self._tokenizer = Tokenizer()
        self._preferences = PreferencesFile(self._data / "settings.json")
        self._providers = ProviderDirectory(
            self.settings,
            preferences=self._preferences.load,
            windows=context_window,
            discovery=find_local_servers,
            listing=self.client.models,
            embedded=embedded_model(self.settings.model) if self.settings.is_embedded else None,
        )
        self._running = RunningTurns()
        self._background: set[asyncio.Task[None]] = set()

    def routes(self) -> list[Route]:
        return [
            Route("POST", "/chat", self.chat),
            Route("GET", "/assistant/status", self.status),
            *ThreadHandlers(self.threads).routes(),
            *ProviderHandlers(
                self._providers, self._preferences, self.client, on_changed=self._providers.forget
            ).routes(),
            *SkillHandlers("/system-context", self._system_skills).routes(),
            *SkillHandlers("/user-context", self._user_skills).routes(),
            Route("GET", "/environment/summary", self.environment_summary),
        ]

    async def chat(self, request: web.Request) -> web.StreamResponse:
        """Answer the newest message, or go on after tool results: docs/api.md, POST /chat."""
        asked = parse_chat_request(await read_json(request))
        provider = await self._providers.current()
        if asked.thread_id is None:
            check_answerable(asked.messages, has_news=True)
            has_system = any(message["role"] == "system" for message in asked.messages)
            form = "posted" if has_system else self._form(asked.messages, provider)
            system = await self._system_message(form)
            turn = await self._turn(asked.messages, provider, NotKept(), form=form, system=system)
            return await send_stream(request, turn.run())
        async with self._running.only_one(asked.thread_id):
            thread = await self.threads.read(asked.thread_id)
            conversation = await self._accept(asked, asked.thread_id, thread.messages)
            form = self._form(conversation, provider)
            system = await self._kept_system_message(asked.thread_id, form, thread.system_forms)
            record = ThreadRecord(self.threads, asked.thread_id)
            turn = await self._turn(conversation, provider, record, form=form, system=system)
            return await send_stream(request, turn.run())

    async def status(self, _: web.Request) -> web.StreamResponse:
        self._in_background(self._warm_up())
        try:
            model = (await self._providers.current()).as_json()
        except AssistantError as error:
            choice = await self._providers.choice()
            model = {
                "state": "needs-setup",
                "label": choice.model or "No model",
                "id": choice.model,
                "baseUrl": choice.base_url,
                "source": choice.base_url_source,
                "local": False,
                "slim": False,
                "window": 0,
                "notice": f"{error.message} {error.hint}",
            }
        return reply({"ok": True, "version": VERSION, "model": model})

    async def environment_summary(self, _: web.Request) -> web.StreamResponse:
        summary = summarise(await self._environment.snapshot())
        return reply(
            {
                "packages": summary.packages,
                "nodeTypes": summary.node_types,
                "models": summary.models,
                "text": summary.text,
            }
        )

    async def start(self, _: Any = None) -> None:
        """Once ComfyUI listens: let a slow embedded model read what begins every request."""
        if self.settings.is_embedded:
            self._in_background(self._warm_prefix())

    async def stop(self, _: Any = None) -> None:
        for task in self._background:
            task.cancel()
        await self.client.close()
        await asyncio.to_thread(self.database.close)

    async def _accept(
        self, asked: ChatRequest, thread_id: str, known: Sequence[UIMessage]
    ) -> list[UIMessage]:
        """Write down what the request adds, before any model is asked; the conversation that it makes."""
        events = additions(asked, known)
        if any(event.kind == "user" for event in events):
            await self._skills_for([message for message in asked.messages if message["role"] == "user"][-1:])
        conversation = fold(events, known)
        check_answerable(conversation, has_news=bool(events))
        await self.threads.append(thread_id, events)
        return conversation

    async def _turn(
        self,
        conversation: Sequence[UIMessage],
        provider: Provider,
        record: Record,
        *,
        form: SystemForm,
        system: str,
    ) -> Turn:
        skills = await self._skills_for(conversation, must_exist=False)
        tools = self._catalogue.schemas(is_slim=provider.is_slim)
        setup = TurnSetup(
            endpoint=provider.endpoint,
            tools=tools,
            server_tools={tool.name: self._runner(tool) for tool in self._catalogue.server},
            browser_tools=self._catalogue.browser_names,
            plan=lambda messages: plan(
                messages,
                system=system,
                form=form,
                tools=tools,
                skills=skills,
                budget=self._budget(provider),
                count=self._tokenizer.count,
            ),
            limits=SLIM_LIMITS if provider.is_slim else Limits(),
        )
        message_id = answer_id(conversation)
        return Turn(conversation, message_id=message_id, setup=setup, model=self.client, record=record)

    def _form(self, conversation: Sequence[UIMessage], provider: Provider) -> SystemForm:
        return system_form(
            self.settings.system_message_mode,
            window=provider.window,
            is_slim=provider.is_slim,
            is_first_turn=sum(message["role"] == "user" for message in conversation) == 1,
        )

    def _budget(self, provider: Provider) -> Budget:
        return Budget(
            window=provider.window,
            reserve=min(4_096, provider.window // 4),
            max_messages=self.settings.history_max_messages,
            keep_rounds=self.settings.tool_result_keep_last_rounds,
        )

    def _runner(self, tool: ServerTool[Any]) -> Any:
        return lambda arguments: run_server_tool(tool, arguments, self._tool_services)

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

    async def _warm_prefix(self) -> None:
        provider = await self._providers.current()
        form: SystemForm = "slim" if provider.is_slim else "full"
        greeting: UIMessage = {"id": "warm-up", "role": "user", "parts": [{"type": "text", "text": "Hi"}]}
        system = await self._system_message(form)
        messages: list[Any] = [{"role": "system", "content": system}, *to_openai([greeting])]
        tools = self._catalogue.schemas(is_slim=provider.is_slim)
        async for _ in self.client.stream(provider.endpoint, messages, tools, max_tokens=1):
            pass
        logger.info("%s has read the system message and is ready.", provider.label)

    def _in_background(self, work: Any) -> None:
        task = asyncio.ensure_future(_quietly(work))
        self._background.add(task)
        task.add_done_callback(self._background.discard)


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


def _refuse_a_second_copy(server: Any, routes: Sequence[Route]) -> None:
    """ComfyUI would not start at all with two handlers for one path."""
    taken = {(getattr(route, "method", ""), getattr(route, "path", "")) for route in server.routes}
    for route in routes:
        if (route.method, route.path) in taken:
            raise RuntimeError(
                f"another extension already answers {route.method} {route.path}; "
                "if ComfyUI Assistant is installed twice, remove one copy from custom_nodes"
            )


async def _quietly(work: Any) -> None:
    with contextlib.suppress(asyncio.CancelledError):
        try:
            await work
        except Exception as error:
            logger.info("a preparation in the background was left out: %s", error)


def _read_env_file(path: Path) -> Mapping[str, str | None]:
    if not path.is_file():
        return {}
    try:
        from dotenv import dotenv_values
    except ImportError:
        logger.warning("%s is not read: the package python-dotenv is not installed.", path)
        return {}
    return dotenv_values(path)
