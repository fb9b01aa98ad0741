"""Runs in a context of their own: the task that each was given, and what came of it."""

from __future__ import annotations

import secrets
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ..messages import Message
from .database import Database
from .known_thread import require_thread
from .stored_text import pack, read_json, stored_json, stored_text, unpack

if TYPE_CHECKING:
    from sqlalchemy import Connection

RunStatus = Literal["running", "done", "failed", "cancelled"]
Outcome = Literal["done", "failed", "cancelled"]


@dataclass(frozen=True)
class Run:
    """`messages` is the run's own conversation with the model; times are in seconds since the epoch."""

    id: str
    parent_run_id: str | None
    task: str
    inputs: dict[str, Any]
    status: RunStatus
    result: Any
    messages: list[Message]
    steps: int
    tokens: int
    started_at: float
    ended_at: float | None

    def as_json(self) -> dict[str, Any]:
        optional = {"result": self.result, "messages": self.messages}
        return {
            "id": self.id,
            "parentRunId": self.parent_run_id,
            "task": self.task,
            "inputs": self.inputs,
            "status": self.status,
            "steps": self.steps,
            "tokens": self.tokens,
            "startedAt": self.started_at,
            "endedAt": self.ended_at,
            **{name: value for name, value in optional.items() if value},
        }


class Runs:
    """A run that is not one of this process and has not ended is cancelled: its process went away under it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._running: set[str] = set()

    async def begin(
        self, thread_id: str, parent_run_id: str | None, task: str, inputs: Mapping[str, Any]
    ) -> str:
        """Write down that a run begins; its id.

        Raises:
            RequestError: `unknown_thread`.
        """
        run_id = f"run_{secrets.token_hex(12)}"
        self._running.add(run_id)
        await self._database.run(
            _begin,
            thread_id,
            id=run_id,
            parent_run_id=parent_run_id,
            task=stored_text(task),
            inputs=stored_json(dict(inputs)),
        )
        return run_id

    async def finish(
        self,
        run_id: str,
        status: Outcome,
        *,
        result: Any,
        messages: Sequence[Message],
        steps: int,
        tokens: int,
    ) -> None:
        """Write down how a run ended. Of a thread that was deleted meanwhile there is nothing to write."""
        await self._database.run(
            _finish,
            run_id,
            status=status,
            result=result,
            messages=messages,
            steps=steps,
            tokens=tokens,
        )
        self._running.discard(run_id)

    async def tree(self, thread_id: str) -> list[Run]:
        """The runs of a thread in the order in which they began, so each comes after its parent.

        Raises:
            RequestError: `unknown_thread`.
        """
        return await self._database.run(_runs_of, thread_id, running=self._running)


def _begin(connection: Connection, thread_id: str, **values: Any) -> None:
    from .schema import run

    require_thread(connection, thread_id)
    began = {"status": "running", "steps": 0, "tokens": 0, "started_at": time.time()}
    connection.execute(run.insert().values(thread_id=thread_id, **began, **values))


def _finish(
    connection: Connection, run_id: str, *, result: Any, messages: Sequence[Message], **values: Any
) -> None:
    from .schema import run

    connection.execute(
        run.update()
        .where(run.c.id == run_id)
        .values(
            result=stored_json(result),
            messages=pack(stored_json(list(messages))),
            ended_at=time.time(),
            **values,
        )
    )


def _runs_of(connection: Connection, thread_id: str, *, running: Collection[str]) -> list[Run]:
    from .schema import run

    require_thread(connection, thread_id)
    rows = connection.execute(run.select().where(run.c.thread_id == thread_id).order_by(run.c.seq))
    return [_run(row, is_abandoned=row.status == "running" and row.id not in running) for row in rows]


def _run(row: Any, *, is_abandoned: bool) -> Run:
    return Run(
        id=row.id,
        parent_run_id=row.parent_run_id,
        task=row.task,
        inputs=read_json(row.inputs, {}),
        status="cancelled" if is_abandoned else row.status,
        result=read_json(row.result, None),
        messages=read_json(unpack(row.messages), []),
        steps=row.steps,
        tokens=row.tokens,
        started_at=row.started_at,
        ended_at=row.ended_at,
    )
