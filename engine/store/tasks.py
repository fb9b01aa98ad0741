"""Tasks that the assistant delegated, and their outcomes."""

from __future__ import annotations

import secrets
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ..base.messages import Message
from .database import Database
from .rows import pack, read_json, require_thread, stored_json, stored_text, unpack

if TYPE_CHECKING:
    from sqlalchemy import Connection

TaskStatus = Literal["running", "done", "failed", "cancelled"]
Outcome = Literal["done", "failed", "cancelled"]


@dataclass(frozen=True)
class Task:
    """A delegated task. `messages` is its own conversation with the model; times are in seconds since the epoch."""

    id: str
    parent_task_id: str | None
    task: str
    inputs: dict[str, Any]
    status: TaskStatus
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
            "parentTaskId": self.parent_task_id,
            "task": self.task,
            "inputs": self.inputs,
            "status": self.status,
            "steps": self.steps,
            "tokens": self.tokens,
            "startedAt": self.started_at,
            "endedAt": self.ended_at,
            **{name: value for name, value in optional.items() if value},
        }


class Tasks:
    """The delegated tasks of threads. A running task of a process that has ended is shown as canceled."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._running: set[str] = set()

    async def begin(
        self, thread_id: str, parent_task_id: str | None, task: str, inputs: Mapping[str, Any]
    ) -> str:
        """Record that a task begins, and return its id.

        Raises:
            RequestError: `unknown_thread`.
        """
        task_id = f"task_{secrets.token_hex(12)}"
        self._running.add(task_id)
        await self._database.run(
            _begin,
            thread_id,
            id=task_id,
            parent_task_id=parent_task_id,
            task=stored_text(task),
            inputs=stored_json(dict(inputs)),
        )
        return task_id

    async def finish(
        self,
        task_id: str,
        status: Outcome,
        *,
        result: Any,
        messages: Sequence[Message],
        steps: int,
        tokens: int,
    ) -> None:
        """Record how a task ended; of a thread deleted meanwhile, nothing."""
        await self._database.run(
            _finish,
            task_id,
            status=status,
            result=result,
            messages=messages,
            steps=steps,
            tokens=tokens,
        )
        self._running.discard(task_id)

    async def tree(self, thread_id: str) -> list[Task]:
        """Return the tasks of a thread, oldest first, so that each comes after its parent.

        Raises:
            RequestError: `unknown_thread`.
        """
        return await self._database.run(_read_tasks, thread_id, running=self._running)


def _begin(connection: Connection, thread_id: str, **values: Any) -> None:
    from .schema import task

    require_thread(connection, thread_id)
    began = {"status": "running", "steps": 0, "tokens": 0, "started_at": time.time()}
    connection.execute(task.insert().values(thread_id=thread_id, **began, **values))


def _finish(
    connection: Connection, task_id: str, *, result: Any, messages: Sequence[Message], **values: Any
) -> None:
    from .schema import task

    connection.execute(
        task.update()
        .where(task.c.id == task_id)
        .values(
            result=stored_json(result),
            messages=pack(stored_json(list(messages))),
            ended_at=time.time(),
            **values,
        )
    )


def _read_tasks(connection: Connection, thread_id: str, *, running: Collection[str]) -> list[Task]:
    from .schema import task

    require_thread(connection, thread_id)
    rows = connection.execute(task.select().where(task.c.thread_id == thread_id).order_by(task.c.seq))
    return [_task(row, is_abandoned=row.status == "running" and row.id not in running) for row in rows]


def _task(row: Any, *, is_abandoned: bool) -> Task:
    return Task(
        id=row.id,
        parent_task_id=row.parent_task_id,
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
