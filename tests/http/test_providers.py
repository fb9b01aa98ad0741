from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.llm.known.probe import LocalServer

from dev.scripted.provider import ScriptedProvider

from ..running_assistant import Reply, RunningAssistant, running_assistant
from ..talking import HELLO, talking

KEY, OTHER_KEY = "sk-canary-0123456789abcdef", "sk-canary-fedcba9876543210"
PROVIDERS = "/assistant/providers"
HERE, ELSEWHERE = "http://127.0.0.1:9/v1", "http://127.0.0.1:19/v1"


async def add(assistant: RunningAssistant, **fields: Any) -> Any:
    added = await assistant.call("POST", PROVIDERS, {"baseUrl": HERE, "model": "small", **fields})
    assert added.status == 201, added.body
    return added.json


async def listed(assistant: RunningAssistant) -> list[Any]:
    return (await assistant.call("GET", PROVIDERS)).json["providers"]


async def change(assistant: RunningAssistant, provider_id: str, **fields: Any) -> Reply:
    return await assistant.call("PATCH", f"{PROVIDERS}/{provider_id}", fields)


async def test_a_provider_is_added_changed_made_the_default_and_deleted(assistant: RunningAssistant) -> None:
    first = await add(assistant, name="First")
    second = await add(assistant, baseUrl=ELSEWHERE, model="org/large", apiKey=KEY)
    assert [(each["name"], each["isDefault"]) for each in await listed(assistant)] == [
        ("First", True),
        ("large", False),
    ]
    assert second["apiKey"] == {"set": True, "source": "settings", "locked": False, "last4": "cdef"}
    changed = await change(assistant, second["id"], name="Second", isDefault=True)
    assert (changed.json["name"], changed.json["isDefault"]) == ("Second", True)
    assert (await assistant.call("GET", "/assistant/status")).json["model"]["label"] == "Second"
    assert (await assistant.call("DELETE", f"{PROVIDERS}/{second['id']}")).status == 204
    assert [(each["id"], each["isDefault"]) for each in await listed(assistant)] == [(first["id"], True)]
    gone = await change(assistant, second["id"], name="Again")
    assert (gone.status, gone.error_code) == (404, "not_found")


async def test_every_value_says_who_gave_it_and_can_be_set(assistant: RunningAssistant) -> None:
    provider = await add(assistant, baseUrl="http://127.0.0.1:9/v1", model="llava")
    facts = provider["facts"]
    assert {name: facts[name]["source"] for name in ("window", "vision", "profile", "price")} == {
        "window": "unknown",
        "vision": "table" if facts["vision"]["value"] is not None else "unknown",
        "profile": "unknown",
        "price": "local",
    }
    price = {"input": 2.0, "cached": 0.5, "output": 8.0}
    entered = {"window": 9_000, "vision": True, "profile": "full", "price": price}
    facts = (await change(assistant, provider["id"], **entered)).json["facts"]
    assert {name: (facts[name]["value"], facts[name]["source"]) for name in entered} == {
        name: (value, "you") for name, value in entered.items()
    }
    assert facts["windowNote"] == "The window of 9,000 tokens is the one that you entered."
    status = (await assistant.call("GET", "/assistant/status")).json["model"]
    assert (status["window"], status["slim"], status["vision"]) == (9_000, False, True)
    nothing = dict.fromkeys(entered)
    assert (await change(assistant, provider["id"], **nothing)).json["entered"] == {}


@pytest.mark.slow
async def test_how_a_model_is_asked_is_told_and_what_it_refuses_is_remembered_until_forgotten(
    tmp_path: Path,
) -> None:
    async with ScriptedProvider({**HELLO, "rules": ["max-completion-tokens"]}, pace=0) as provider:
        async with talking(tmp_path, provider=provider) as (assistant, _):
            wishes = {"effort": "low", "temperature": 0.2}
            entered = (await change(assistant, "environment", **wishes)).json["entered"]
            assert {name: entered[name] for name in wishes} == wishes
            assert (await assistant.say("hello", thread=await assistant.new_thread())).text == "Hello there."
        async with talking(tmp_path, provider=provider) as (assistant, _):
            await assistant.say("hello", thread=await assistant.new_thread())
            route = f"{PROVIDERS}/environment"
            note = (await assistant.call("GET", route)).json["rulesNote"]
            refused, counted = note.split(". ")
            assert refused == "Learned of this server: it refuses temperature 0.2"
            assert counted.startswith("Learned from 2 answers: this model counts ")
            await assistant.call("DELETE", f"{PROVIDERS}/learned-rules?provider=environment")
            assert "rulesNote" not in (await assistant.call("GET", route)).json
            await assistant.say("hello", thread=await assistant.new_thread())
        asked = [request.body for request in provider.requests if request.body]
        assert [body.get("temperature") for body in asked] == [0.2, None, None, 0.2, None]
        assert {body["reasoning_effort"] for body in asked} == {"low"}


