"""How long a model may keep us waiting: the scenarios of the scripted provider in which nothing comes any more."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from comfyui_assistant.engine.base.errors import ProviderError
from comfyui_assistant.engine.base.events import ReplyFinished, TextDelta
from comfyui_assistant.engine.llm.client import ChatClient
from comfyui_assistant.engine.llm.endpoint import Endpoint, Patience

from dev.scripted.provider import ScriptedProvider

HELLO: list[Any] = [{"role": "user", "content": "hello"}]
LONG = 60.0


@pytest.mark.parametrize(
    ("scenario", "patience", "text"),
    [
        pytest.param("silent", Patience(0.1, LONG), "", id="nothing ever comes"),
        pytest.param("stalled", Patience(LONG, 0.1), "One moment", id="some text, then nothing"),
        pytest.param("keep-alive-only", Patience(0.3, LONG), "", id="comments are no sign of the model"),
    ],
)
async def test_a_model_that_falls_silent_is_named_and_let_go_and_not_asked_again(
    scenario: str, patience: Patience, text: str
) -> None:
    client = ChatClient(patience=patience)
    streamed: list[str] = []

    async def ask(endpoint: Endpoint) -> None:
        async for event in client.stream(endpoint, HELLO, []):
            streamed.extend([event.text] if isinstance(event, TextDelta) else [])

    async with ScriptedProvider(scenario, pace=0) as provider:
        with pytest.raises(ProviderError) as failure:
            await asyncio.wait_for(ask(Endpoint(provider.base_url, "scripted", is_local=True)), 20)
        await provider.wait_until(lambda: provider.open_streams == 0)
        assert [request.closed_early for request in provider.requests] == [True]
    await client.close()
    assert (failure.value.code, failure.value.retryable) == ("provider_silent", True)
    assert "".join(streamed) == text


@pytest.mark.parametrize("finish", ["stop", "tool_calls"])
async def test_a_reply_that_says_that_it_is_over_is_over_though_its_server_keeps_the_connection(
    finish: str,
) -> None:
    call = {"call": "getNodeInfo", "arguments": {"types": ["KSampler"]}}
    reply = [{"say": "There."}, *([call] if finish == "tool_calls" else [])]
    scenario = {"about": "A test.", "steps": [{"reply": reply, "finish": finish, "end": "hang"}]}
    client = ChatClient(patience=Patience(LONG, LONG, after_end=0.1))
    async with ScriptedProvider(scenario, pace=0) as provider:
        endpoint = Endpoint(provider.base_url, "scripted", is_local=True)
        events = [event async for event in client.stream(endpoint, HELLO, [])]
        await provider.wait_until(lambda: provider.open_streams == 0)
    await client.close()
    last = events[-1]
    assert isinstance(last, ReplyFinished)
    assert (last.reason, len(last.calls)) == (finish.replace("_", "-"), finish == "tool_calls")


def test_a_local_server_has_more_patience_than_one_far_away() -> None:
    near, far = Endpoint("", "", is_local=True).patience, Endpoint("", "").patience
    assert near.first_event > far.first_event
    assert near.next_event > far.next_event
