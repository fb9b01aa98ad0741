"""The log of a thread as it is stored, and the events that can be read from its rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, cast, get_args

from ...base.errors import RequestError
from ...base.messages import SETTLED_STATES, Part
from ...base.request_body import check_part
from ...base.text.portable_text import portable_json
from ..rows import rows_of_thread
from .thread_log import Kind, LogEvent

if TYPE_CHECKING:
    from sqlalchemy import Connection, Select

UNREADABLE = "(This message was damaged on the disk and could not be read.)"

Damage = tuple[int, str]
"""The `seq` of a damaged row, 0 for data outside the log, and what is wrong with it."""


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
