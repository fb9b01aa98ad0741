"""The two message shapes: AI SDK UIMessages (panel and log) and OpenAI chat messages (provider)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypedDict

from typing_extensions import NotRequired

Part = dict[str, Any]
"""A part of a UIMessage: `{"type": "text", "text": …}`, `{"type": "tool-<name>", "toolCallId": …}` and so on."""


class UIMessage(TypedDict):
    id: str
    role: Literal["system", "user", "assistant"]
    parts: list[Part]
    metadata: NotRequired[dict[str, Any]]


def answer_metadata(about: Mapping[str, Any]) -> dict[str, Any]:
    """Return the metadata of an assistant message from the log's record `about` it.

    assistant-ui reads some names, `steps` among them, as its own, and leaves `custom` to applications.
    """
    return {"custom": dict(about)}


class FunctionCall(TypedDict):
    name: str
    arguments: str


class ToolCallMessage(TypedDict):
    id: str
    type: Literal["function"]
    function: FunctionCall
    extra_content: NotRequired[dict[str, Any]]


class Message(TypedDict):
    """An OpenAI chat message. `content` is text, a list of content parts, or None beside tool calls.

    `reasoning_content` is the reasoning before the calls; only providers that insist on it get it back.
    """

    role: Literal["system", "user", "assistant", "tool"]
    content: str | list[dict[str, Any]] | None
    tool_calls: NotRequired[list[ToolCallMessage]]
    tool_call_id: NotRequired[str]
    reasoning_content: NotRequired[str]


SETTLED_STATES = ("output-available", "output-error", "output-denied")


def is_tool_part(part: Part) -> bool:
    kind = part.get("type", "")
    return kind == "dynamic-tool" or kind.startswith("tool-")


def tool_name(part: Part) -> str:
    """Return the name of a tool part's tool. Names may hold dashes, so only the prefix is cut."""
    return part["toolName"] if part["type"] == "dynamic-tool" else part["type"].removeprefix("tool-")


def tool_parts(message: UIMessage) -> Iterator[Part]:
    return (part for part in message["parts"] if is_tool_part(part))


def pending_calls(message: UIMessage) -> list[Part]:
    """The calls of an assistant message that have no result yet."""
    return [part for part in tool_parts(message) if part["state"] not in SETTLED_STATES]


def message_text(message: UIMessage) -> str:
    return "\n\n".join(part["text"] for part in message["parts"] if part["type"] == "text")


def answer_text(parts: Iterable[Part]) -> str:
    """Return the text of a step's parts, without the parts that are blank."""
    return "\n\n".join(part["text"] for part in parts if part["type"] == "text" and part["text"].strip())


def user_count(conversation: Iterable[UIMessage]) -> int:
    """Count the user messages: the number in the handle of the newest one."""
    return sum(message["role"] == "user" for message in conversation)


def dump(value: Any, *, in_order: bool = False) -> str:
    """Serialize tool arguments and results as compact JSON with text left readable.

    `in_order` sorts the names, so that equal values give equal texts.
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=in_order)


def last_user_index(messages: Sequence[UIMessage]) -> int:
    """Return the position of the newest user message, or -1."""
    return next((i for i in range(len(messages) - 1, -1, -1) if messages[i]["role"] == "user"), -1)
