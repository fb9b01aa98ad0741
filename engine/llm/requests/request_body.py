"""The body of a request for one endpoint. What is stored and planned is the same for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from ...base.messages import Message
from .endpoint_rules import EndpointRules, needs_bridge

_NEWEST_MARKS = 3
BRIDGE: Message = {"role": "assistant", "content": "(I have these results.)"}
"""The message between results and a user message, for endpoints that want one."""


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
        return {**message, "reasoning_content": message.get("reasoning_content", "")}
    without: Any = {name: value for name, value in message.items() if name != "reasoning_content"}
    return without
