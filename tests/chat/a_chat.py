"""The chat with words, a model and a provider of the test's own, over a real store."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.base.event_loop.background import BackgroundWork
from comfyui_assistant.engine.chat.answer import Answers
from comfyui_assistant.engine.chat.incoming.incoming_messages import IncomingMessages, MessageContext
from comfyui_assistant.engine.chat.incoming.request import ChatBody
from comfyui_assistant.engine.chat.replies.vram_manager import VramManager
from comfyui_assistant.engine.chat.thread_context.live_options import LiveOptions
from comfyui_assistant.engine.chat.thread_context.thread_contexts import OpenContexts, ThreadContexts
from comfyui_assistant.engine.chat.turn.delegation import ServerToolbox
from comfyui_assistant.engine.chat.turn_locks import TurnLocks
from comfyui_assistant.engine.context.frame import SystemMessage, SystemRoom
from comfyui_assistant.engine.context.message_metadata import UsedSkill
from comfyui_assistant.engine.llm.endpoint import Endpoint
from comfyui_assistant.engine.llm.learned import Learned
from comfyui_assistant.engine.llm.provider import Provider
from comfyui_assistant.engine.llm.tokenizer import Tokenizer
from comfyui_assistant.engine.settings.settings import Settings
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.log.thread_reader import ChosenProvider
from comfyui_assistant.engine.store.settings_file import SavedSettingsFile
from comfyui_assistant.engine.store.threads import ThreadStore
from comfyui_assistant.tools_definitions import load_catalog

from tests.fake_model import FakeModel, says


@dataclass(frozen=True)
class UserTexts:
    rules: tuple[str, ...] = ()
    reminders: tuple[str, ...] = ()
    preferences: tuple[tuple[str, str], ...] = ()
    soul: str = "Be brief."
    goals: str = "A red sky."


@dataclass
class WrittenWords:
    """PromptSource of which one skill is known. `asked` tells what was asked for."""

    asked: list[str] = field(default_factory=list)

    async def system_message(self, form: str, room: SystemRoom, persona: str = "") -> SystemMessage:
        self.asked.append(f"the {form} system message")
        return SystemMessage("You help.")

    async def persona_choice(self, persona: str) -> tuple[str, str]:
        return "", ""

    async def user(self, persona: str = "") -> UserTexts:
        self.asked.append("the user's words")
        return UserTexts()

    async def skill(self, command: str) -> UsedSkill:
        self.asked.append(f"the skill {command}")
        if command != "sky":
            raise RequestError("not_found", f"There is no skill {command}.")
        return UsedSkill("sky", "Make it red.", "", ("getWorkflowInfo", "Bash"))


class OneProvider:
    async def for_turn(
        self, thread_id: str, chosen: ChosenProvider, *, answers_from: str
    ) -> tuple[Provider, list[Any]]:
        return await self.for_choice(chosen), []

    async def for_choice(self, chosen: ChosenProvider) -> Provider:
        endpoint = Endpoint("http://127.0.0.1:1/v1", "a-model")
        return Provider(endpoint, source="settings", label="A model", window=32_000, is_slim=False, notice="")


@dataclass
class Chat:
    answers: Answers
    open_contexts: OpenContexts
    threads: ThreadStore
    words: WrittenWords
    model: FakeModel

    async def say(self, thread_id: str, message_id: str, text: str) -> list[Any]:
        async with self.answers.answer(asked(thread_id, message_id, text)) as answer:
            return [chunk async for chunk in answer.chunks]


class NoMemory:
    async def add(self, text: str) -> str:
        return f"no place for {len(text)} characters"


def asked(thread_id: str, message_id: str, text: str) -> Any:
    message = {"id": message_id, "role": "user", "parts": [{"type": "text", "text": text}]}
    return ChatBody.read({"id": thread_id, "messages": [message]}).request()


@contextlib.contextmanager
def opened_chat(folder: Path) -> Iterator[Chat]:
    database = Database.in_folder(folder)
    threads, words, model = ThreadStore(database), WrittenWords(), FakeModel(says("Done."), says("Again."))
    settings: Any = Settings()
    providers: Any = OneProvider()
    services: Any = SimpleNamespace(environment=None)
    contexts = ThreadContexts(database, Tokenizer(), NoMemory(), Learned())
    live_options = LiveOptions(SavedSettingsFile(folder / "settings.json"), settings)
    open_contexts = OpenContexts(
        threads=threads,
        contexts=contexts,
        providers=providers,
        tools=load_catalog(),
        words=words,
        live_options=live_options,
    )
    answers = Answers(
        incoming_messages=IncomingMessages(
            threads, open_contexts.skills, MessageContext(words, live_options)
        ),
        open_contexts=open_contexts,
        contexts=contexts,
        providers=providers,
        client=model,
        vram_manager=VramManager(live_options.current, lambda: None, is_in_use=lambda *_: False),
        tools=load_catalog(),
        toolbox=ServerToolbox(load_catalog().server, services),
        live_options=live_options,
        turn_locks=TurnLocks(patience_seconds=0.01),
        background=BackgroundWork(),
    )
    try:
        yield Chat(answers, open_contexts, threads, words, model)
    finally:
        database.close()
