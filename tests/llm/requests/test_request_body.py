"""What each kind of endpoint is sent of the same messages."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from comfyui_assistant.engine.base.events import TextDelta
from comfyui_assistant.engine.llm.client import ChatClient
from comfyui_assistant.engine.llm.endpoint import Endpoint
from comfyui_assistant.engine.llm.requests.request_body import (
    BRIDGE,
    EndpointRules,
    messages_under,
    optional_parameters,
    request_body,
)

from dev.scripted.provider import ScriptedProvider

RED, BLUE = (
    {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{name}"}} for name in ("AA", "BB")
)
TOOL: dict[str, Any] = {
    "type": "function",
    "function": {"name": "viewImages", "parameters": {"type": "object", "properties": {}}},
}
NOT_SENT = {"type": "text", "text": "[An image that cannot be sent.]"}

HELLO: list[Any] = [{"role": "system", "content": "You help."}, {"role": "user", "content": "Hello."}]
OPENAI = Endpoint("https://api.openai.com/v1", "gpt-5")


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
    async with ScriptedProvider({"about": "A test.", "pace": 0, **scenario}) as provider:
        client = ChatClient()
        for _ in range(times):
            async for _event in client.stream(
                Endpoint(provider.base_url, model, is_local=True), messages, [TOOL]
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


async def test_a_template_without_a_system_role_gets_it_at_the_head_of_the_first_user_message() -> None:
    system: Any = {"role": "system", "content": "You help."}
    sent = await played(refusing("no-system-role"), [system, *looked()[:3]], times=2)
    folded = [{"role": "user", "content": "You help.\n\nLook."}, *looked()[1:3]]
    assert sent == [[system, *looked()[:3]], folded, folded]


def test_images_of_the_first_message_stay_behind_a_system_message_that_goes_there() -> None:
    system: Any = {"role": "system", "content": "You help."}
    rules = EndpointRules(has_no_system_role=True)
    assert messages_under(rules, [system, {"role": "user", "content": [RED]}]) == [
        {"role": "user", "content": [{"type": "text", "text": "You help."}, RED]}
    ]
    assert messages_under(rules, [system, {"role": "assistant", "content": "Hi."}])[0] == {
        "role": "user",
        "content": "You help.",
    }


async def test_an_endpoint_that_does_not_stream_with_tools_is_asked_without_streaming_and_again_so() -> None:
    scenario = {"rules": ["no-streamed-tools"], "after": "repeat", "steps": [REPLY, REPLY]}
    async with ScriptedProvider({"about": "A test.", "pace": 0, **scenario}) as provider:
        client = ChatClient()
        texts = []
        for _ in range(2):
            stream = client.stream(Endpoint(provider.base_url, "scripted"), looked()[:1], [TOOL])
            texts.append("".join([event.text async for event in stream if isinstance(event, TextDelta)]))
        await client.close()
    assert texts == ["Red.", "Red."]
    sent = [(request.body["stream"], "stream_options" in request.body) for request in provider.requests]
    assert sent == [(True, True), (False, False), (False, False)]


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


def test_what_was_given_is_not_changed() -> None:
    messages = looked(RED, BLUE)
    messages_under(EndpointRules(bridges_results=True, most_images=0), messages)
    assert messages == looked(RED, BLUE)


def test_each_rule_takes_its_part_out_of_the_request_and_no_other() -> None:
    tool = {"type": "function", "function": {"name": "look"}}
    usual = {
        "model": "m",
        "messages": [{"role": "user", "content": "Hello."}],
        "stream": True,
        "tools": [tool],
        "stream_options": {"include_usage": True},
        "max_tokens": 5,
    }

    def body(rules: EndpointRules) -> dict[str, Any]:
        return request_body("m", [{"role": "user", "content": "Hello."}], [tool], rules, max_tokens=5)

    def without(name: str) -> dict[str, Any]:
        return {other: value for other, value in usual.items() if other != name}

    assert body(EndpointRules()) == usual
    assert body(EndpointRules(refuses_tools=True)) == without("tools")
    assert body(EndpointRules(refuses_stream_options=True)) == without("stream_options")
    assert body(EndpointRules(wants_max_completion_tokens=True)) == {
        **without("max_tokens"),
        "max_completion_tokens": 5,
    }


MARK = {"cache_control": {"type": "ephemeral"}}


def test_marks_stand_behind_the_system_message_and_the_newest_three_that_are_not_the_models() -> None:
    system: Any = {"role": "system", "content": "You help."}
    messages = [system, *looked()[:3], {"role": "user", "content": "Go on."}, *looked(RED)]
    marked = messages_under(EndpointRules(marks_cache=True), messages)
    places = [index for index, message in enumerate(marked) if MARK["cache_control"] in str_parts(message)]
    assert places == [0, 5, 7, 8]
    assert marked[0]["content"] == [{"type": "text", "text": "You help.", **MARK}]
    assert marked[8]["content"] == [{**messages[8]["content"][0], **MARK}, RED]
    assert messages == [system, *looked()[:3], {"role": "user", "content": "Go on."}, *looked(RED)]


def str_parts(message: Any) -> list[Any]:
    content = message["content"]
    return [part.get("cache_control") for part in content] if isinstance(content, list) else []


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


def test_calls_of_another_model_get_the_signature_that_gemini_does_not_validate() -> None:
    own = {"id": "b", "extra_content": {"google": {"thought_signature": "own"}}}
    messages: list[Any] = [{"role": "assistant", "content": None, "tool_calls": [{"id": "a"}, own]}]
    [message] = messages_under(EndpointRules(fills_signatures=True), messages)
    unsigned = {"google": {"thought_signature": "skip_thought_signature_validator"}}
    assert message.get("tool_calls") == [{"id": "a", "extra_content": unsigned}, own]
    [message] = messages_under(EndpointRules(), messages)
    assert message.get("tool_calls") == [{"id": "a"}, own]
