"""What each kind of endpoint is sent of the same messages, known before or learned from its refusal."""

from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.llm.client import ChatClient, Endpoint
from comfyui_assistant.engine.llm.outbound import (
    BRIDGE,
    OutboundRules,
    after_refusal,
    outbound,
    rules_for,
)

from dev.scripted.provider import ScriptedProvider

RED, BLUE = (
    {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{name}"}} for name in ("AA", "BB")
)
NOT_SENT = {"type": "text", "text": "[An image that cannot be sent.]"}


def looked(*images: Any) -> list[Any]:
    """A question, a call, its result, and the images of the result."""
    call = {"id": "abcdefghi", "type": "function", "function": {"name": "viewImages", "arguments": "{}"}}
    title = {"type": "text", "text": "The images of these results:"}
    return [
        {"role": "user", "content": "Look."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "abcdefghi", "content": '{"ok":true}'},
        {"role": "user", "content": [title, *images]},
    ]


async def played(
    scenario: dict[str, Any], messages: Any, *, model: str = "scripted", times: int = 1
) -> list[Any]:
    """The messages of each request that the provider received."""
    tool = {
        "type": "function",
        "function": {"name": "viewImages", "parameters": {"type": "object", "properties": {}}},
    }
    async with ScriptedProvider({"about": "A test.", "pace": 0, **scenario}) as provider:
        client = ChatClient()
        for _ in range(times):
            async for _event in client.stream(
                Endpoint(provider.base_url, model, is_local=True), messages, [tool]
            ):
                pass
        await client.close()
        return [request.body["messages"] for request in provider.requests]


REPLY: dict[str, Any] = {"reply": [{"say": "Red."}]}


def refusing(rule: str) -> dict[str, Any]:
    return {"rules": [rule], "after": "repeat", "steps": [REPLY, REPLY]}


async def test_images_of_results_stand_right_behind_them_where_nothing_else_is_known() -> None:
    messages = looked(RED)
    assert await played({"steps": [REPLY, REPLY]}, messages) == [messages]


async def test_mistral_gets_a_line_of_the_assistant_between_results_and_their_images_at_once() -> None:
    messages = looked(RED)
    assert await played(refusing("mistral"), messages, model="mistral-small-latest") == [
        [*messages[:3], BRIDGE, messages[3]]
    ]


async def test_any_endpoint_that_refuses_a_user_message_after_results_is_asked_so_once_and_never_again() -> (
    None
):
    messages = looked(RED)
    bridged = [*messages[:3], BRIDGE, messages[3]]
    assert await played(refusing("mistral"), messages, times=2) == [messages, bridged, bridged]


async def test_a_message_of_the_person_after_an_interrupted_step_is_no_other_case() -> None:
    messages = [*looked()[:3], {"role": "user", "content": "Go on."}]
    [sent] = await played(refusing("mistral"), messages, model="mistral-small-latest")
    assert sent == [*messages[:3], BRIDGE, messages[3]]


async def test_a_template_that_wants_roles_to_alternate_is_obeyed() -> None:
    messages = looked(RED)
    sent = await played(refusing("alternating-roles"), messages)
    assert sent == [messages, [*messages[:3], BRIDGE, messages[3]]]


async def test_an_endpoint_that_takes_no_images_is_told_that_there_was_one() -> None:
    messages = looked(RED, {"type": "text", "text": "red.png 64x64"})
    sent = await played(refusing("no-images"), messages, times=2)
    blind = [
        *messages[:3],
        {"role": "user", "content": [messages[3]["content"][0], NOT_SENT, messages[3]["content"][2]]},
    ]
    assert sent == [messages, blind, blind]


async def test_an_endpoint_that_takes_one_image_gets_the_newest() -> None:
    messages = looked(RED, BLUE)
    sent = await played(refusing("one-image"), messages)
    assert [len(sent), sent[-1][3]["content"]] == [2, [messages[3]["content"][0], NOT_SENT, BLUE]]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Unexpected role 'user' after role 'tool'", OutboundRules(bridges_results=True)),
        ("At most 4 image(s) may be provided in one request.", OutboundRules(most_images=4)),
        ("image input is not supported - hint: mmproj", OutboundRules(most_images=0)),
        ("No endpoints found that support image input", OutboundRules(most_images=0)),
        ("this model is missing data required for image input", OutboundRules(most_images=0)),
        ("unknown variant `image_url`, expected `text`", OutboundRules(most_images=0)),
        ("This model does not support image input.", OutboundRules(most_images=0)),
        ("messages[3].content must be a string", OutboundRules(most_images=0)),
        ("x is not a multimodal model", OutboundRules(most_images=0)),
        ("reasoning_content must be passed back to the API", OutboundRules(replays_reasoning=True)),
        ("image exceeds 5 MB maximum", OutboundRules()),
        ("Invalid image format; the model supports image types png and jpeg", OutboundRules()),
        ("temperature is not supported", OutboundRules()),
    ],
)
def test_what_is_learned_from_the_words_of_a_refusal(said: str, expected: OutboundRules) -> None:
    assert after_refusal(OutboundRules(), said, looked(RED)) == expected


@pytest.mark.parametrize("said", ["image input is not supported", "Unexpected role 'user' after role 'tool'"])
def test_nothing_is_learned_from_what_was_not_sent(said: str) -> None:
    assert after_refusal(OutboundRules(), said, [{"role": "user", "content": "Hello."}]) == OutboundRules()


@pytest.mark.parametrize(
    ("base_url", "model", "expected"),
    [
        ("https://api.mistral.ai/v1", "any", True),
        ("http://127.0.0.1:11434/v1", "mistral-small3.2:24b", True),
        ("https://openrouter.ai/api/v1", "mistralai/devstral-medium", True),
        ("https://api.openai.com/v1", "gpt-5", False),
    ],
)
def test_who_is_known_to_want_a_line_between(base_url: str, model: str, expected: bool) -> None:
    assert rules_for(base_url, model).bridges_results is expected


def test_what_was_given_is_not_changed() -> None:
    messages = looked(RED, BLUE)
    outbound(messages, OutboundRules(bridges_results=True, most_images=0))
    assert messages == looked(RED, BLUE)
