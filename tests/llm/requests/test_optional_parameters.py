"""What the person wants of a model goes with each request, and is left out where its server refuses it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from comfyui_assistant.engine.llm.client import ChatClient
from comfyui_assistant.engine.llm.endpoint import Endpoint
from comfyui_assistant.engine.llm.requests.optional_parameters import optional_parameters

from dev.scripted.provider import ScriptedProvider

HELLO: list[Any] = [{"role": "system", "content": "You help."}, {"role": "user", "content": "Hello."}]
OPENAI = Endpoint("https://api.openai.com/v1", "gpt-5")


def test_nothing_is_sent_that_nobody_chose() -> None:
    assert optional_parameters(Endpoint("http://127.0.0.1:1/v1", "m"), HELLO, ()) == {}


def test_chats_with_the_same_rules_share_a_key_at_openai_alone() -> None:
    [key] = optional_parameters(OPENAI, HELLO, ()).values()
    assert optional_parameters(OPENAI, [*HELLO, *HELLO], ()) == {"prompt_cache_key": key}
    assert optional_parameters(OPENAI, HELLO[1:], ()) != {"prompt_cache_key": key}
    assert optional_parameters(OPENAI, HELLO, ("prompt_cache_key",)) == {}
    assert optional_parameters(replace(OPENAI, base_url="https://openai.azure.com/v1"), HELLO, ()) == {}


def test_a_server_that_can_is_asked_to_tell_how_far_it_has_read_unless_it_refused() -> None:
    server = Endpoint("http://127.0.0.1:1/v1", "m", tells_progress=True)
    assert optional_parameters(server, HELLO, ()) == {"return_progress": True}
    assert optional_parameters(server, HELLO, ("return_progress True",)) == {}


async def bodies_of(rules: list[str], *endpoints: Endpoint) -> list[dict[str, Any]]:
    steps = [{"reply": [{"say": "Hello."}]}] * len(endpoints)
    scenario: Any = {"about": "A test.", "pace": 0, "rules": rules, "after": "repeat", "steps": steps}
    async with ScriptedProvider(scenario) as provider:
        client = ChatClient()
        for endpoint in endpoints:
            async for _ in client.stream(replace(endpoint, base_url=provider.base_url), HELLO, ()):
                pass
        await client.close()
        return [request.body for request in provider.requests]


@pytest.mark.parametrize("temperature", [0.0, 0.2])
async def test_effort_and_temperature_go_with_the_request(temperature: float) -> None:
    endpoint = Endpoint("", "m", effort="low", temperature=temperature)
    [body] = await bodies_of([], endpoint)
    assert (body["reasoning_effort"], body["temperature"]) == ("low", temperature)


async def test_a_value_that_was_refused_is_not_sent_again_and_another_one_is() -> None:
    cool, warm = (Endpoint("", "m", effort="low", temperature=value) for value in (0.2, 1.0))
    first, second, third, fourth = await bodies_of(["max-completion-tokens"], cool, cool, warm)
    assert first["temperature"] == 0.2
    assert "temperature" not in second
    assert "temperature" not in third
    assert fourth["temperature"] == 1.0
    assert second["reasoning_effort"] == "low"
