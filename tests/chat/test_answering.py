"""The chat with words, a model and a provider of the test's own, over a real store."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from comfyui_assistant.engine.background import BackgroundWork
from comfyui_assistant.engine.chat.answering import Answering
from comfyui_assistant.engine.chat.request import parse_chat_request
from comfyui_assistant.engine.chat.running import RunningTurns
from comfyui_assistant.engine.chat.thread_contexts import ThreadContexts
from comfyui_assistant.engine.context.frame import SystemMessage, SystemRoom
from comfyui_assistant.engine.context.slash_skill import UsedSkill
from comfyui_assistant.engine.errors import RequestError
from comfyui_assistant.engine.live_options import LiveOptions
from comfyui_assistant.engine.llm.endpoint import Endpoint
from comfyui_assistant.engine.llm.fake import FakeModel, says
from comfyui_assistant.engine.llm.provider import Provider
from comfyui_assistant.engine.llm.tokenizer import Tokenizer
from comfyui_assistant.engine.settings import Settings
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.saved_settings import SavedSettingsFile
from comfyui_assistant.engine.store.stored_thread import ChosenProvider
from comfyui_assistant.engine.store.threads import ThreadStore
from comfyui_assistant.tools_definitions import load_catalogue


@dataclass(frozen=True)
class OwnWords:
    rules: tuple[str, ...] = ()
    reminders: tuple[str, ...] = ()
    preferences: tuple[tuple[str, str], ...] = ()
    soul: str = "Be brief."
    goals: str = "A red sky."


@dataclass
class WrittenWords:
    """Words of which one skill is known. `asked` tells what was asked for."""

    asked: list[str] = field(default_factory=list)

    async def system_message(self, form: str, room: SystemRoom, persona: str = "") -> SystemMessage:
        self.asked.append(f"the {form} system message")
        return SystemMessage("You help.")

    async def model_of(self, persona: str) -> str:
        return ""

    async def user(self, persona: str = "") -> OwnWords:
        self.asked.append("the user's words")
        return OwnWords()

    async def skill(self, command: str) -> UsedSkill:
        self.asked.append(f"the skill {command}")
        if command != "sky":
            raise RequestError("not_found", f"There is no skill {command}.")
        return UsedSkill("sky", "Make it red.", "")


class OneProvider:
    async def of_turn(self, thread_id: str, chosen: ChosenProvider) -> tuple[Provider, list[Any]]:
        return await self.of_choice(chosen), []

    async def of_choice(self, chosen: ChosenProvider) -> Provider:
        endpoint = Endpoint("http://127.0.0.1:1/v1", "a-model")
        return Provider(endpoint, source="settings", label="A model", window=32_000, is_slim=False, notice="")


@dataclass
class Chat:
    answering: Answering
    threads: ThreadStore
    words: WrittenWords
    model: FakeModel

    async def say(self, thread_id: str, message_id: str, text: str) -> list[Any]:
        async with self.answering.answer(asked(thread_id, message_id, text)) as answer:
            return [chunk async for chunk in answer.chunks]


class NoMemory:
    async def add(self, text: str) -> str:
        return f"no place for {len(text)} characters"


def asked(thread_id: str, message_id: str, text: str) -> Any:
    message = {"id": message_id, "role": "user", "parts": [{"type": "text", "text": text}]}
    return parse_chat_request({"id": thread_id, "messages": [message]})


@pytest.fixture
def chat(tmp_path: Path) -> Iterator[Chat]:
    database = Database.in_folder(tmp_path)
    threads, words, model = ThreadStore(database), WrittenWords(), FakeModel(says("Done."), says("Again."))
    settings: Any = Settings()
    providers: Any = OneProvider()
    services: Any = SimpleNamespace(environment=None)
    answering = Answering(
        threads=threads,
        contexts=ThreadContexts(database, Tokenizer(), NoMemory()),
        providers=providers,
        model=model,
        tools=load_catalogue(),
        services=services,
        words=words,
        live_options=LiveOptions(SavedSettingsFile(tmp_path / "settings.json"), settings),
        running=RunningTurns(patience_seconds=0.01),
        background=BackgroundWork(),
    )
    yield Chat(answering, threads, words, model)
    database.close()


async def test_words_are_asked_for_once_and_the_system_message_stays_with_its_thread(chat: Chat) -> None:
    thread_id = (await chat.threads.create()).id
    await chat.say(thread_id, "u1", "/skill sky")
    assert sorted(chat.words.asked) == ["the full system message", "the skill sky", "the user's words"]
    chat.words.asked.clear()
    await chat.say(thread_id, "u2", "more of it")
    assert sorted(chat.words.asked) == ["the user's words"]
    first, second = chat.model.requests
    assert second[: len(first)] == first
    assert "Make it red." in first[1]["content"]
    assert "A red sky." in first[1]["content"]


async def test_a_message_with_an_unknown_skill_is_not_written_down(chat: Chat) -> None:
    thread_id = (await chat.threads.create()).id
    with pytest.raises(RequestError, match="There is no skill"):
        await chat.say(thread_id, "u1", "/skill sea")
    assert await chat.threads.messages(thread_id) == []


async def test_the_thread_is_held_until_its_answer_is_over(chat: Chat) -> None:
    thread_id = (await chat.threads.create()).id
    async with chat.answering.answer(asked(thread_id, "u1", "one")) as answer:
        assert answer.first_request is not None
        with pytest.raises(RequestError) as refused:
            await chat.say(thread_id, "u2", "two")
        assert refused.value.code == "turn_running"
        assert [chunk["type"] async for chunk in answer.chunks][-1] == "finish"
    assert len(await chat.say(thread_id, "u2", "two")) > 3


async def test_looking_at_the_context_writes_nothing(chat: Chat) -> None:
    thread_id = (await chat.threads.create()).id
    await chat.say(thread_id, "u1", "one")
    before = await chat.threads.export(thread_id)
    opened = await chat.answering.open_context(thread_id)
    assert opened.goals == "A red sky."
    await opened.context.plan(opened.conversation)
    after = await chat.threads.export(thread_id)
    assert _without_time(after) == _without_time(before)


async def test_a_message_keeps_the_line_of_what_was_open_with_it(chat: Chat) -> None:
    thread_id = (await chat.threads.create()).id
    body = {"id": thread_id, "workflow": {"name": "portrait", "nodes": 7, "lastRead": "landscape"}}
    message = {"id": "u1", "role": "user", "parts": [{"type": "text", "text": "one"}]}
    async with chat.answering.answer(parse_chat_request({**body, "messages": [message]})) as answer:
        assert [chunk["type"] async for chunk in answer.chunks][-1] == "finish"
    await chat.say(thread_id, "u2", "two")
    first, second = chat.model.requests
    assert 'Open workflow: "portrait", 7 nodes; you last read "landscape".' in first[-1]["content"]
    assert second[: len(first)] == first
    assert "Open workflow" not in second[-1]["content"]


def _without_time(document: bytes) -> bytes:
    return re.sub(rb'"exportedAt":[^,]+', b"", document)
