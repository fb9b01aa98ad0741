"""What each kind of server teaches by refusing: learned in one turn, known after a restart, and forgotten."""

from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.base.events import TextDelta
from comfyui_assistant.engine.llm.client import ChatClient
from comfyui_assistant.engine.llm.endpoint import Endpoint
from comfyui_assistant.engine.llm.learned import EndpointRuleStore
from comfyui_assistant.engine.store.model_states import ModelStates

from dev.scripted.provider import ScriptedProvider

CALL = {"id": "abcdefghi", "type": "function", "function": {"name": "viewImages", "arguments": "{}"}}
TOOL = {"type": "function", "function": {"name": "viewImages", "parameters": {"type": "object"}}}
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
ASKED: list[Any] = [{"role": "system", "content": "You help."}, {"role": "user", "content": "Look."}]
LOOKED: list[Any] = [
    *ASKED,
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "abcdefghi", "content": '{"ok":true}'},
]
WITH_IMAGES: list[Any] = [ASKED[0], {"role": "user", "content": [IMAGE, IMAGE]}]

REFUSALS = [
    pytest.param("no-system-role", ASKED, "it has no system role", id="system role"),
    pytest.param(
        "no-streamed-tools", ASKED, "it does not stream where tools are offered", id="streamed tools"
    ),
    pytest.param("no-stream-options", ASKED, "it does not know stream_options", id="stream options"),
    pytest.param("no-tools", ASKED, "it takes no tools", id="tools"),
    pytest.param("max-completion-tokens", ASKED, "it refuses temperature 0.5", id="temperature"),
    pytest.param("reasoning-replayed", LOOKED, "it wants its reasoning back", id="reasoning"),
    pytest.param("mistral", [*LOOKED, ASKED[1]], "it wants the roles to alternate", id="bridge"),
    pytest.param("no-images", WITH_IMAGES, "it takes no images", id="images"),
    pytest.param("one-image", WITH_IMAGES, "it takes at most 1 image", id="one image"),
]


@pytest.mark.slow
@pytest.mark.parametrize("chunking", ["events", "whole", "bytes", "random:1"])
@pytest.mark.parametrize(("rule", "messages", "words"), REFUSALS)
async def test_a_refusal_is_met_once_until_what_it_taught_is_forgotten(
    rule: str, messages: Any, words: str, chunking: str
) -> None:
    scenario: Any = {"about": "A test.", "rules": [rule], "after": "repeat"}
    places = 1 + sum(message["role"] == "assistant" for message in messages)
    scenario["steps"] = [{"reply": [{"say": ["He", "re."]}]}] * (places + 1)
    states = ModelStates()
    async with ScriptedProvider(scenario, chunking=chunking, pace=0) as provider:
        endpoint = Endpoint(provider.base_url, "small", is_local=True, temperature=0.5)

        async def refusals_met() -> int:
            before = len(provider.refusals)
            client = ChatClient(rules=EndpointRuleStore(states))
            events = [event async for event in client.stream(endpoint, messages, [TOOL])]
            await client.close()
            assert "".join(event.text for event in events if isinstance(event, TextDelta)) == "Here."
            return len(provider.refusals) - before

        assert await refusals_met() > 0
        assert await refusals_met() == 0
        rules = EndpointRuleStore(states)
        note = await rules.note(provider.base_url, "small")
        assert note is not None
        assert note.words == f"Learned of this server: {words}."
        await rules.forget(provider.base_url, "small")
        assert await refusals_met() > 0
