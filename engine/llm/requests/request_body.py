"""The body of a request by the rules of its endpoint. What is stored and planned is the same for all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from typing import Any
from urllib.parse import urlsplit

from ...base.messages import Message, dump
from ..endpoint import Endpoint

_NEWEST_MARKS = 3
BRIDGE: Message = {"role": "assistant", "content": "(I have these results.)"}
"""The message between results and a user message, for endpoints that want one."""

_NO_THOUGHT = " "
"""The reasoning of a message that had none: Kimi takes an empty text for a missing one."""
_UNSIGNED = {"google": {"thought_signature": "skip_thought_signature_validator"}}
_MISTRAL = re.compile(
    r"(?<![a-z])(?:mi[sx]tral|ministral|magistral|devstral|codestral|pixtral)", re.IGNORECASE
)
_CLAUDE = re.compile(r"(?<![a-z])claude(?![a-z])", re.IGNORECASE)


@dataclass(frozen=True)
class EndpointRules:
    """The deviations of an endpoint from OpenAI's form of requests.

    Images of tool results stand in a user message after the results, since a tool message is text. With
    `bridges_results` an assistant message stands between the two, as Mistral and some chat templates demand. Only the
    newest `most_images` images are sent, where that is not None. `replays_reasoning` sends the reasoning before
    earlier calls back. `fills_signatures` gives calls that have no thought signature the one that Gemini does not
    validate (https://ai.google.dev/gemini-api/docs/thought-signatures).

    With `has_no_system_role` the system message goes into the first user message. With `streams_no_tools` a request
    with tools is answered in one piece. Calls in a reply's text are read where the endpoint never has shown that it
    `sends_calls` as such; for a remote one only if it `writes_calls` there. With `marks_cache` a request marks what
    the provider may cache, as Anthropic's models require behind gateways. `refused_parameters` are left out, each
    with its value.
    """

    bridges_results: bool = False
    most_images: int | None = None
    replays_reasoning: bool = False
    fills_signatures: bool = False
    refuses_stream_options: bool = False
    refuses_tools: bool = False
    wants_max_completion_tokens: bool = False
    has_no_system_role: bool = False
    streams_no_tools: bool = False
    sends_calls: bool = False
    writes_calls: bool = False
    marks_cache: bool = False
    refused_parameters: tuple[str, ...] = ()


def rules_for(base_url: str, model: str) -> EndpointRules:
    """Return the rules that are known of an endpoint before its first refusal."""
    return EndpointRules(
        bridges_results="mistral.ai" in base_url or bool(_MISTRAL.search(model)),
        # Anthropic's own address accepts no marks in OpenAI's form of requests.
        marks_cache=bool(_CLAUDE.search(model)) and "api.anthropic.com" not in base_url,
    )


def optional_parameters(
    endpoint: Endpoint, messages: Sequence[Message], refused: Iterable[str]
) -> dict[str, Any]:
    """Return the parameters without refused ones: the user's effort and temperature, OpenAI's cache key, and progress
    reports.

    All chats with the same system message share a cache key, so that their requests reach the same cache
    (https://platform.openai.com/docs/guides/prompt-caching).
    """
    parameters: dict[str, Any] = {}
    if endpoint.effort:
        parameters["reasoning_effort"] = endpoint.effort
    if endpoint.temperature is not None:
        parameters["temperature"] = endpoint.temperature
    if urlsplit(endpoint.base_url).hostname == "api.openai.com":
        parameters["prompt_cache_key"] = sha256(dump(messages[:1]).encode()).hexdigest()[:32]
    if endpoint.tells_progress:
        parameters["return_progress"] = True
    return {name: value for name, value in parameters.items() if spelled(name, value) not in refused}


def spelled(name: str, value: Any) -> str:
    """Return the key under which a refused parameter is remembered: with its value, except for the cache key."""
    return name if name == "prompt_cache_key" else f"{name} {value}"


def request_body(
    model: str,
    messages: Sequence[Message],
    tools: Sequence[dict[str, Any]],
    rules: EndpointRules,
    *,
    max_tokens: int | None = None,
    parameters: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the body of a request for a reply. `parameters` are those that an endpoint may refuse."""
    offers_tools = bool(tools) and not rules.refuses_tools
    is_streamed = not (offers_tools and rules.streams_no_tools)
    body: dict[str, Any] = {
        "model": model,
        "messages": messages_under(rules, messages),
        "stream": is_streamed,
        **(parameters or {}),
    }
    if offers_tools:
        body["tools"] = list(tools)
    if is_streamed and not rules.refuses_stream_options:
        body["stream_options"] = {"include_usage": True}
    if max_tokens is not None:
        body["max_completion_tokens" if rules.wants_max_completion_tokens else "max_tokens"] = max_tokens
    return body


def messages_under(rules: EndpointRules, messages: Sequence[Message]) -> list[Message]:
    """Return the messages in the form that the rules demand."""
    adapted_messages = [_with_reasoning(message, replays=rules.replays_reasoning) for message in messages]
    if rules.fills_signatures:
        adapted_messages = [_with_signatures(message) for message in adapted_messages]
    if rules.most_images is not None:
        adapted_messages = _with_newest_images(adapted_messages, rules.most_images)
    if rules.bridges_results:
        adapted_messages = _bridge_results(adapted_messages)
    if rules.has_no_system_role:
        adapted_messages = _without_system_role(adapted_messages)
    return _with_cache_marks(adapted_messages) if rules.marks_cache else adapted_messages


def _with_cache_marks(messages: Sequence[Message]) -> list[Message]:
    """Mark the system message and the newest messages that are not the model's as ends of a cacheable prefix.

    The provider caches what precedes a mark, and finds it again where a later request has a mark at most twenty
    blocks further on; four marks are allowed (https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching,
    https://openrouter.ai/docs/features/prompt-caching).
    """
    markable = [
        index
        for index, message in enumerate(messages)
        if message["role"] != "assistant" and message["content"]
    ]
    marked = {*markable[:1], *markable[1:][-_NEWEST_MARKS:]}
    return [_add_mark(message) if index in marked else message for index, message in enumerate(messages)]


def _add_mark(message: Message) -> Message:
    content = message["content"]
    parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
    last_text = max((index for index, part in enumerate(parts) if part.get("type") == "text"), default=-1)
    mark = {"cache_control": {"type": "ephemeral"}}
    return {
        **message,
        "content": [{**part, **mark} if index == last_text else part for index, part in enumerate(parts)],
    }


def _without_system_role(messages: Sequence[Message]) -> list[Message]:
    """Put the system message at the head of the first user message, whose images stay."""
    if len(messages) < 2 or messages[0]["role"] != "system":
        return list(messages)
    system, first, *rest = messages
    text = str(system["content"])
    if first["role"] != "user":
        return [{"role": "user", "content": text}, first, *rest]
    content = first["content"]
    if isinstance(content, list):
        return [{**first, "content": [{"type": "text", "text": text}, *content]}, *rest]
    return [{**first, "content": f"{text}\n\n{content}"}, *rest]


def _bridge_results(messages: Sequence[Message]) -> list[Message]:
    messages_with_bridges = list(messages[:1])
    for previous, message in pairwise(messages):
        messages_with_bridges += [BRIDGE, message] if needs_bridge(previous, message) else [message]
    return messages_with_bridges


def _with_newest_images(messages: Sequence[Message], most: int) -> list[Message]:
    newest_first: list[Message] = []
    for message in reversed(messages):
        content = message["content"]
        if isinstance(content, list):
            parts: list[dict[str, Any]] = []
            for part in reversed(content):
                if part.get("type") == "image_url":
                    part = part if most > 0 else {"type": "text", "text": "[An image that cannot be sent.]"}
                    most -= 1
                parts.append(part)
            message: Message = {**message, "content": parts[::-1]}
        newest_first.append(message)
    return newest_first[::-1]


def _with_reasoning(message: Message, *, replays: bool) -> Message:
    if message["role"] != "assistant":
        return message
    if replays:
        return {**message, "reasoning_content": message.get("reasoning_content") or _NO_THOUGHT}
    without: Any = {name: value for name, value in message.items() if name != "reasoning_content"}
    return without


def _with_signatures(message: Message) -> Message:
    calls = message.get("tool_calls")
    if not calls:
        return message
    return {**message, "tool_calls": [{"extra_content": _UNSIGNED, **call} for call in calls]}


def needs_bridge(previous: Message, message: Message) -> bool:
    return previous["role"] == "tool" and message["role"] == "user"
