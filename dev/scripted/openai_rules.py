"""What OpenAI's API refuses in a chat request, and what other strict servers refuse with it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from .refusal import Body, Refusal

_KNOWN_PARAMETERS = {
    "audio",
    "frequency_penalty",
    "function_call",
    "functions",
    "logit_bias",
    "logprobs",
    "max_completion_tokens",
    "max_tokens",
    "messages",
    "metadata",
    "modalities",
    "model",
    "n",
    "parallel_tool_calls",
    "prediction",
    "presence_penalty",
    "prompt_cache_key",
    "prompt_cache_retention",
    "reasoning_effort",
    "response_format",
    "safety_identifier",
    "seed",
    "service_tier",
    "stop",
    "store",
    "stream",
    "stream_options",
    "temperature",
    "tool_choice",
    "tools",
    "top_logprobs",
    "top_p",
    "user",
    "verbosity",
    "web_search_options",
}
_MESSAGE_KEYS = {
    "system": {"role", "content", "name"},
    "developer": {"role", "content", "name"},
    "user": {"role", "content", "name"},
    "assistant": {"role", "content", "name", "tool_calls", "refusal", "audio"},
    "tool": {"role", "content", "tool_call_id", "name"},
}
_REPLAYED_KEYS = {"reasoning_content", "reasoning", "reasoning_details", "extra_content"}
_CONTENT_TYPES = {
    "system": {"text"},
    "developer": {"text"},
    "user": {"text", "image_url", "input_audio", "file"},
    "assistant": {"text", "refusal"},
    "tool": {"text"},
}
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_LONGEST_CALL_ID = 40


def openai_rule(body: Body) -> Iterator[Refusal]:
    if place := _lone_surrogate(body):
        yield Refusal(f"'{place}' holds half of a surrogate pair, which is no text.", place)
    for name in body:
        if name not in _KNOWN_PARAMETERS:
            yield Refusal(f"Unrecognized request argument supplied: {name}.", name, "unknown_parameter")
    if not isinstance(body.get("model"), str) or not body["model"]:
        yield Refusal("you must provide a model parameter", "model")
    yield from _options(body)
    yield from _tools(body)
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        yield Refusal(
            "'messages' is missing or empty; expected an array with at least one message.", "messages"
        )
        return
    for number, message in enumerate(messages):
        yield from _message(message, f"messages[{number}]")
    yield from _pairs(messages)


def _options(body: Body) -> Iterator[Refusal]:
    if not isinstance(body.get("stream", False), (bool, type(None))):
        yield Refusal("'stream' must be a boolean.", "stream", "invalid_type")
    if body.get("stream_options") is not None and not body.get("stream"):
        yield Refusal(
            "The 'stream_options' parameter is only allowed when 'stream' is enabled.", "stream_options"
        )
    if body.get("max_tokens") is not None and body.get("max_completion_tokens") is not None:
        yield Refusal("Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.")
    for name in ("max_tokens", "max_completion_tokens"):
        value = body.get(name)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 1):
            yield Refusal(f"'{name}' is {value!r}; expected an integer of at least 1.", name, "invalid_value")
    for name, high in (("temperature", 2), ("top_p", 1)):
        value = body.get(name)
        if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float))):
            yield Refusal(f"'{name}' is {value!r}; expected a number.", name, "invalid_type")
        elif value is not None and not 0 <= value <= high:
            yield Refusal(
                f"'{name}' is {value!r}; expected a number from 0 to {high}.", name, "invalid_value"
            )


def _tools(body: Body) -> Iterator[Refusal]:
    tools = body.get("tools")
    if tools is None:
        for name in ("tool_choice", "parallel_tool_calls"):
            if body.get(name) is not None:
                yield Refusal(f"'{name}' is only allowed when 'tools' are specified.", name)
        return
    if not isinstance(tools, list) or not tools:
        yield Refusal("'tools' is empty; expected an array with at least one tool, or no 'tools'.", "tools")
        return
    names: set[str] = set()
    for number, tool in enumerate(tools):
        place = f"tools[{number}]"
        function = tool.get("function") if isinstance(tool, dict) else None
        if not isinstance(function, dict) or tool.get("type") != "function":
            yield Refusal(f"'{place}' is not a tool of type function.", place)
            return
        yield from _function(function, place)
        if function.get("name") in names:
            yield Refusal(
                f"'{place}': the name {function.get('name')!r} is used twice.", f"{place}.function.name"
            )
        names.add(str(function.get("name")))
    choice = body.get("tool_choice")
    named = choice.get("function", {}).get("name") if isinstance(choice, dict) else None
    if choice is not None and choice not in ("none", "auto", "required") and named not in names:
        yield Refusal(
            f"'tool_choice' is {choice!r}; expected none, auto, required or one of the tools.", "tool_choice"
        )


def _function(function: dict[str, Any], place: str) -> Iterator[Refusal]:
    if not isinstance(function.get("name"), str) or not _NAME.fullmatch(function["name"]):
        yield Refusal(
            f"'{place}.function.name' does not match '^[a-zA-Z0-9_-]{{1,64}}$'.", f"{place}.function.name"
        )
    if len(function.get("description") or "") > 1024:
        yield Refusal(f"'{place}.function.description' is longer than 1024 characters.", place)
    parameters = function.get("parameters")
    if parameters is not None and (not isinstance(parameters, dict) or parameters.get("type") != "object"):
        yield Refusal(f"'{place}.function.parameters' is not a schema of type object.", place)


def _message(message: Any, place: str) -> Iterator[Refusal]:
    role = message.get("role") if isinstance(message, dict) else None
    if role not in _MESSAGE_KEYS:
        yield Refusal(
            f"'{place}.role' is {role!r}; expected one of {', '.join(_MESSAGE_KEYS)}.", f"{place}.role"
        )
        return
    for key in message:
        if key not in _MESSAGE_KEYS[role] and not (role == "assistant" and key in _REPLAYED_KEYS):
            yield Refusal(
                f"Additional properties are not allowed ('{key}' was unexpected) - '{place}'.", place
            )
    if "tool_calls" in message:
        yield from _calls(message["tool_calls"], place)
    if message.get("content") is not None or not message.get("tool_calls"):
        yield from _content(message.get("content"), role, place)
    if role == "tool" and not message.get("tool_call_id"):
        yield Refusal(f"Missing parameter '{place}.tool_call_id'.", f"{place}.tool_call_id")


def _content(content: Any, role: str, place: str) -> Iterator[Refusal]:
    place = f"{place}.content"
    if content is None or content == "" or content == []:
        yield Refusal(f"'{place}' of a message with role '{role}' is empty.", place)
    elif isinstance(content, list):
        for number, part in enumerate(content):
            kind = part.get("type") if isinstance(part, dict) else None
            if kind not in _CONTENT_TYPES[role]:
                yield Refusal(
                    f"'{place}[{number}].type' is {kind!r}, which role '{role}' cannot have.", place
                )
            elif kind == "text" and not part.get("text"):
                yield Refusal(f"'{place}[{number}].text' is empty.", place)
    elif not isinstance(content, str):
        yield Refusal(f"'{place}' is neither a string nor an array of parts.", place)


def _calls(calls: Any, place: str) -> Iterator[Refusal]:
    place = f"{place}.tool_calls"
    if not isinstance(calls, list) or not calls:
        yield Refusal(f"'{place}' is empty; expected at least one call, or no 'tool_calls'.", place)
        return
    for number, call in enumerate(calls):
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(function, dict) or call.get("type") != "function":
            yield Refusal(f"'{place}[{number}]' is not a call of type function.", place)
            return
        identifier = call.get("id")
        if not isinstance(identifier, str) or not 1 <= len(identifier) <= _LONGEST_CALL_ID:
            yield Refusal(
                f"'{place}[{number}].id' is {identifier!r}; expected 1 to {_LONGEST_CALL_ID} characters.",
                place,
            )
        if not isinstance(function.get("name"), str) or not _NAME.fullmatch(function["name"]):
            yield Refusal(
                f"'{place}[{number}].function.name' is {function.get('name')!r}, which is no name.", place
            )
        if not _is_json_object(function.get("arguments")):
            yield Refusal(f"'{place}[{number}].function.arguments' is not a JSON object in a string.", place)


def _pairs(messages: list[Body]) -> Iterator[Refusal]:
    """Each call is answered once, at once: between a call and its results there is nothing else."""
    open_calls: list[str] = []
    seen: set[str] = set()
    for number, message in enumerate(messages):
        place = f"messages[{number}]"
        if message["role"] == "tool":
            if message["tool_call_id"] not in open_calls:
                yield Refusal(
                    "messages with role 'tool' must be a response to a preceeding message with 'tool_calls': "
                    f"'{place}' answers {message['tool_call_id']!r}, which is not waiting for a result.",
                    place,
                )
                return
            open_calls.remove(message["tool_call_id"])
            continue
        if open_calls:
            yield _unanswered(open_calls)
            return
        open_calls = [call["id"] for call in message.get("tool_calls") or ()]
        for identifier in open_calls:
            if identifier in seen:
                yield Refusal(f"'{place}.tool_calls' uses the id {identifier!r} a second time.", place)
            seen.add(identifier)
    if open_calls:
        yield _unanswered(open_calls)


def _unanswered(calls: list[str]) -> Refusal:
    return Refusal(
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
        f"'tool_call_id'. The following tool_call_ids did not have response messages: {', '.join(calls)}",
        "messages",
    )


def _lone_surrogate(body: Body) -> str | None:
    values: list[tuple[str, Any]] = [("body", body)]
    while values:
        place, value = values.pop()
        if isinstance(value, str) and _SURROGATE.search(value):
            return place
        if isinstance(value, dict):
            values += [(f"{place}.{key}", child) for key, child in value.items()]
        elif isinstance(value, list):
            values += [(f"{place}[{number}]", child) for number, child in enumerate(value)]
    return None


def _is_json_object(text: Any) -> bool:
    try:
        return isinstance(text, str) and isinstance(json.loads(text), dict)
    except ValueError:
        return False