async def test_a_server_that_drops_system_messages_gets_the_rules_once_with_the_same_bytes(
    tmp_path: Path,
) -> None:
    async with talking(tmp_path) as (assistant, provider):
        thread = await assistant.new_thread()
        await assistant.say("hello", thread=thread, message_id="u1")
        await change(assistant, "environment", dropsSystem=True)
        for number in (2, 3):
            await assistant.say("again", thread=thread, message_id=f"u{number}")
        with_system, without, later = (request.messages for request in provider.requests)
        rules = with_system[0]["content"]
        assert [message["role"] for message in without] == ["user", "assistant", "user"]
        assert without[0]["content"] == f"{rules}\n\n{with_system[1]['content']}"
        assert later[: len(without)] == without
        assert sum(rules in str(message["content"]) for message in later) == 1
        changed = await change(assistant, "environment", dropsSystem=None)
        assert "dropsSystem" not in changed.json["entered"]


async def test_what_was_entered_of_a_model_goes_with_it(assistant: RunningAssistant) -> None:
    provider = await add(assistant, window=9_000, profile="full")
    changed = (await change(assistant, provider["id"], model="other")).json
    assert changed["entered"] == {"profile": "full"}


async def test_keys_never_come_out_and_are_for_their_server_alone(tmp_path: Path) -> None:
    async with running_assistant(tmp_path, {}) as assistant:
        provider = await add(assistant, apiKey=KEY)
        same_server = await add(assistant, model="other")
        another_account = await add(assistant, model="third", apiKey=OTHER_KEY)
        keys = [each["apiKey"].get("last4") for each in (provider, same_server, another_account)]
        assert keys == ["cdef", "cdef", "3210"]
        shared = [each["apiKey"].get("sharedWith") for each in await listed(assistant)]
        assert shared == [["other"], ["small"], None]
        moved = (await change(assistant, provider["id"], baseUrl=ELSEWHERE)).json
        assert (moved["apiKey"]["set"], moved["model"]["value"]) == (False, "")
        for each in await listed(assistant):
            await assistant.call("GET", f"{PROVIDERS}/{each['id']}")
            await assistant.call("DELETE", f"{PROVIDERS}/{each['id']}")
    assert json.loads((tmp_path / "settings.json").read_text("utf-8"))["keys"] == {}


async def test_two_pages_that_edit_one_provider_overwrite_nothing_of_each_other(
    assistant: RunningAssistant,
) -> None:
    provider = await add(assistant)
    one, other = await asyncio.gather(
        *(change(assistant, provider["id"], seen=provider["version"], name=name) for name in ("One", "Other"))
    )
    assert sorted((one.status, other.status)) == [200, 409]
    refused = one if one.status == 409 else other
    assert refused.error_code == "changed_meanwhile"
    now = (await listed(assistant))[0]
    assert (await change(assistant, now["id"], seen=now["version"], name="Mine")).json["name"] == "Mine"


async def test_the_providers_of_the_environment_can_be_amended_where_it_is_silent(tmp_path: Path) -> None:
    environ = {"COMFYUI_ASSISTANT_BASE_URL": HERE, "COMFYUI_ASSISTANT_API_KEY": KEY}
    async with running_assistant(tmp_path, environ) as assistant:
        (entry,) = await listed(assistant)
        assert (entry["id"], entry["baseUrl"]["source"], entry["apiKey"]["locked"]) == (
            "environment",
            "environment",
            True,
        )
        amended = (await change(assistant, "environment", model="small", window=9_000)).json
        assert (amended["model"], amended["facts"]["window"]["source"]) == (
            {"value": "small", "source": "settings"},
            "you",
        )
        for refused in (
            await change(assistant, "environment", baseUrl=ELSEWHERE),
            await change(assistant, "environment", apiKey=OTHER_KEY),
            await assistant.call("DELETE", f"{PROVIDERS}/environment"),
        ):
            assert (refused.status, refused.error_code) == (409, "setting_locked")
        await add(assistant, name="Mine", isDefault=True)
        assert (await assistant.call("GET", "/assistant/status")).json["model"]["label"] == "Mine"


