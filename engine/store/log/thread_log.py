"""The event log of a thread, and the conversation that its events make."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ...base.messages import UIMessage, answer_metadata

Kind = Literal["user", "step", "result", "data", "metadata", "rewind", "switch"]


@dataclass(frozen=True)
class LogEvent:
    """An event of the log. The content of `payload` depends on `kind`:

    - user: the UIMessage, with its metadata if it has any - step: `{"parts": […]}`, one model reply of the assistant
    message, beginning with its `step-start` - result: the settled fields of a browser tool's part: `{"toolCallId",
    "state", "output" | "errorText"}` - data: `{"part": {…}}`, a notice or an error in the assistant message -
    metadata: `{"model", "steps", "usage"}` of the whole answer - rewind: nothing; a branch begins after the message
    `message_id`, or at the start if that is empty - switch: `{"branch"}`; that branch becomes the current one
    """

    kind: Kind
    message_id: str
    payload: dict[str, Any]


def fold(events: Iterable[LogEvent], conversation: Sequence[UIMessage] = ()) -> list[UIMessage]:
    """Return the conversation with the events of one branch applied; the given conversation is not changed.

    Events that refer to missing messages are skipped. `branches.py` decides which events belong to a branch.
    """
    messages = list(conversation)
    ours: set[int] = set()
    """The identities of messages created here, which may be changed in place."""

    def changeable(index: int) -> UIMessage:
        if id(messages[index]) not in ours:
            messages[index] = {**messages[index], "parts": list(messages[index]["parts"])}
            ours.add(id(messages[index]))
        return messages[index]

    def add(message: UIMessage) -> int:
        messages.append(message)
        ours.add(id(message))
        return len(messages) - 1

    def assistant(message_id: str) -> UIMessage:
        last = messages[-1] if messages else None
        if last is not None and last["role"] == "assistant" and last["id"] == message_id:
            return changeable(len(messages) - 1)
        return messages[add(UIMessage(id=message_id, role="assistant", parts=[]))]

    for event in events:
        if event.kind == "user":
            message = UIMessage(id=event.message_id, role="user", parts=list(event.payload["parts"]))
            if metadata := event.payload.get("metadata"):
                message["metadata"] = metadata
            add(message)
        elif event.kind == "rewind":
            del messages[_position_after(messages, event.message_id) :]
        elif event.kind == "result":
            if place := _place_of_call(messages, event.payload["toolCallId"]):
                index, number = place
                parts = changeable(index)["parts"]
                parts[number] = {**parts[number], **event.payload}
        elif event.kind == "metadata":
            assistant(event.message_id)["metadata"] = answer_metadata(event.payload)
        elif event.kind == "step":
            assistant(event.message_id)["parts"].extend(event.payload["parts"])
        elif event.kind == "data":
            assistant(event.message_id)["parts"].append(event.payload["part"])
    return messages


def _position_after(messages: Sequence[UIMessage], message_id: str) -> int:
    if not message_id:
        return 0
    return next((i + 1 for i, message in enumerate(messages) if message["id"] == message_id), len(messages))


def _place_of_call(messages: Sequence[UIMessage], call_id: str) -> tuple[int, int] | None:
    """Return the index of the newest message with this call, and the index of its part."""
    for index in range(len(messages) - 1, -1, -1):
        for number, part in enumerate(messages[index]["parts"]):
            if part.get("toolCallId") == call_id:
                return index, number
    return None
