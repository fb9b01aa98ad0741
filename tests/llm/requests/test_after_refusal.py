"""What is known of an endpoint before it is asked, and what it teaches by refusing."""

from __future__ import annotations

from typing import Any

import pytest
from comfyui_assistant.engine.base.secret import Secret
from comfyui_assistant.engine.llm.refusals.failures import failure_of
from comfyui_assistant.engine.llm.requests.after_refusal import after_refusal
from comfyui_assistant.engine.llm.requests.request_body import EndpointRules, rules_for

HELLO: list[Any] = [{"role": "user", "content": "Hello."}]
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}
WITH_IMAGE: list[Any] = [
    *HELLO,
    {"role": "tool", "tool_call_id": "abcdefghi", "content": "{}"},
    {"role": "user", "content": [IMAGE]},
]


def learned(words: str, messages: list[Any], *, rules: EndpointRules | None = None) -> EndpointRules:
    refusal = failure_of(400, {"message": words}, base_url="http://h/v1", model="m", key=Secret(""))
    return after_refusal(rules or EndpointRules(), refusal, messages, has_tools=True)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Unexpected role 'user' after role 'tool'", EndpointRules(bridges_results=True)),
        ("At most 4 image(s) may be provided in one request.", EndpointRules(most_images=4)),
        ("image input is not supported - hint: mmproj", EndpointRules(most_images=0)),
        ("No endpoints found that support image input", EndpointRules(most_images=0)),
        ("this model is missing data required for image input", EndpointRules(most_images=0)),
        ("unknown variant `image_url`, expected `text`", EndpointRules(most_images=0)),
        ("This model does not support image input.", EndpointRules(most_images=0)),
        ("messages[3].content must be a string", EndpointRules(most_images=0)),
        ("x is not a multimodal model", EndpointRules(most_images=0)),
        ("reasoning_content must be passed back to the API", EndpointRules(replays_reasoning=True)),
        (
            "reasoning_content is missing in assistant tool call message",
            EndpointRules(replays_reasoning=True),
        ),
        ("Function call is missing a thought_signature", EndpointRules(fills_signatures=True)),
        ("Failed to parse input at pos 39", EndpointRules(streams_no_tools=True)),
        ("Unknown parameter: stream_options", EndpointRules(refuses_stream_options=True)),
        (
            "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            EndpointRules(wants_max_completion_tokens=True),
        ),
        ("Streaming is not supported together with tools.", EndpointRules(streams_no_tools=True)),
        ("Cannot use tools with stream", EndpointRules(streams_no_tools=True)),
        ("image exceeds 5 MB maximum", EndpointRules()),
        ("Invalid image format; the model supports image types png and jpeg", EndpointRules()),
        ("temperature is not supported", EndpointRules()),
    ],
)
def test_what_is_learned_from_the_words_of_a_refusal(said: str, expected: EndpointRules) -> None:
    assert learned(said, WITH_IMAGE) == expected


WISHES = {"reasoning_effort": "low", "temperature": 0.2, "prompt_cache_key": "k"}


@pytest.mark.parametrize(
    ("said", "refused"),
    [
        ("Unsupported value: 'temperature' does not support 0.2 with this model.", "temperature 0.2"),
        ("Unrecognized request argument supplied: reasoning_effort", "reasoning_effort low"),
        ('"llama3.2" does not support thinking', "reasoning_effort low"),
        ("property 'prompt_cache_key' is unsupported", "prompt_cache_key"),
    ],
)
def test_a_parameter_that_is_refused_is_left_out_with_its_value(said: str, refused: str) -> None:
    refusal = failure_of(400, {"message": said}, base_url="http://h/v1", model="m", key=Secret(""))
    rules = after_refusal(EndpointRules(), refusal, HELLO, has_tools=True, parameters=WISHES)
    assert rules == EndpointRules(refused_parameters=(refused,))
    assert after_refusal(EndpointRules(), refusal, HELLO, has_tools=True) == EndpointRules()


@pytest.mark.parametrize(
    "said",
    [
        "System role not supported",
        "system messages are not supported by this model",
        "This model does not support system prompts",
        "Developer instruction is not enabled for models/gemma-3-27b-it",
        "Only user and assistant roles are supported!",
        "Conversation roles must alternate user/assistant/user/assistant/...",
    ],
)
def test_a_chat_template_without_a_system_role_is_known_by_what_it_says(said: str) -> None:
    with_system: list[Any] = [{"role": "system", "content": "You help."}, *HELLO]
    assert learned(said, with_system) == EndpointRules(has_no_system_role=True)
    assert learned(said, with_system, rules=EndpointRules(has_no_system_role=True)) == EndpointRules(
        has_no_system_role=True
    )


@pytest.mark.parametrize(
    "said",
    ["System role not supported", "image input is not supported", "Unexpected role 'user' after role 'tool'"],
)
def test_nothing_is_learned_from_what_was_not_sent(said: str) -> None:
    assert learned(said, HELLO) == EndpointRules()


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


@pytest.mark.parametrize(
    ("base_url", "model", "expected"),
    [
        ("https://openrouter.ai/api/v1", "anthropic/claude-sonnet-4.5", True),
        ("http://127.0.0.1:4000/v1", "claude-opus-4", True),
        ("https://api.anthropic.com/v1", "claude-opus-4", False),
        ("https://openrouter.ai/api/v1", "openai/gpt-5", False),
        ("http://127.0.0.1:11434/v1", "claudette:7b", False),
    ],
)
def test_anthropics_models_behind_gateways_get_marks_until_one_refuses_them(
    base_url: str, model: str, expected: bool
) -> None:
    rules = rules_for(base_url, model)
    assert rules.marks_cache is expected
    words = "messages.0.content.0.cache_control: Extra inputs are not permitted"
    assert learned(words, HELLO, rules=rules).marks_cache is False


@pytest.mark.parametrize(
    ("parameter", "rules"),
    [
        ("stream_options", EndpointRules(refuses_stream_options=True)),
        ("max_completion_tokens", EndpointRules(wants_max_completion_tokens=True)),
        ("reasoning_content must be passed back", EndpointRules(replays_reasoning=True)),
        ("tools are not allowed", EndpointRules(refuses_tools=True)),
        ("at most 1 image", EndpointRules(most_images=1)),
    ],
)
def test_a_provider_may_use_many_words_before_it_comes_to_the_point(
    parameter: str, rules: EndpointRules
) -> None:
    assert learned("We are sorry to say this. " * 16 + parameter, WITH_IMAGE) == rules


def test_what_was_learned_already_is_not_learned_again() -> None:
    rules = EndpointRules(refuses_stream_options=True, wants_max_completion_tokens=True, refuses_tools=True)
    for words in ("stream_options", "max_completion_tokens", "This model does not support tools"):
        assert learned(words, HELLO, rules=rules) == rules


def test_our_own_words_teach_nothing() -> None:
    refusal = failure_of(
        400, "", base_url="http://stream_options/v1", model="max_completion_tokens", key=Secret("")
    )
    assert "stream_options" in refusal.message
    assert after_refusal(EndpointRules(), refusal, HELLO, has_tools=True) == EndpointRules()
