"""What single kinds of servers refuse on top; a scenario lists the rules of the server that it imitates."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any

from .refusal import Body, Refusal, Rule

_REPLAYED_KEYS = {"reasoning_content", "reasoning", "reasoning_details", "extra_content"}


def _calls_of(body: Body) -> Iterator[tuple[str, Body]]:
    for number, message in enumerate(body["messages"]):
        for call in message.get("tool_calls") or ():
            yield f"messages[{number}]", call


def _mistral(body: Body) -> Iterator[Refusal]:
    for place, call in _calls_of(body):
        if not re.fullmatch(r"[A-Za-z0-9]{9}", call["id"]):
            message = f"Tool call id was {call['id']} but must be a-z, A-Z, 0-9, with a length of 9."
            yield Refusal(message, place, "3280")
    roles = [message["role"] for message in body["messages"]]
    for before, role in itertools.pairwise(roles):
        if before == "tool" and role in ("user", "system"):
            yield Refusal(f"Unexpected role '{role}' after role 'tool'", "messages", "3230")


def _alternating(body: Body) -> Iterator[Refusal]:
    roles = [message["role"] for message in body["messages"]]
    if "developer" in roles or "system" in roles[1:]:
        yield Refusal("System message must be at the beginning.", "messages", status=500)
    spoken = [
        message["role"]
        for message in body["messages"]
        if message["role"] in ("user", "assistant") and not message.get("tool_calls")
    ]
    repeated = any(role == before for before, role in itertools.pairwise(spoken))
    if repeated or spoken[:1] != ["user"]:
        yield Refusal(
            "Conversation roles must alternate user/assistant/user/assistant/...", "messages", status=500
        )


def _no_system_role(body: Body) -> Iterator[Refusal]:
    if any(message["role"] in ("system", "developer") for message in body["messages"]):
        yield Refusal("System role not supported", "messages", status=500)
    yield from _alternating(body)


def _no_streamed_tools(body: Body) -> Iterator[Refusal]:
    if body.get("stream") and body.get("tools"):
        yield Refusal("Streaming is not supported together with tools.", "stream")


def _no_stream_options(body: Body) -> Iterator[Refusal]:
    if body.get("stream_options") is not None:
        message = "Unrecognized request argument supplied: stream_options"
        yield Refusal(message, "stream_options", "unknown_parameter")


def _max_completion_tokens(body: Body) -> Iterator[Refusal]:
    if "max_tokens" in body:
        message = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens'."
        yield Refusal(message, "max_tokens", "unsupported_parameter")
    if body.get("temperature") not in (None, 1):
        message = "Unsupported value: 'temperature' does not support this value with this model. Only 1 is supported."
        yield Refusal(message, "temperature", "unsupported_value")


def _reasoning_replayed(body: Body) -> Iterator[Refusal]:
    for number, message in enumerate(body["messages"]):
        if message["role"] == "assistant" and "reasoning_content" not in message:
            wanted = "The reasoning_content in the thinking mode must be passed back to the API."
            yield Refusal(wanted, f"messages[{number}]")


def _kimi_thinks(body: Body) -> Iterator[Refusal]:
    if body.get("tool_choice") not in (None, "auto", "none"):
        yield Refusal("tool_choice 'specified' is incompatible with thinking enabled", "tool_choice")
    for number, message in enumerate(body["messages"]):
        if message.get("tool_calls") and not message.get("reasoning_content"):
            missing = (
                "thinking is enabled but reasoning_content is missing in assistant tool call message at index"
            )
            yield Refusal(f"{missing} {number}", f"messages[{number}]")


def _reasoning_refused(body: Body) -> Iterator[Refusal]:
    for number, message in enumerate(body["messages"]):
        for key in sorted(_REPLAYED_KEYS & message.keys()):
            yield Refusal(
                f"'messages.{number}' : property '{key}' is unsupported", f"messages[{number}].{key}"
            )


def _signatures_replayed(body: Body) -> Iterator[Refusal]:
    for place, call in _calls_of(body):
        if not (call.get("extra_content") or {}).get("google", {}).get("thought_signature"):
            message = f"Function call is missing a thought_signature in functionCall parts: {call['function']['name']}."
            yield Refusal(message, place, "INVALID_ARGUMENT")


def _kimi_ids(body: Body) -> Iterator[Refusal]:
    for place, call in _calls_of(body):
        if not re.fullmatch(r"(functions\.)?[\w-]+:\d+", call["id"]):
            yield Refusal(f"The id {call['id']!r} is not the one that the model gave the call.", place)


def _images_of(body: Body) -> list[Body]:
    contents = [
        message["content"] for message in body["messages"] if isinstance(message.get("content"), list)
    ]
    return [part for content in contents for part in content if part["type"] == "image_url"]


def _no_images(body: Body) -> Iterator[Refusal]:
    if _images_of(body):
        message = "image input is not supported - hint: you may need to provide the mmproj"
        yield Refusal(message, "messages", status=500)


def _one_image(body: Body) -> Iterator[Refusal]:
    if len(_images_of(body)) > 1:
        yield Refusal("At most 1 image(s) may be provided in one request.", "messages")


def _no_tools(body: Body) -> Iterator[Refusal]:
    if "tools" in body:
        yield Refusal(f"registry.ollama.ai/library/{body['model']} does not support tools", "tools")


def _string_tool_choice(body: Body) -> Iterator[Refusal]:
    if isinstance(body.get("tool_choice"), dict):
        message = "Invalid tool_choice type: 'object'. Supported string values: none, auto, required"
        yield Refusal(message, "tool_choice")


def _plain_schemas(body: Body) -> Iterator[Refusal]:
    refused = {
        "$schema",
        "additionalProperties",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "propertyNames",
        "const",
    }
    for number, tool in enumerate(body.get("tools") or ()):
        for schema in _schemas(tool["function"].get("parameters")):
            if found := sorted(refused & schema.keys()):
                message = f'Unknown name "{found[0]}" at tools[{number}]: Cannot find field.'
                yield Refusal(message, f"tools[{number}]", "INVALID_ARGUMENT")
            if isinstance(schema.get("type"), list):
                yield Refusal(f"tools[{number}]: 'type' is a list; expected one type.", f"tools[{number}]")


def _no_short_replies(body: Body) -> Iterator[Refusal]:
    if body.get("max_tokens") == 1:
        yield Refusal("max_tokens must be at least 16.", "max_tokens")


def _schemas(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        yield schema
        for key, value in schema.items():
            children = value.values() if key == "properties" and isinstance(value, dict) else [value]
            for child in children:
                yield from _schemas(child)
    elif isinstance(schema, list):
        for child in schema:
            yield from _schemas(child)


DIALECT_RULES: dict[str, Rule] = {
    "mistral": _mistral,
    "alternating-roles": _alternating,
    "no-system-role": _no_system_role,
    "no-streamed-tools": _no_streamed_tools,
    "no-stream-options": _no_stream_options,
    "max-completion-tokens": _max_completion_tokens,
    "reasoning-replayed": _reasoning_replayed,
    "kimi-thinks": _kimi_thinks,
    "reasoning-refused": _reasoning_refused,
    "signatures-replayed": _signatures_replayed,
    "kimi-ids": _kimi_ids,
    "no-tools": _no_tools,
    "no-images": _no_images,
    "one-image": _one_image,
    "string-tool-choice": _string_tool_choice,
    "plain-schemas": _plain_schemas,
    "no-short-replies": _no_short_replies,
}
