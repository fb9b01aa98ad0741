from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from dev.scripted.provider import ScriptedProvider

from ..running_assistant import RunningAssistant, running_assistant
from ..talking import HELLO, talking

KEY = "sk-canary-0123456789abcdef"
HERE = "http://127.0.0.1:9/v1"
IN_ENVIRONMENT = {"COMFYUI_ASSISTANT_API_KEY": KEY}


async def test_a_key_without_a_base_url_is_refused_and_with_one_is_kept(tmp_path: Path) -> None:
    async with running_assistant(tmp_path, {}) as assistant:
        refused = await assistant.call("PUT", "/assistant/settings", {"apiKey": KEY})
        assert (refused.status, refused.error_code) == (400, "invalid_request")
        assert "no base URL" in refused.json["error"]["message"]
        assert not (tmp_path / "settings.json").exists()
        kept = await assistant.call("PUT", "/assistant/settings", {"apiKey": KEY, "baseUrl": HERE})
        assert kept.json["apiKey"]["set"] is True
    assert json.loads((tmp_path / "settings.json").read_text("utf-8"))["keys"] == {"http://127.0.0.1:9": KEY}


@pytest.mark.parametrize("key", ["“sk-secret”", "sk-secret\u200b", "сk-secret", "sk-\nsecret", "sk-secret\0"])
async def test_a_key_with_a_character_that_no_key_has_is_refused_when_it_is_entered(
    tmp_path: Path, key: str
) -> None:
    typed = {"apiKey": key, "baseUrl": HERE, "model": "small"}
    async with running_assistant(tmp_path, {}) as assistant:
        for method, path in (("PUT", "/assistant/settings"), ("POST", "/assistant/providers/test")):
            refused = await assistant.call(method, path, typed)
            assert (refused.status, refused.error_code) == (400, "invalid_request")
            assert "U+" in refused.json["error"]["message"]
            assert "secret" not in refused.body.decode()
    assert not (tmp_path / "settings.json").exists()


async def test_keys_go_in_and_never_come_out(tmp_path: Path) -> None:
    async with (
        ScriptedProvider(HELLO, pace=0) as provider,
        running_assistant(tmp_path, {}) as assistant,
    ):
        assert (await assistant.call("GET", "/assistant/status")).json["model"]["state"] == "needs-setup"
        nothing = await assistant.say("hi", thread=await assistant.new_thread())
        assert (nothing.status, nothing.error_code) == (409, "no_provider")
        typed = {"baseUrl": provider.base_url + "/chat/completions", "model": "scripted", "apiKey": KEY}
        saved = await assistant.call("PUT", "/assistant/settings", typed)
        assert saved.json == {
            "baseUrl": {"value": provider.base_url, "source": "settings", "locked": False},
            "model": {"value": "scripted", "source": "settings", "locked": False},
            "apiKey": {"set": True, "last4": "cdef", "source": "settings", "locked": False},
            "windowNote": "Nobody tells how much the model reads at once; 32,000 tokens are assumed until a request is "
            "refused.",
        }
        assert (tmp_path / "settings.json").stat().st_mode & 0o777 == 0o600
        assert (await assistant.say("hi", thread=await assistant.new_thread())).text == "Hello there."
        elsewhere = await assistant.call("PUT", "/assistant/settings", {"baseUrl": "http://127.0.0.1:9/v1"})
        assert elsewhere.json["apiKey"] == {"set": False, "source": "none", "locked": False}
        assert elsewhere.json["model"]["value"] == ""
        for path in ("/assistant/settings", "/assistant/status", "/assistant/threads"):
            assert KEY not in (await assistant.call("GET", path)).body.decode()


async def test_settings_from_the_environment_are_locked(tmp_path: Path) -> None:
    async with talking(tmp_path, environ=IN_ENVIRONMENT) as (assistant, _):
        settings = (await assistant.call("GET", "/assistant/settings")).json
        assert [settings[name]["locked"] for name in ("baseUrl", "model", "apiKey")] == [True, True, True]
        answer = await assistant.call("PUT", "/assistant/settings", {"model": "other"})
    assert (answer.status, answer.error_code) == (409, "setting_locked")


