"""The event log of a thread: its rows, the events that can be read from them, and the conversation that these make."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from ...base.errors import RequestError
from ...base.messages import SETTLED_STATES, Part, UIMessage, answer_metadata
from ...base.request_body import check_part
from ...base.text.portable_text import portable_json
from ..rows import rows_of_thread

if TYPE_CHECKING:
    from sqlalchemy import Connection, Select

Kind = Literal["user", "step", "result", "data", "metadata", "rewind", "switch"]

UNREADABLE = "(This message was damaged on the disk and could not be read.)"

Damage = tuple[int, str]
"""The `seq` of a damaged row, 0 for data outside the log, and what is wrong with it."""


@dataclass(frozen=True)
class LogEvent:
    """An event of the log. The content of `payload` depends on `kind`:

    - `user`: `{"parts", "metadata"?}` of the user message

    - `step`: `{"parts": […]}`, one model reply of the assistant message, beginning with its `step-start`

    - `result`: the settled fields of a browser tool's part: `{"toolCallId", "state", "output" | "errorText"}`

    - `data`: `{"part": {…}}`, a notice or an error in the assistant message

    - `metadata`: `{"model", "steps", "usage"}` of the whole answer

    - `rewind`: `{}`; a branch begins after the message `message_id`, or at the start if that is empty

    - `switch`: `{"branch"}`; that branch becomes the current one
    """

    kind: Kind
    message_id: str
    payload: dict[str, Any]


@dataclass(frozen=True)
class EventRow:
    """A row of the log. `payload` is its text; `created_at` is in seconds since the epoch."""

    seq: int
    kind: str
    message_id: str
    payload: str
    created_at: float

    def read(self) -> tuple[LogEvent | None, str]:
        """Return the event with its intact parts, and what is wrong with the rest, or "".

        A damaged message stays as an event with a note, since branches begin at messages.
        """
        if self.kind not in get_args(Kind):
            return None, f'it is of the kind "{self.kind}", which this version does not know'
        try:
            payload = portable_json(self.payload)
            problem = "" if isinstance(payload, dict) else f"it holds a JSON {type(payload).__name__}"
        except (ValueError, RecursionError) as error:
            payload, problem = {}, f"it is no JSON: {error}"
        if self.kind in ("user", "step"):
            sound, part_problem = _sound_parts([] if problem else payload.get("parts"))
            instead = {"type": "text", "text": UNREADABLE} if self.kind == "user" else {"type": "step-start"}
            metadata = None if problem else payload.get("metadata")
            problem = problem or part_problem
            payload: dict[str, Any] = {"parts": [instead] if problem and not sound else sound}
            if isinstance(metadata, dict):
                payload["metadata"] = metadata
        elif not problem:
            problem = _problem(self.kind, payload)
            payload = {} if problem else payload
        is_lost = problem and self.kind in ("result", "data", "metadata", "switch")
        return None if is_lost else LogEvent(cast(Kind, self.kind), self.message_id, payload), problem


def read_log(connection: Connection, thread_id: str, *, since: int = 0) -> list[EventRow]:
    """Return the log of a thread in order, from the event `since` on."""
    return [EventRow(*row) for row in connection.execute(_log_since(), {"of": thread_id, "since": since})]


@cache
def _log_since() -> Select[Any]:
    from sqlalchemy import bindparam

    from ..schema import event

    columns = (event.c.seq, event.c.kind, event.c.message_id, event.c.payload, event.c.created_at)
    return rows_of_thread(event, *columns).where(event.c.seq >= bindparam("since"))


def _sound_parts(parts: Any) -> tuple[list[Part], str]:
    if not isinstance(parts, list):
        return [], "it has no list of parts"
    problems = [_part_problem(part, f"parts[{index}]") for index, part in enumerate(parts)]
    sound = [part for part, problem in zip(parts, problems, strict=True) if not problem]
    return sound, " ".join(filter(None, problems))


def _problem(kind: str, payload: dict[str, Any]) -> str:
    if kind == "result" and not isinstance(payload.get("toolCallId"), str):
        return "it does not say which call it is the result of"
    if kind == "result" and payload.get("state") not in SETTLED_STATES:
        return "it does not say how its call ended"
    if kind == "data":
        return _part_problem(payload.get("part"), "part")
    if kind == "switch" and not isinstance(payload.get("branch"), str):
        return "it does not say which branch to go on with"
    return ""


def _part_problem(part: Any, place: str) -> str:
    try:
        check_part(part, place)
    except RequestError as error:
        return error.message
    return ""


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
