"""The event log of a thread, and the conversation that it amounts to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ..messages import Part, UIMessage, answer_metadata

Kind = Literal["user", "step", "result", "data", "metadata", "rewind", "switch"]


@dataclass(frozen=True)
class LogEvent:
    """One entry. What `payload` holds depends on `kind`:

    - user: the UIMessage, its metadata where there is some
    - step: `{"parts": […]}`, one model reply of the assistant message, its `step-start` first
    - result: the settled fields of a browser tool's part: `{"toolCallId", "state", "output" | "errorText"}`
    - data: `{"part": {…}}`, a notice or an error that stands in the assistant message
    - metadata: `{"model", "steps", "usage"}`, what is known of the whole answer
    - rewind: nothing; a branch begins at the end of `message_id`, or at the start where that is empty
    - switch: `{"branch"}`; that branch goes on from where it was left
    """

    kind: Kind
    message_id: str
    payload: dict[str, Any]


def fold(events: Iterable[LogEvent], conversation: Sequence[UIMessage] = ()) -> list[UIMessage]:
    """What a conversation becomes by the events of one branch.

    Those that refer to what is not there are passed over; which events make a branch is for `branches.py` to say.
    """
    messages = [_copied(message) for message in conversation]
    for event in events:
        if event.kind == "user":
            parts = [dict(part) for part in event.payload["parts"]]
            message = UIMessage(id=event.message_id, role="user", parts=parts)
            if metadata := event.payload.get("metadata"):
                message["metadata"] = metadata
            messages.append(message)
        elif event.kind == "rewind":
            del messages[_position_after(messages, event.message_id) :]
        elif event.kind == "result":
            _settle(messages, event.payload)
        elif event.kind == "metadata":
            _assistant(messages, event.message_id)["metadata"] = answer_metadata(event.payload)
        elif event.kind == "step":
            _assistant(messages, event.message_id)["parts"].extend(
                dict(part) for part in event.payload["parts"]
            )
        elif event.kind == "data":
            _assistant(messages, event.message_id)["parts"].append(dict(event.payload["part"]))
    return messages


def _copied(message: UIMessage) -> UIMessage:
    return {**message, "parts": [dict(part) for part in message["parts"]]}


def _position_after(messages: list[UIMessage], message_id: str) -> int:
    if not message_id:
        return 0
    return next((i + 1 for i, message in enumerate(messages) if message["id"] == message_id), len(messages))


def _assistant(messages: list[UIMessage], message_id: str) -> UIMessage:
    last = messages[-1] if messages else None
    if last is not None and last["role"] == "assistant" and last["id"] == message_id:
        return last
    message = UIMessage(id=message_id, role="assistant", parts=[])
    messages.append(message)
    return message


def _settle(messages: list[UIMessage], settled: Part) -> None:
    for message in reversed(messages):
        for part in message["parts"]:
            if part.get("toolCallId") == settled["toolCallId"]:
                part.update(settled)
                return
