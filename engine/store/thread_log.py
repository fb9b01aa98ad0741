"""The event log of a thread, and the conversation that it amounts to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ..messages import Part, UIMessage

Kind = Literal["user", "step", "result", "data", "metadata", "rewind"]


@dataclass(frozen=True)
class LogEvent:
    """One entry. What `payload` holds depends on `kind`:

    - user: the UIMessage
    - step: `{"parts": […]}`, one model reply of the assistant message, its `step-start` first
    - result: the settled fields of a browser tool's part: `{"toolCallId", "state", "output" | "errorText"}`
    - data: `{"part": {…}}`, a notice or an error that stands in the assistant message
    - metadata: what the message's metadata becomes
    - rewind: nothing; the conversation goes back to the end of `message_id`, or to its start where that is empty
    """

    kind: Kind
    message_id: str
    payload: dict[str, Any]


def fold(events: Iterable[LogEvent], conversation: Sequence[UIMessage] = ()) -> list[UIMessage]:
    """What a conversation becomes by these events. Those that refer to what is not there are passed over."""
    messages = [_copied(message) for message in conversation]
    for event in events:
        if event.kind == "user":
            payload = event.payload
            messages.append({"id": event.message_id, "role": "user", "parts": payload["parts"]})
        elif event.kind == "rewind":
            del messages[_position_after(messages, event.message_id) :]
        elif event.kind == "result":
            _settle(messages, event.payload)
        elif event.kind == "metadata":
            _assistant(messages, event.message_id)["metadata"] = event.payload
        else:
            parts = event.payload["parts"] if event.kind == "step" else [event.payload["part"]]
            _assistant(messages, event.message_id)["parts"].extend(dict(part) for part in parts)
    return messages


def _copied(message: UIMessage) -> UIMessage:
    return {**message, "parts": [dict(part) for part in message["parts"]]}


def _position_after(messages: list[UIMessage], message_id: str) -> int:
    if not message_id:
        return 0
    return next((i + 1 for i, message in enumerate(messages) if message["id"] == message_id), len(messages))


def _assistant(messages: list[UIMessage], message_id: str) -> UIMessage:
    if messages and messages[-1]["id"] == message_id:
        return messages[-1]
    message = UIMessage(id=message_id, role="assistant", parts=[])
    messages.append(message)
    return message


def _settle(messages: list[UIMessage], settled: Part) -> None:
    for message in reversed(messages):
        for part in message["parts"]:
            if part.get("toolCallId") == settled["toolCallId"]:
                part.update(settled)
                return
