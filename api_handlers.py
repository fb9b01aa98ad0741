"""The composition root: puts the assistant together and registers its routes with ComfyUI's server."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .engine.base.build_version import BuildVersion
from .engine.base.event_loop.background import BackgroundWork
from .engine.chat.prompt_preview import PromptPreview
from .engine.chat.turn_locks import TurnLocks
from .engine.comfy.comfy import RunningComfy
from .engine.comfy.host import ComfyHost
from .engine.http.access import Access
from .engine.http.chat import ChatHandlers
from .engine.http.context import ContextHandlers
from .engine.http.costs import CostHandlers
from .engine.http.documents import DocumentHandlers
from .engine.http.environment import EnvironmentHandlers
from .engine.http.graphics_memory import GraphicsMemoryHandlers
from .engine.http.guard import Route, guard_handler
from .engine.http.memory import MemoryHandlers
from .engine.http.missing import MissingHandlers
from .engine.http.models import ModelHandlers
from .engine.http.options import OptionsHandlers
from .engine.http.own_skills import OwnSkillHandlers
from .engine.http.package_trust import TrustedPackageHandlers
from .engine.http.personas import PersonaHandlers
from .engine.http.project import ProjectHandlers
from .engine.http.provider_settings import ProviderSettingsHandlers
from .engine.http.providers import ProviderHandlers
from .engine.http.run_history import RunHistoryHandlers
from .engine.http.search import SearchHandlers
from .engine.http.skills import SkillHandlers
from .engine.http.status import StatusHandlers
from .engine.http.templates import TemplateHandlers
from .engine.http.thread_details import ThreadDetailHandlers
from .engine.http.thread_provider import ThreadProviderHandlers
from .engine.http.threads import ThreadHandlers
from .engine.http.you import YouHandlers
from .engine.llm.client import ChatClient
from .engine.llm.known.probe import find_local_servers
from .engine.llm.provider import Discovery
from .engine.llm.tokenizer import Tokenizer
from .engine.settings.settings import Settings, read_env_file
from .engine.user.project.project_files import ProjectRoom
from .housekeeping import Housekeeping
from .parts import Chat, Comfy, Prompts, Providers, Storage

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
        turn_locks: TurnLocks | None = None,
        discovery: Discovery = find_local_servers,
    ) -> None:
        self.host = host
        self.settings, problems = Settings.from_env(environ, read_env_file(root / ".env"))
        for problem in problems:
            logger.warning("%s %s", problem.message, problem.hint)
        self.access = Access(host.exposure(), self.settings.access_code)
        self.background = BackgroundWork()
        self._build = BuildVersion(root)
        self.storage = Storage(self.settings, host.data_directory())
        self.comfy = Comfy(self.settings, host, self.storage)
        self.prompts = Prompts(self.settings, root, self.storage, self.comfy)
        self.providers = Providers(
            self.settings, self.storage, self.prompts, client=client, tokenizer=tokenizer, discovery=discovery
        )
        self.chat = Chat(
            self.settings,
            host,
            self.storage,
            self.comfy,
            self.prompts,
            self.providers,
            self.background,
            turn_locks=turn_locks,
        )
        self.housekeeping = Housekeeping(
            self.background,
            self.storage.live_options,
            retention=self.storage.retention,
            threads=self.storage.threads,
            tokenizer=self.providers.tokenizer,
            environment=self.comfy.environment,
        )

    def routes(self) -> list[Route]:
        storage, comfy, prompts = self.storage, self.comfy, self.prompts
        providers, chat, access = self.providers, self.chat, self.access
        threads, contexts, directory = storage.threads, providers.contexts, providers.providers
        tools = chat.catalog.facts.keys()
        return [
            route
            for handlers in (
                access,
                ChatHandlers(
                    chat.response_streams,
                    threads,
                    chat.turn_tabs,
                    chat.stops,
                    turn_locks=chat.turn_locks,
                    claims=chat.claims,
                ),
                StatusHandlers(
                    VERSION,
                    self._build,
                    providers.thread_providers.status,
                    on_opened=self.housekeeping.make_ready,
                    is_first_run=prompts.own.is_first_run,
                    exposure=self.host.exposure().note(has_code=bool(self.settings.access_code)),
                    store_notice=lambda: threads.notice,
                ),
                ThreadHandlers(threads, chat.response_streams, chat.turn_locks),
                ThreadDetailHandlers(contexts.pins, contexts.requests, contexts.tasks),
                SearchHandlers(storage.search),
                ProviderSettingsHandlers(directory, storage.saved_settings, on_changed=directory.forget),
                ProviderHandlers(
                    directory, storage.saved_settings, providers.client, access, on_changed=directory.forget
                ),
                ThreadProviderHandlers(providers.thread_providers),
                OptionsHandlers(storage.live_options, on_changed=self.housekeeping.tidy),
                DocumentHandlers(self.host),
                GraphicsMemoryHandlers(chat.vram_manager, providers.thread_providers.current),
                CostHandlers(contexts.costs),
                ContextHandlers(chat.open_contexts.open, contexts, chat.turn_locks),
                TemplateHandlers(comfy.templates, comfy.environment),
                SkillHandlers("/system-context", prompts.words.system_skills, tools=tools),
                SkillHandlers("/user-context", prompts.own, tools=tools),
                OwnSkillHandlers(prompts.own.every_skill, tools=tools),
                PersonaHandlers(prompts.own, threads),
                MemoryHandlers(storage.memory, threads),
                RunHistoryHandlers(storage.run_history, self.host),
                ProjectHandlers(storage.project, threads, self._project_room),
                YouHandlers(prompts.own, PromptPreview(prompts.words, directory, storage.live_options).build),
                EnvironmentHandlers(comfy.environment, self.host),
                MissingHandlers(comfy.missing, comfy.registry),
                TrustedPackageHandlers(storage.saved_settings),
                ModelHandlers(comfy.downloads, comfy.hosts, storage.saved_settings, access),
            )
            for route in handlers.routes()
        ]

    async def _project_room(self, thread_id: str | None) -> ProjectRoom:
        """Return the room for project files in the thread's context, or in that of a new thread.

        Raises:
            RequestError: `unknown_thread`.
            ProviderError: no model is set up.
        """
        provider = await self.providers.thread_providers.current(thread_id)
        return ProjectRoom.of(await self.storage.live_options.budget(provider), is_slim=provider.is_slim)

    async def start(self, _: Any = None) -> None:
        """Start housekeeping, once ComfyUI listens."""
        self.housekeeping.begin()

    async def stop(self, _: Any = None) -> None:
        """Stop all work and close all connections, when ComfyUI ends."""
        self.background.cancel()
        await self.chat.close()
        await self.comfy.downloads.close()
        await self.providers.client.close()
        await asyncio.to_thread(self.storage.database.close)


def register(server: Any) -> None:
    """Start the assistant for the running ComfyUI and register its routes."""
    serve(Assistant(RunningComfy(), os.environ), server)


def serve(assistant: Assistant, server: Any) -> None:
    """Register the routes, start and stop of an assistant with ComfyUI's server.

    Raises:
        RuntimeError: another extension has one of the routes.
    """
    routes = assistant.routes()
    _refuse_second_copy(server, routes)
    for route in routes:
        handler = guard_handler(
            route.handler,
            allowed_hosts=assistant.settings.allowed_hosts,
            user_of=assistant.host.user_of,
            access=assistant.access,
        )
        server.routes.route(route.method, route.path)(handler)
    server.app.on_startup.append(assistant.start)
    server.app.on_cleanup.append(assistant.stop)


def _refuse_second_copy(server: Any, routes: Sequence[Route]) -> None:
    """Check that no route is taken: two handlers for one path would keep ComfyUI from starting.

    Raises:
        RuntimeError: another extension has one of the routes.
    """
    present_routes = {(getattr(route, "method", ""), getattr(route, "path", "")) for route in server.routes}
    for route in routes:
        if (route.method, route.path) in present_routes:
            raise RuntimeError(
                f"another extension already answers {route.method} {route.path}; "
                "if ComfyUI Assistant is installed twice, remove one copy from custom_nodes"
            )
