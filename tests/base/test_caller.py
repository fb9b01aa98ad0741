"""With ComfyUI's --multi-user, what is one user's is no other's."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.base.caller import (
    PerUser,
    acting_for,
    are_private_replies_shown,
    folder_of_user,
    show_private_replies,
)

from dev.scripted.provider import ScriptedProvider
from dev.scripted.recording import key_name

from ..kept_state import files_of, kept_rows
from ..person_with_everything import SECRET, keep_everything
from ..route_calls import route_calls
from ..running_assistant import Reply, RunningAssistant, running_assistant

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


def test_what_each_user_has_is_made_once(tmp_path: Path) -> None:
    made: list[Path] = []

    def make(folder: Path) -> object:
        made.append(folder)
        return object()

    values = PerUser(tmp_path, make)
    anns = []
    for user in ("ann_1", "bob_2", "ann_1"):
        with acting_for(user):
            anns += [values.get()] if user == "ann_1" else []
            values.get()
    assert anns[0] is anns[1]
    assert made == [tmp_path / "users" / "ann_1", tmp_path / "users" / "bob_2"]


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


@pytest.mark.slow
async def test_no_route_shows_or_changes_what_is_another_users(
    assistant: RunningAssistant, ann: Person, bob: Person, provider: ScriptedProvider, tmp_path: Path
) -> None:
    places = await keep_everything(ann.call, tmp_path / "users" / "ann_1")

    def anns() -> Any:
        rows = [row for table in kept_rows(tmp_path).values() for row in table]
        return [row for row in rows if "ann_1" in row or places["id"] in row or SECRET in row], files_of(
            tmp_path / "users" / "ann_1"
        )

    before, asked = anns(), len(provider.requests)

    calls = route_calls(assistant, places)
    answers = {call.name: await bob.call(call.route.method, call.path, call.body) for call in calls}
    await bob.say("hello", await bob.new_thread())

    assert [name for name, answer in answers.items() if SECRET in answer.body.decode().lower()] == []
    of_threads = {call.name: answers[call.name].error_code for call in calls if call.is_of_a_thread}
    assert set(of_threads.values()) == {"unknown_thread"}, of_threads
    assert len(of_threads) >= 16
    assert not any(SECRET in str(request.body).lower() for request in provider.requests[asked:])
    assert anns() == before


@pytest.mark.slow
async def test_what_those_routes_hide_from_others_they_show_to_its_owner(
    assistant: RunningAssistant, ann: Person, tmp_path: Path
) -> None:
    places = await keep_everything(ann.call, tmp_path / "users" / "ann_1")
    gets = [call for call in route_calls(assistant, places) if call.route.method == "GET"]
    showing = {
        call.name.removeprefix("GET ")
        for call in gets
        if SECRET in (await ann.call("GET", call.path)).body.decode("utf-8", "replace").lower()
    }
    thread = "/assistant/threads"
    parts = (
        "",
        "/branches",
        "/context",
        "/documents/{number}",
        "/export",
        "/handles/{ref}",
        "/pins",
        "/requests/{requestId}",
    )
    assert showing == {
        thread,
        *(f"{thread}/{{id}}{part}" for part in parts),
        "/assistant/costs",
        "/assistant/memory/{day}",
        "/assistant/personas",
        "/assistant/personas/{persona}",
        "/assistant/providers",
        "/assistant/providers/{provider}",
        "/assistant/you",
        "/assistant/you/{kind}",
        "/assistant/search",
        "/assistant/skills",
        "/assistant/skills/{slug}",
        "/user-context/skills",
        "/user-context/skills/{slug}",
    }


@pytest.mark.slow
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


async def test_what_the_environment_sets_is_everybodys(
    ann: Person, bob: Person, provider: ScriptedProvider
) -> None:
    settings = [(await person.call("GET", "/assistant/settings")).json for person in (ann, bob)]
    assert settings[0] == settings[1]
    assert settings[0]["baseUrl"]["value"] == provider.base_url


async def test_each_user_asks_the_own_provider_with_the_own_key(
    provider: ScriptedProvider, tmp_path: Path
) -> None:
    async with running_assistant(tmp_path, {}, users=["ann_1", "bob_2", "cat_3"]) as assistant:
        ann, bob, cat = (Person(assistant, user) for user in ("ann_1", "bob_2", "cat_3"))
        for person, key in ((ann, "sk-canary-of-ann"), (bob, "sk-canary-of-bob")):
            entered = {"baseUrl": provider.base_url, "model": "scripted", "apiKey": key}
            assert (await person.call("PUT", "/assistant/settings", entered)).status == 200
        for person, key in ((ann, "sk-canary-of-ann"), (bob, "sk-canary-of-bob")):
            assert (await person.say("hello", await person.new_thread())).text == "Hello there."
            assert provider.requests[-1].key == key_name({"Authorization": f"Bearer {key}"}, {})
        refused = await cat.say("hello", await cat.new_thread())
        assert "no_provider" in refused.body.decode()
        assert (await cat.call("GET", "/assistant/providers")).json["providers"] == []
        assert provider.requests[-1].key == key_name({"Authorization": "Bearer sk-canary-of-bob"}, {})


async def test_options_and_hosts_of_models_are_those_of_the_user(ann: Person, bob: Person) -> None:
    await ann.call("PUT", "/assistant/options", {"name": "max_steps", "value": 3})
    token = {"host": "https://models.example.org", "token": "sk-canary-of-a-host"}
    await ann.call("PUT", "/assistant/models/hosts", token)

    async def kept(person: Person) -> tuple[Any, list[str]]:
        options = (await person.call("GET", "/assistant/options")).json["options"]
        hosts = (await person.call("GET", "/assistant/models/hosts")).json["hosts"]
        steps = next(option["value"] for option in options if option["name"] == "max_steps")
        return steps, [host["origin"] for host in hosts if host["source"] == "settings"]

    assert await kept(ann) == (3, ["https://models.example.org"])
    assert await kept(bob) == (25, [])


async def test_old_chats_are_announced_by_the_settings_of_the_user_whose_they_are(
    assistant: RunningAssistant, ann: Person, bob: Person
) -> None:
    threads = {person: await person.new_thread() for person in (ann, bob)}
    await assistant.assistant.storage.database.run(
        lambda connection: connection.exec_driver_sql(
            "UPDATE thread SET updated_at = updated_at - 10 * 86400"
        )
    )
    await ann.call("PUT", "/assistant/options", {"name": "retention_days", "value": 0})
    await bob.call("PUT", "/assistant/options", {"name": "retention_days", "value": 12})
    await assistant.assistant.housekeeping.tidy()

    for person, is_due in ((ann, False), (bob, True)):
        (listed,) = (await person.call("GET", "/assistant/threads")).json["threads"]
        assert (listed["id"], listed["expiresAt"] is not None) == (threads[person], is_due)


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


async def test_chats_and_settings_from_before_there_were_users_are_the_default_users(
    provider: ScriptedProvider, tmp_path: Path
) -> None:
    async with running_assistant(tmp_path, environment(provider)) as assistant:
        thread = await assistant.new_thread()
        await assistant.call("PUT", "/assistant/options", {"name": "max_steps", "value": 3})
    async with running_assistant(tmp_path, environment(provider), users=["default", "ann_1"]) as assistant:
        assert await Person(assistant, "default").threads() == [thread]
        assert await Person(assistant, "ann_1").threads() == []
        for user, steps in (("default", 3), ("ann_1", 25)):
            options = (await Person(assistant, user).call("GET", "/assistant/options")).json["options"]
            assert [option["value"] for option in options if option["name"] == "max_steps"] == [steps]


def test_no_name_of_a_user_leads_out_of_the_users_folder(tmp_path: Path) -> None:
    for name in ("..", "../..", "a/../../b", ".", "C:\\x", "a\0b"):
        with acting_for(name):
            folder = folder_of_user(tmp_path)
        assert folder.parent == tmp_path / "users"
        assert folder.name not in (".", "..")


async def test_what_a_request_begins_keeps_to_what_may_be_told_to_its_caller():
    async def told() -> bool:
        await asyncio.sleep(0)
        return are_private_replies_shown()

    with show_private_replies(False):
        begun = asyncio.create_task(told())
    assert are_private_replies_shown()
    assert not await begun