async def test_the_window_of_the_environment_is_that_of_its_own_provider(tmp_path: Path) -> None:
    environ = {
        "COMFYUI_ASSISTANT_BASE_URL": HERE,
        "COMFYUI_ASSISTANT_MODEL": "small",
        "COMFYUI_ASSISTANT_CONTEXT_WINDOW": "9000",
    }
    async with running_assistant(tmp_path, environ) as assistant:
        mine = await add(assistant)
        of_environment = (await assistant.call("GET", f"{PROVIDERS}/environment")).json
    windows = [each["facts"]["window"]["source"] for each in (mine, of_environment)]
    assert windows == ["unknown", "setting"]


async def test_the_models_of_a_provider_are_listed_with_what_is_known_of_them(tmp_path: Path) -> None:
    async with ScriptedProvider(HELLO, pace=0) as provider, running_assistant(tmp_path, {}) as assistant:
        added = await add(assistant, baseUrl=provider.base_url)
        models = (await assistant.call("POST", f"{PROVIDERS}/{added['id']}/models", {})).json["models"]
        assert models[0] == {
            "id": "scripted",
            "window": None,
            "vision": None,
            "price": {"input": 0, "cached": 0, "output": 0},
        }
        nobody = await add(assistant)
        refused = await assistant.call("POST", f"{PROVIDERS}/{nobody['id']}/models", {})
        assert (refused.status, refused.error_code) == (502, "provider_unreachable")


async def test_a_test_says_which_address_was_meant(tmp_path: Path) -> None:
    async with talking(tmp_path) as (assistant, provider):
        short = provider.base_url.removesuffix("/v1")
        answer = (await assistant.call("POST", f"{PROVIDERS}/test", {"baseUrl": short, "model": "m"})).json
    assert (answer["ok"], answer["meant"]) == (False, provider.base_url)


async def test_a_test_of_a_saved_provider_uses_its_key_and_no_other_server_gets_it(tmp_path: Path) -> None:
    async with (
        ScriptedProvider(HELLO, pace=0) as one,
        ScriptedProvider(HELLO, pace=0) as other,
        running_assistant(tmp_path, {}) as assistant,
    ):
        saved = await add(assistant, baseUrl=one.base_url, apiKey=KEY)
        for base_url in (one.base_url, other.base_url):
            body = {"id": saved["id"], "baseUrl": base_url, "model": "scripted"}
            assert (await assistant.call("POST", f"{PROVIDERS}/test", body)).json["ok"] is True
        assert {"Authorization" in request.headers for request in one.requests} == {True}
        assert not any(KEY in str(request.headers) for request in other.requests)


async def test_what_is_found_on_this_machine_answers_and_can_be_added_as_a_provider(tmp_path: Path) -> None:
    async with ScriptedProvider(HELLO, pace=0) as provider:

        async def discovery() -> list[LocalServer]:
            return [LocalServer("ollama", "Ollama", provider.base_url, ("scripted", "other"))]

        environ = {"COMFYUI_ASSISTANT_DISCOVERY": "on"}
        async with running_assistant(tmp_path, environ, discovery=discovery) as assistant:
            (found,) = await listed(assistant)
            assert (found["baseUrl"]["source"], found["model"]["value"]) == ("discovered", "scripted")
            whole = (await assistant.call("GET", f"{PROVIDERS}/{found['id']}")).json
            assert (whole["id"], "facts" in whole) == (found["id"], True)
            for refused in (
                await change(assistant, found["id"], name="Mine"),
                await assistant.call("DELETE", f"{PROVIDERS}/{found['id']}"),
            ):
                assert (refused.status, refused.error_code) == (409, "setting_locked")
            added = await add(assistant, baseUrl=provider.base_url, model="other", name="Mine")
            assert [each["id"] for each in await listed(assistant)] == [added["id"]]
