"""The one place where everything is put together, and given to ComfyUI's server."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .chat_words import ChatWords
from .engine.chat.answering import Answering
from .engine.chat.contexts.open_context import OpenContexts
from .engine.chat.contexts.thread_contexts import ThreadContexts
from .engine.chat.elsewhere import Elsewhere
from .engine.chat.live_turns import LiveTurns
from .engine.chat.pages.page_claims import PageClaims
from .engine.chat.pages.shared_pages import SharedPages
from .engine.chat.pages.turn_pages import TurnPages
from .engine.chat.project_of_thread import ProjectOfThread, ProjectRoom
from .engine.chat.question.questions import Questions
from .engine.chat.question.sent_along import SentAlong
from .engine.chat.question.told_pictures import ToldPictures
from .engine.chat.recital import Recital
from .engine.chat.replies.render_room import PresentModel, RenderRoom
from .engine.chat.running import RunningTurns
from .engine.chat.stops import Stops
from .engine.chat.thread_providers import ThreadProviders
from .engine.chat.turn.delegation import ServerToolbox
from .engine.context.convert import pending_calls
from .engine.environment.comfy import RunningComfy
from .engine.environment.host import ComfyHost
from .engine.environment.scan import EnvironmentScanner
from .engine.environment.summary import keep_summary
from .engine.environment.templates import TemplateShelf
from .engine.event_loop.background import BackgroundWork
from .engine.housekeeping import Housekeeping
from .engine.http.chat import ChatHandlers
from .engine.http.context import ContextHandlers
from .engine.http.costs import CostHandlers
from .engine.http.documents import DocumentHandlers
from .engine.http.environment import EnvironmentHandlers
from .engine.http.graphics_memory import GraphicsMemoryHandlers
from .engine.http.guarded import Route, guard_handler
from .engine.http.linked_files import LinkedFileHandlers
from .engine.http.made_runs import MadeRunHandlers
from .engine.http.memory import MemoryHandlers
from .engine.http.missing import MissingHandlers
from .engine.http.models import ModelHandlers
from .engine.http.options import OptionsHandlers
from .engine.http.own_skills import OwnSkillHandlers
from .engine.http.personas import PersonaHandlers
from .engine.http.project import ProjectHandlers
from .engine.http.provider_settings import ProviderSettingsHandlers
from .engine.http.providers import ProviderHandlers
from .engine.http.search import SearchHandlers
from .engine.http.skills import SkillHandlers
from .engine.http.status import StatusHandlers
from .engine.http.templates import TemplateHandlers
from .engine.http.thread_details import ThreadDetailHandlers
from .engine.http.thread_provider import ThreadProviderHandlers
from .engine.http.threads import ThreadHandlers
from .engine.http.you import YouHandlers
from .engine.installed_build import InstalledBuild
from .engine.llm.client import ChatClient
from .engine.llm.known.probe import find_local_servers
from .engine.llm.known.server_facts import ask_for_facts
from .engine.llm.provider import Discovery, ProviderDirectory
from .engine.llm.requests.learned_rules import LearnedRules
from .engine.llm.tokenizer import Tokenizer
from .engine.missing.finding import MissingFinder
from .engine.models.downloads import Downloads
from .engine.models.host_list import HostList
from .engine.models.offers import Offers
from .engine.person.memory_days import MemoryDays
from .engine.pictures.picture_facts import PictureFacts
from .engine.project.project_files import ProjectFiles
from .engine.secret import Secret
from .engine.settings.live_options import LiveOptions
from .engine.settings.settings import Settings, read_env_file
from .engine.store.database import Database
from .engine.store.learned_states import LearnedStates
from .engine.store.made_in_chats import MadeInChats
from .engine.store.made_runs import MadeRuns
from .engine.store.own_entries import OwnEntries
from .engine.store.own_settings import OwnSettings
from .engine.store.processes.process_news import process_news
from .engine.store.processes.thread_locks import thread_locks
from .engine.store.retention import Retention
from .engine.store.search import ThreadSearch
from .engine.store.threads import ThreadStore
from .engine.tools.tool import ToolServices
from .engine.web.node_registry import REGISTRY, NodeRegistry
from .own_words import OwnWords
from .tools_definitions import load_catalogue

logger = logging.getLogger(__name__)

ROOT = Path(__file__).parent
VERSION = "0.1.0"


class Assistant:
    """The running assistant: its parts, and the routes that they answer."""

    def __init__(
        self,
        host: ComfyHost,
        environ: Mapping[str, str],
        *,
        root: Path = ROOT,
        client: ChatClient | None = None,
        tokenizer: Tokenizer | None = None,
        running: RunningTurns | None = None,
        discovery: Discovery = find_local_servers,
    ) -> None:
        self.settings, problems = Settings.from_env(environ, read_env_file(root / ".env"))
        for problem in problems:
            logger.warning("%s %s", problem.message, problem.hint)
        self.host = host
        self._build = InstalledBuild(root)
        data = host.data_directory()
        self._environment = EnvironmentScanner(
            host, on_scanned=lambda environment: keep_summary(environment, data)
        )
        self._templates = TemplateShelf(host)
        database_url = self.settings.database_url
        self.database = Database(database_url) if database_url else Database.in_folder(data)
        self._own = OwnWords(
            data,
            system_context=root / "system_context",
            user_context=root / "user_context",
            entries=OwnEntries(self.database),
        )
        self._words = ChatWords(
            self.settings,
            environment=self._environment,
            own=self._own,
            data=data,
            system_context=root / "system_context",
        )
        self.threads = ThreadStore(self.database)
        self.search = ThreadSearch(self.database)
        rules = LearnedRules(LearnedStates(self.database, "endpoint_rules"))
        self.client = client or ChatClient(rules=rules)
        tokenizer = tokenizer or Tokenizer()
        self._saved_settings = OwnSettings(data)
        self._memory = MemoryDays(data, self._keys)
        self.contexts = ThreadContexts(self.database, tokenizer, self._memory)
        self._live_options = LiveOptions(self._saved_settings, self.settings)
        self._made_runs = MadeRuns(self.database)
        self._providers = ProviderDirectory(
            self.settings,
            saved_settings=self._saved_settings.load,
            facts=ask_for_facts,
            discovery=discovery,
            listing=self.client.models,
            windows=self.contexts.windows,
            counts=self.contexts.counts,
            rules=self.client.rules,
            reading=self.contexts.reading,
        )
        self._thread_providers = ThreadProviders(
            self.threads, self._providers, self.client, self._words.asked_by
        )
        self._hosts = HostList(
            self._saved_settings.load,
            self.settings.download_hosts,
            allows_loopback=self.settings.download_from_this_machine,
        )
        trust = self._hosts.trust()
        self._downloads = Downloads(Offers(host, trust), trust)
        self._missing = MissingFinder(self._environment, self._templates, host)
        self._registry = NodeRegistry(self.settings.node_registry or REGISTRY)
        beside = self.database.file.parent if self.database.file else data
        locks = thread_locks(beside, database_url)
        self._running = running or RunningTurns(locks)
        self.background = BackgroundWork()
        self._housekeeping = Housekeeping(
            self.background,
            self._live_options,
            retention=Retention(self.database, data / "exports"),
            threads=self.threads,
            tokenizer=tokenizer,
            environment=self._environment,
        )
        self._render_room = RenderRoom(
            self._live_options.current,
            self.host.graphics_memory,
            is_in_use=lambda endpoint, thread_id: self._live_turns.others_ask(endpoint, thread_id),
        )
        self._catalogue = load_catalogue()
        self._project = ProjectOfThread(ProjectFiles(data))
        self._open_contexts = OpenContexts(
            threads=self.threads,
            contexts=self.contexts,
            providers=self._thread_providers,
            tools=self._catalogue,
            words=self._words,
            live_options=self._live_options,
        )
        answering = Answering(
            questions=Questions(
                self.threads,
                self._open_contexts,
                SentAlong(self._words, self._live_options, self._project),
                ToldPictures(PictureFacts(host, self._made_runs)),
            ),
            contexts=self.contexts,
            providers=self._thread_providers,
            model=PresentModel(self.client, self._render_room),
            tools=self._catalogue,
            toolbox=ServerToolbox(
                self._catalogue.server,
                ToolServices(
                    environment=self._environment,
                    system_skills=self._words.system_skills,
                    user_skills=self._own,
                    templates=self._templates,
                    registry=self._registry,
                ),
                Elsewhere(
                    self.threads, self.search, MadeInChats(self.database), self._memory, self._made_runs
                ),
                self._project,
            ),
            live_options=self._live_options,
            running=self._running,
            background=self.background,
        )
        self._live_turns = LiveTurns(answering, pause_seconds=self.settings.unread_seconds)
        self._turn_pages = TurnPages(self.host.is_page_open)
        self._shared_pages = SharedPages(locks, self._turn_pages, self._is_going_on)
        self._stops = Stops(
            self._live_turns,
            self._turn_pages,
            self.host.tell_page,
            running=self._running,
            shared=self._shared_pages,
            news=process_news(
                beside,
                database_url,
                is_needed=lambda: self._live_turns.is_busy() or self._shared_pages.is_busy(),
            ),
        )

    async def _is_going_on(self, thread_id: str) -> bool:
        """Whether a response runs in a thread, or calls of its newest message wait for a page of this process."""
        if self._live_turns.running(thread_id) is not None:
            return True
        messages = await self.threads.messages(thread_id)
        if not messages or messages[-1]["id"] != self._turn_pages.answer(thread_id):
            return False
        return bool(pending_calls(messages[-1]))

    def routes(self) -> list[Route]:
        providers, housekeeping = self._providers, self._housekeeping
        tools = self._catalogue.facts.keys()
        return [
            route
            for handlers in (
                ChatHandlers(
                    self._live_turns,
                    self.threads,
                    self._turn_pages,
                    self._stops,
                    running=self._running,
                    claims=PageClaims(
                        self.threads,
                        self._live_turns,
                        self._turn_pages,
                        running=self._running,
                        shared=self._shared_pages,
                    ),
                ),
                StatusHandlers(
                    VERSION,
                    self._build,
                    self._thread_providers.status,
                    on_opened=housekeeping.make_ready,
                    is_first_run=self._own.is_first_run,
                    exposure=self.host.exposure(),
                    store_notice=lambda: self.threads.notice,
                ),
                ThreadHandlers(self.threads, self._live_turns, self._running),
                ThreadDetailHandlers(self.contexts.pins, self.contexts.requests, self.contexts.tasks),
                SearchHandlers(self.search),
                ProviderSettingsHandlers(
                    providers,
                    self._saved_settings,
                    on_changed=providers.forget,
                ),
                ProviderHandlers(
                    providers,
                    self._saved_settings,
                    self.client,
                    on_changed=providers.forget,
                ),
                ThreadProviderHandlers(self._thread_providers),
                OptionsHandlers(self._live_options, on_changed=housekeeping.tidy),
                DocumentHandlers(self.host),
                GraphicsMemoryHandlers(self._render_room, self._thread_providers.current),
                CostHandlers(self.contexts.costs, self._live_options),
                ContextHandlers(self._open_contexts.open, self.contexts, self._running),
                TemplateHandlers(self._templates, self._environment),
                SkillHandlers("/system-context", self._words.system_skills, tools=tools),
                SkillHandlers("/user-context", self._own, tools=tools),
                OwnSkillHandlers(self._own.every_skill, tools=tools),
                PersonaHandlers(self._own, self.threads),
                MemoryHandlers(self._memory, self.threads),
                MadeRunHandlers(self._made_runs, self.host),
                ProjectHandlers(self._project, self.threads, self._project_room),
                YouHandlers(self._own, Recital(self._words, providers, self._live_options).told),
                EnvironmentHandlers(self._environment),
                LinkedFileHandlers(self.host),
                MissingHandlers(self._missing, self._registry),
                ModelHandlers(self._downloads, self._hosts, self._saved_settings),
            )
            for route in handlers.routes()
        ]

    async def _project_room(self, thread_id: str | None) -> ProjectRoom:
        """
        Raises:
            RequestError: `unknown_thread`.
            ProviderError: no model is set up.
        """
        provider = await self._thread_providers.current(thread_id)
        return ProjectRoom.of(await self._live_options.budget(provider), is_slim=provider.is_slim)

    async def _keys(self) -> list[Secret]:
        return [self.settings.api_key, *(await self._saved_settings.load()).keys.values()]

    async def start(self, _: Any = None) -> None:
        """Once ComfyUI listens."""
        self._housekeeping.begin()

    async def stop(self, _: Any = None) -> None:
        self.background.cancel()
        self._stops.close()
        await self._live_turns.close()
        await self._shared_pages.close()
        await self._downloads.close()
        await self.client.close()
        await asyncio.to_thread(self.database.close)


def register(server: Any) -> None:
    """Give ComfyUI's server our routes, and our part in its start and end."""
    serve(Assistant(RunningComfy(), os.environ), server)


def serve(assistant: Assistant, server: Any) -> None:
    routes = assistant.routes()
    _refuse_a_second_copy(server, routes)
    for route in routes:
        handler = guard_handler(
            route.handler, allowed_hosts=assistant.settings.allowed_hosts, user_of=assistant.host.user_of
        )
        server.routes.route(route.method, route.path)(handler)
    server.app.on_startup.append(assistant.start)
    server.app.on_cleanup.append(assistant.stop)


def _refuse_a_second_copy(server: Any, routes: Sequence[Route]) -> None:
    """ComfyUI would not start at all with two handlers for one path."""
    present_routes = {(getattr(route, "method", ""), getattr(route, "path", "")) for route in server.routes}
    for route in routes:
        if (route.method, route.path) in present_routes:
            raise RuntimeError(
                f"another extension already answers {route.method} {route.path}; "
                "if ComfyUI Assistant is installed twice, remove one copy from custom_nodes"
            )
