"""UIMessages to OpenAI chat messages, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from ..messages import (
    SETTLED_STATES,
    Message,
    Part,
    ToolCallMessage,
    UIMessage,
    dump,
    is_tool_part,
    text_of,
    tool_name,
    tool_parts,
)
from .repeats import repeat_note, repetitions

NOT_RUN = {
    "ok": False,
    "error": "Not run: the person stopped the assistant, or the tab was closed, before it ended.",
}


def to_openai(messages: Sequence[UIMessage]) -> list[Message]:
    """Convert a conversation so that every provider accepts it.

    Each `step-start` opens a new assistant message, because the steps of a turn happened one after the other. Every
    call is followed by exactly one result: a call that was never answered gets one that says so. The conversation
    begins with a user message, and neighbours of one role are joined, as strict chat templates demand.
    """
    ids = _CallIds()
    notes = repetitions(messages)
    converted = [piece for message in messages for piece in _convert(message, ids, notes)]
    return _begin_with_user(_join_neighbours(converted))


def _convert(message: UIMessage, ids: _CallIds, notes: dict[str, int]) -> Iterator[Message]:
    if message["role"] == "assistant":
        for step in _steps(message["parts"]):
            yield from _convert_step(step, ids, notes)
    elif content := _content(message):
        yield {"role": message["role"], "content": content}


def _steps(parts: Iterable[Part]) -> Iterator[list[Part]]:
    number = 0

    def step_of(part: Part) -> int:
        nonlocal number
        number += part["type"] == "step-start"
        return number

    return (list(step) for _, step in groupby(parts, key=step_of))


def _convert_step(parts: list[Part], ids: _CallIds, notes: dict[str, int]) -> Iterator[Message]:
    text = "\n\n".join(part["text"] for part in parts if part["type"] == "text" and part["text"].strip())
    calls = [part for part in parts if is_tool_part(part)]
    if not calls:
        if text:
            yield {"role": "assistant", "content": text}
        return
    sent_ids = [ids.claim(part) for part in calls]
    message: Message = {
        "role": "assistant",
        "content": text or None,
        "tool_calls": [_call(part, call_id) for part, call_id in zip(calls, sent_ids, strict=True)],
    }
    if thought := "".join(part["text"] for part in parts if part["type"] == "reasoning"):
        message["reasoning_content"] = thought
    yield message
    for part, call_id in zip(calls, sent_ids, strict=True):
        repeats = notes.get(part["toolCallId"], 0)
        content = _result(part) + (f"\n{repeat_note(repeats)}" if repeats else "")
        yield {"role": "tool", "tool_call_id": call_id, "content": content}


def _call(part: Part, call_id: str) -> ToolCallMessage:
    if isinstance(part.get("input"), dict):
        arguments = dump(part["input"])
    else:
        raw = part.get("rawInput", part.get("input"))
        arguments = "{}" if raw in (None, "") else dump({"invalidArguments": raw})
    call: ToolCallMessage = {
        "id": call_id,
        "type": "function",
        "function": {"name": tool_name(part), "arguments": arguments},
    }
    if isinstance(extra := _of_provider(part).get("extraContent"), dict):
        call["extra_content"] = extra
    return call


def _of_provider(part: Part) -> Mapping[str, Any]:
    """What the provider said of this call beside the call, as `stream.parts.call_metadata` keeps it."""
    metadata = part.get("callProviderMetadata")
    own = metadata.get("comfyuiAssistant") if isinstance(metadata, Mapping) else None
    return own if isinstance(own, Mapping) else {}


def _result(part: Part) -> str:
    state = part["state"]
    if state == "output-available":
        output = part.get("output")
        return output if isinstance(output, str) and output else dump(output)
    if state == "output-error":
        return dump({"ok": False, "error": part.get("errorText") or "The tool failed without saying why."})
    if state == "output-denied":
        return dump({"ok": False, "error": "The person refused this call."})
    return dump(NOT_RUN)


def _content(message: UIMessage) -> str | list[dict[str, Any]]:
    text = text_of(message)
    files = [part for part in message["parts"] if part["type"] == "file"]
    if not files:
        return text
    content: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
    return content + [_file(part) for part in files]


def _file(part: Part) -> dict[str, Any]:
    if part["mediaType"].startswith("image/"):
        return {"type": "image_url", "image_url": {"url": part["url"]}}
    return {
        "type": "text",
        "text": f'[Attached file: "{part.get("filename", "unnamed")}", {part["mediaType"]}]',
    }


class _CallIds:
    """Call ids as the provider knows them, made unique: some providers repeat theirs in every turn."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def claim(self, part: Part) -> str:
        own = _of_provider(part).get("callId")
        wanted = own if isinstance(own, str) and own else part["toolCallId"]
        chosen = wanted if wanted not in self._taken else part["toolCallId"]
        number = 2
        while chosen in self._taken:
            chosen = f"{part['toolCallId']}-{number}"
            number += 1
        self._taken.add(chosen)
        return chosen


def _join_neighbours(messages: Iterable[Message]) -> list[Message]:
    joined: list[Message] = []
    for message in messages:
        last = joined[-1] if joined else None
        if (
            last
            and last["role"] == message["role"]
            and message["role"] in ("user", "assistant")
            and not (last.get("tool_calls") or message.get("tool_calls"))
        ):
            joined[-1] = {"role": message["role"], "content": _joined(last["content"], message["content"])}
        else:
            joined.append(message)
    return joined


def _joined(first: Any, second: Any) -> str | list[dict[str, Any]]:
    if isinstance(first, str) and isinstance(second, str):
        return f"{first}\n\n{second}"
    return [*_as_parts(first), *_as_parts(second)]


def _as_parts(content: Any) -> list[dict[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content or [])


def _begin_with_user(messages: list[Message]) -> list[Message]:
    first = next((i for i, message in enumerate(messages) if message["role"] == "user"), len(messages))
    return [message for message in messages[:first] if message["role"] == "system"] + messages[first:]


def pending_calls(message: UIMessage) -> list[Part]:
    """The calls of an assistant message that have no result yet."""
    return [part for part in tool_parts(message) if part["state"] not in SETTLED_STATES]
