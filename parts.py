"""The parts of the assistant as tables; each part uses only those above it."""

from __future__ import annotations

from pathlib import Path

from .engine.base.event_loop.background import BackgroundWork
from .engine.base.messages import pending_calls
from .engine.base.secret import Secret
from .engine.chat.answer import Answers
from .engine.chat.incoming.incoming_messages import IncomingMessages, MessageContext, PictureNotes
from .engine.chat.replies.vram_manager import VramManager
from .engine.chat.response_streams import ResponseStreams
from .engine.chat.stops import Stops
from .engine.chat.tab_claims import TabClaims
from .engine.chat.thread_context.live_options import LiveOptions
from .engine.chat.thread_context.thread_contexts import OpenContexts, ThreadContexts
from .engine.chat.thread_context.thread_providers import ThreadProviders
from .engine.chat.turn.cross_chat_search import CrossChatSearch
from .engine.chat.turn.delegation import ServerToolbox
from .engine.chat.turn_locks import TurnLocks
from .engine.chat.turn_tabs import TurnTabs
from .engine.comfy.downloads.downloads import Downloads
from .engine.comfy.downloads.host_list import HostList
from .engine.comfy.downloads.offers import Offers
from .engine.comfy.host import ComfyHost
from .engine.comfy.missing.finder import MissingFinder
from .engine.comfy.pictures.picture_facts import PictureFacts
from .engine.comfy.registry.node_registry import REGISTRY, NodeRegistry
from .engine.comfy.scan import EnvironmentScanner
from .engine.comfy.summary import keep_summary
from .engine.comfy.templates import TemplateShelf
from .engine.llm.client import ChatClient
from .engine.llm.known.server_facts import ask_for_facts
from .engine.llm.learned import EndpointRuleStore, Learned, TokenCalibrations, WindowEstimates
from .engine.llm.provider import Discovery, ProviderDirectory
from .engine.llm.tokenizer import Tokenizer
from .engine.settings.settings import Settings
from .engine.store.chat_outputs import ChatOutputs
from .engine.store.database import Database
from .engine.store.model_states import ModelStates
from .engine.store.retention import Retention
from .engine.store.run_history import RunHistory
from .engine.store.search import ThreadSearch
from .engine.store.settings_file import UserSettings
from .engine.store.threads import ThreadStore
from .engine.store.turn_leases import TurnLeases
from .engine.store.user_entries import UserEntries
from .engine.tools.tool import ToolServices
from .engine.user.memory_days import MemoryDays
from .engine.user.project.project_files import ProjectFiles, ThreadProject
from .prompt_texts import PromptTexts
from .tools_definitions import load_catalog
from .user_texts import UserTexts


class Storage:
    """The data folder and the database."""

    def __init__(self, settings: Settings, data: Path) -> None:
        self._settings = settings
        self.data = data
        url = settings.database_url
        self.database = Database(url) if url else Database.in_folder(data)
        self.saved_settings = UserSettings(data)
        self.live_options = LiveOptions(self.saved_settings, settings)
        self.memory = MemoryDays(data, self._keys)
        self.project = ThreadProject(ProjectFiles(data))
        self.threads = ThreadStore(self.database)
        self.search = ThreadSearch(self.database)
        self.retention = Retention(self.database, data / "exports")
        self.user_entries = UserEntries(self.database)
        self.run_history = RunHistory(self.database)
        self.chat_outputs = ChatOutputs(self.database)

    async def _keys(self) -> list[Secret]:
        return [self._settings.api_key, *(await self.saved_settings.load()).keys.values()]


class Comfy:
    """The content of this ComfyUI, what workflows lack in it, and where to get it."""

    def __init__(self, settings: Settings, host: ComfyHost, storage: Storage) -> None:
        self.environment = EnvironmentScanner(
            host, on_scanned=lambda environment: keep_summary(environment, storage.data)
        )
        self.templates = TemplateShelf(host)
        self.missing = MissingFinder(self.environment, self.templates, host)
        self.registry = NodeRegistry(settings.node_registry or REGISTRY)
        self.hosts = HostList(
            storage.saved_settings.load,
            settings.download_hosts,
            allows_loopback=settings.download_from_this_machine,
        )
        trust = self.hosts.trust()
        self.downloads = Downloads(Offers(host, trust), trust)


