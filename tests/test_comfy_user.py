"""With ComfyUI's --multi-user, what is one user's is no other's."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.comfy_user import acting_for, folder_of_user
from comfyui_assistant.engine.http.guarded import Route

from dev.scripted.provider import ScriptedProvider

from .running_assistant import Reply, RunningAssistant, running_assistant

HELLO = {"about": "A test.", "steps": [{"reply": [{"say": "Hello there."}]}], "after": "repeat", "pace": 0}
SKILL = "---\nname: sketch\ndescription: How to sketch.\n---\nUse thin lines.\n"


@pytest.fixture
async def provider() -> AsyncIterator[ScriptedProvider]:
    async with ScriptedProvider(HELLO, pace=0) as running:
        yield running


@pytest.fixture
async def assistant(provider: ScriptedProvider, tmp_path: Path) -> AsyncIterator[RunningAssistant]:
    async with running_assistant(tmp_path, environment(provider), users=["ann_1", "bob_2"]) as running:
        yield running


def environment(provider: ScriptedProvider) -> dict[str, str]:
    return {"COMFYUI_ASSISTANT_BASE_URL": provider.base_url, "COMFYUI_ASSISTANT_MODEL": "scripted"}


class Person:
    """Somebody who calls the assistant as a user of ComfyUI."""

    def __init__(self, assistant: RunningAssistant, user: str) -> None:
        self._assistant = assistant
        self._headers = {"Comfy-User": user}

    async def call(self, method: str, path: str, body: Any = None) -> Reply:
        return await self._assistant.call(method, path, body, headers=self._headers)

    async def new_thread(self) -> str:
        return (await self.call("POST", "/assistant/threads", {})).json["id"]

    async def say(self, text: str, thread: str) -> Reply:
        message = {"id": "u1", "role": "user", "parts": [{"type": "text", "text": text}]}
        return await self.call("POST", "/chat", {"messages": [message], "id": thread})

    async def threads(self) -> list[str]:
        return [entry["id"] for entry in (await self.call("GET", "/assistant/threads")).json["threads"]]


@pytest.fixture
def ann(assistant: RunningAssistant) -> Person:
    return Person(assistant, "ann_1")


@pytest.fixture
def bob(assistant: RunningAssistant) -> Person:
    return Person(assistant, "bob_2")


async def test_a_chat_is_listed_and_found_only_for_the_user_who_began_it(ann: Person, bob: Person) -> None:
    thread = await ann.new_thread()
    assert (await ann.say("a purple elephant", thread)).text == "Hello there."

    assert await ann.threads() == [thread]
    assert await bob.threads() == []
    assert len((await ann.call("GET", "/assistant/search?query=elephant")).json["results"]) == 1
    assert (await bob.call("GET", "/assistant/search?query=elephant")).json["results"] == []


def routes_of_a_thread(assistant: RunningAssistant) -> list[Route]:
    return [route for route in assistant.assistant.routes() if "/threads/{id}" in route.path]


async def test_no_route_of_a_thread_knows_another_users(
    assistant: RunningAssistant, ann: Person, bob: Person
) -> None:
    thread = await ann.new_thread()
    await ann.say("a purple elephant", thread)
    body = {"title": "mine now", "text": "a rule", "action": "clear"}

    answers = {}
    for route in routes_of_a_thread(assistant):
        path = route.path.replace("{id}", thread).replace("{ref}", "u1")
        for name in ("branchId", "pinId", "requestId"):
            path = path.replace("{" + name + "}", "x")
        answer = await bob.call(route.method, path, None if route.method == "GET" else body)
        answers[f"{route.method} {route.path}"] = (answer.status, answer.error_code)

    assert len(answers) >= 14
    assert set(answers.values()) == {(404, "unknown_thread")}, answers
    assert (await bob.say("let me in", thread)).error_code == "unknown_thread"
    messages = (await ann.call("GET", f"/assistant/threads/{thread}")).json["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant"]


async def test_rules_and_skills_are_those_of_the_user(
    ann: Person, bob: Person, provider: ScriptedProvider, tmp_path: Path
) -> None:
    own = tmp_path / "users" / "ann_1"
    (own / "skills" / "sketch").mkdir(parents=True)
    (own / "skills" / "sketch" / "SKILL.md").write_text(SKILL, "utf-8")
    (own / "rules.md").write_text("- Always sketch first.\n", "utf-8")
    (tmp_path / "rules.md").write_text("- A rule of the default user.\n", "utf-8")

    async def slugs(person: Person) -> list[str]:
        skills = (await person.call("GET", "/user-context/skills")).json["skills"]
        return [skill["slug"] for skill in skills]

    assert "sketch" in await slugs(ann)
    assert "sketch" not in await slugs(bob)
    for person, is_told in ((ann, True), (bob, False)):
        await person.say("hi", await person.new_thread())
        sent = str(provider.requests[-1].messages)
        assert ("Always sketch first." in sent) == is_told
        assert "A rule of the default user." not in sent


async def test_the_provider_is_everybodys_and_says_so(ann: Person, bob: Person) -> None:
    assert (await ann.call("GET", "/assistant/settings")).json["shared"] is True
    settings = (await bob.call("GET", "/assistant/settings")).json
    assert settings == (await ann.call("GET", "/assistant/settings")).json


@pytest.mark.parametrize("headers", [{}, {"Comfy-User": "nobody_9"}, {"Comfy-User": "default"}])
async def test_a_request_of_no_user_that_comfyui_knows_is_refused(
    assistant: RunningAssistant, headers: dict[str, str]
) -> None:
    answer = await assistant.call("GET", "/assistant/threads", headers=headers)
    assert (answer.status, answer.error_code) == (403, "unknown_user")


async def test_with_one_user_the_header_says_nothing(provider: ScriptedProvider, tmp_path: Path) -> None:
    async with running_assistant(tmp_path, environment(provider)) as assistant:
        thread = await assistant.new_thread()
        assert await Person(assistant, "ann_1").threads() == [thread]
        assert "shared" not in (await assistant.call("GET", "/assistant/settings")).json


async def test_chats_from_before_there_were_users_are_the_default_users(
    provider: ScriptedProvider, tmp_path: Path
) -> None:
    async with running_assistant(tmp_path, environment(provider)) as assistant:
        thread = await assistant.new_thread()
    async with running_assistant(tmp_path, environment(provider), users=["default", "ann_1"]) as assistant:
        assert await Person(assistant, "default").threads() == [thread]
        assert await Person(assistant, "ann_1").threads() == []


def test_no_name_of_a_user_leads_out_of_the_users_folder(tmp_path: Path) -> None:
    for name in ("..", "../..", "a/../../b", ".", "C:\\x", "a\0b"):
        with acting_for(name):
            folder = folder_of_user(tmp_path)
        assert folder.parent == tmp_path / "users"
        assert folder.name not in (".", "..")
