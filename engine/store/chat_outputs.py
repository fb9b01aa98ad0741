"""The output of a turn: its runs with their files, and the chat's workflow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..context.ledger import output_files
from .database import Database
from .log.event_log import EventRow
from .rows import require_thread

if TYPE_CHECKING:
    from sqlalchemy import Connection

_MOST_RUNS = 4


@dataclass(frozen=True)
class ChatRun:
    """A run that left files: its one-line summary, and the names of the files."""

    summary: str
    files: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        return {"summary": self.summary, "files": list(self.files)}


@dataclass(frozen=True)
class ChatOutput:
    """The file of the chat's workflow, "" if none was saved, and the newest runs of a turn."""

    workflow: str
    runs: tuple[ChatRun, ...]


class ChatOutputs:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, thread_id: str, message_id: str) -> ChatOutput:
        """Return the output of the turn that a message belongs to, at most four runs, newest first.

        Raises:
            RequestError: `unknown_thread`.
        """
        return await self._database.run(_output_of_turn, thread_id, message_id)


def _output_of_turn(connection: Connection, thread_id: str, message_id: str) -> ChatOutput:
    from .schema import event

    thread = require_thread(connection, thread_id)
    names = [message_id, *_answer_ids(connection, thread_id, message_id)]
    results = event.select().where(
        event.c.thread_id == thread_id, event.c.message_id.in_(names), event.c.kind.in_(("result", "step"))
    )
    runs: list[ChatRun] = []
    for row in connection.execute(results.order_by(event.c.seq.desc())):
        read, _ = EventRow(row.seq, row.kind, row.message_id, row.payload, row.created_at).read()
        payload = read.payload if read else {}
        for result in payload.get("parts", [payload]):
            output = result.get("output")
            if files := output_files(output):
                runs.append(ChatRun(str(output.get("summary") or ""), tuple(files)))
    return ChatOutput(thread.workflow or "", tuple(runs[:_MOST_RUNS]))


def _answer_ids(connection: Connection, thread_id: str, message_id: str) -> list[str]:
    """Return the id of the answer to a user's message, as a list of one; [] for any other message."""
    from sqlalchemy import select

    from .schema import message

    said = connection.execute(
        message.select().where(message.c.thread_id == thread_id, message.c.message_id == message_id)
    ).first()
    if said is None or said.role != "user":
        return []
    later = select(message.c.message_id, message.c.role).where(
        message.c.thread_id == thread_id, message.c.seq > said.seq
    )
    following = connection.execute(later.order_by(message.c.seq).limit(1)).first()
    return [following.message_id] if following and following.role == "assistant" else []