class Prompts:
    """The texts for models beside the conversation: the extension's files and the user's texts."""

    def __init__(self, settings: Settings, root: Path, storage: Storage, comfy: Comfy) -> None:
        system_context = root / "system_context"
        self.own = UserTexts(
            storage.data,
            system_context=system_context,
            user_context=root / "user_context",
            entries=storage.user_entries,
        )
        self.words = PromptTexts(
            settings,
            environment=comfy.environment,
            own=self.own,
            data=storage.data,
            system_context=system_context,
        )


class Providers:
    """The models and the facts on them, and the contexts of threads."""

    def __init__(
        self,
        settings: Settings,
        storage: Storage,
        prompts: Prompts,
        *,
        client: ChatClient | None,
        tokenizer: Tokenizer | None,
        discovery: Discovery,
    ) -> None:
        states = ModelStates(storage.database)
        self.client = client or ChatClient(rules=EndpointRuleStore(states))
        self.tokenizer = tokenizer or Tokenizer()
        learned = Learned(
            WindowEstimates(states), TokenCalibrations(states, self.tokenizer), self.client.rules
        )
        self.contexts = ThreadContexts(storage.database, self.tokenizer, storage.memory, learned)
        self.providers = ProviderDirectory(
            settings,
            saved_settings=storage.saved_settings.load,
            facts=ask_for_facts,
            discovery=discovery,
            listing=self.client.models,
            learned=learned,
        )
        self.thread_providers = ThreadProviders(
            storage.threads, self.providers, self.client, prompts.words.persona_choice
        )


class Chat:
    """The running turns, their readers, and the tabs that carry out their calls."""

    def __init__(
        self,
        settings: Settings,
        host: ComfyHost,
        storage: Storage,
        comfy: Comfy,
        prompts: Prompts,
        providers: Providers,
        background: BackgroundWork,
        *,
        turn_locks: TurnLocks | None,
    ) -> None:
        self._threads = storage.threads
        self.turn_locks = turn_locks or TurnLocks(
            TurnLeases(storage.database),
            waits_for_tab=self._waits_for_tab,
            stop=lambda thread_id, answer: self.stops.stop_for_another_process(thread_id, answer),
        )
        self.vram_manager = VramManager(
            storage.live_options.current,
            host.graphics_memory,
            is_in_use=lambda endpoint, thread_id: self.response_streams.others_ask(endpoint, thread_id),
        )
        self.catalog = load_catalog()
        self.open_contexts = OpenContexts(
            threads=storage.threads,
            contexts=providers.contexts,
            providers=providers.thread_providers,
            tools=self.catalog,
            words=prompts.words,
            live_options=storage.live_options,
        )
        answers = Answers(
            incoming_messages=IncomingMessages(
                storage.threads,
                self.open_contexts.skills,
                MessageContext(prompts.words, storage.live_options, storage.project),
                PictureNotes(PictureFacts(host, storage.run_history)),
            ),
            open_contexts=self.open_contexts,
            contexts=providers.contexts,
            providers=providers.thread_providers,
            client=providers.client,
            vram_manager=self.vram_manager,
            tools=self.catalog,
            toolbox=ServerToolbox(
                self.catalog.server,
                ToolServices(
                    environment=comfy.environment,
                    system_skills=prompts.words.system_skills,
                    user_skills=prompts.own,
                    templates=comfy.templates,
                    registry=comfy.registry,
                ),
                CrossChatSearch(
                    storage.threads, storage.search, storage.chat_outputs, storage.memory, storage.run_history
                ),
                storage.project,
            ),
            live_options=storage.live_options,
            turn_locks=self.turn_locks,
            background=background,
        )
        self.response_streams = ResponseStreams(answers.answer, pause_seconds=settings.unread_seconds)
        self.turn_tabs = TurnTabs(host.is_page_open)
        self.claims = TabClaims(storage.threads, self.response_streams, self.turn_tabs, self.turn_locks)
        self.stops = Stops(self.response_streams, self.turn_tabs, host.send_event, turn_locks=self.turn_locks)

    async def _waits_for_tab(self, thread_id: str) -> bool:
        """Return whether the thread's newest message has calls that wait for a tab of this process."""
        if self.turn_tabs.is_stopped(thread_id) or self.turn_tabs.is_gone(thread_id):
            return False
        messages = await self._threads.messages(thread_id)
        if not messages or messages[-1]["id"] != self.turn_tabs.answer(thread_id):
            return False
        return bool(pending_calls(messages[-1]))

    async def close(self) -> None:
        await self.response_streams.close()
        await self.turn_locks.close()