@pytest.mark.parametrize(
    "address",
    [
        "nonsense",
        "ftp://x/v1",
        "http://",
        "http://me:secret@host/v1",
        "http://x:99999/v1",
        "https://host/v1?api_key=secret",
        "https://host/v1#secret",
    ],
)
async def test_an_address_that_is_none_is_refused(assistant: RunningAssistant, address: str) -> None:
    answer = await assistant.call("PUT", "/assistant/settings", {"baseUrl": address})
    assert (answer.status, answer.error_code) == (400, "invalid_request")
    assert "secret" not in answer.body.decode()


async def test_the_connection_test_tells_what_is_wrong(tmp_path: Path) -> None:
    async with talking(tmp_path, environ=IN_ENVIRONMENT) as (assistant, provider):
        path = "/assistant/providers/test"
        good = (await assistant.call("POST", path, {})).json
        assert good["ok"] is True
        assert good["models"]
        unreachable = await assistant.call("POST", path, {"baseUrl": HERE})
        assert unreachable.json["error"]["code"] == "provider_unreachable"
        provider.play("wrong-key")
        refused = (await assistant.call("POST", path, {})).json
        assert refused["error"]["code"] == "key_refused"


async def test_there_has_to_be_an_address_to_test(assistant: RunningAssistant) -> None:
    refused = await assistant.call("POST", "/assistant/providers/test", {"model": "small"})
    assert (refused.status, refused.error_code) == (400, "invalid_request")


@pytest.mark.parametrize("body", [{"model": 7}, {"baseUrl": ["x"]}, {"apiKey": "x" * 2_001}])
async def test_what_is_no_text_is_refused(assistant: RunningAssistant, body: object) -> None:
    refused = await assistant.call("PUT", "/assistant/settings", body)
    assert (refused.status, refused.error_code) == (400, "invalid_request")


async def test_no_servers_are_looked_for_where_that_is_switched_off(assistant: RunningAssistant) -> None:
    assert (await assistant.call("GET", "/assistant/providers/discovered")).json == {"endpoints": []}


async def test_a_learned_window_is_shown_with_its_day_and_can_be_forgotten(tmp_path: Path) -> None:
    async with talking(tmp_path, {**HELLO, "window": 9_000}) as (assistant, _):
        thread = await assistant.new_thread()
        await assistant.say("word " * 8_000, thread=thread)
        for shown in (
            (await assistant.call("GET", "/assistant/settings")).json,
            (await assistant.call("GET", f"/assistant/threads/{thread}/context")).json,
            (await assistant.call("GET", "/assistant/status")).json["model"],
        ):
            assert shown["windowLearnedAt"] == pytest.approx(time.time(), abs=60)
            assert "9,000 tokens was learned from a request that was too long on " in shown["windowNote"]
        forgotten = await assistant.call("DELETE", "/assistant/providers/learned-window")
        assert (forgotten.status, forgotten.json.get("windowLearnedAt")) == (200, None)
        assert "32,000 tokens is set by" in forgotten.json["windowNote"]


@pytest.mark.slow
async def test_what_a_server_refused_is_shown_outlives_a_restart_and_can_be_forgotten(tmp_path: Path) -> None:
    async with ScriptedProvider({**HELLO, "rules": ["no-system-role"]}, pace=0) as provider:
        async with talking(tmp_path, provider=provider) as (assistant, _):
            assert "rulesNote" not in (await assistant.call("GET", "/assistant/settings")).json
            await assistant.say("hello", thread=await assistant.new_thread())
            shown = (await assistant.call("GET", "/assistant/settings")).json
            refused, counted = shown["rulesNote"].split(". ")
            assert refused == "Learned of this server: it has no system role"
            assert counted.startswith("Learned from 1 answer: this model counts ")
            assert shown["rulesLearnedAt"] == pytest.approx(time.time(), abs=60)
        async with talking(tmp_path, provider=provider) as (assistant, _):
            await assistant.say("hello", thread=await assistant.new_thread())
            forgotten = await assistant.call("DELETE", "/assistant/providers/learned-rules")
            assert (forgotten.status, "rulesNote" in forgotten.json) == (200, False)
            await assistant.say("hello", thread=await assistant.new_thread())
        first_roles = [request.body["messages"][0]["role"] for request in provider.requests]
        assert first_roles == ["system", "user", "user", "system", "user"]
