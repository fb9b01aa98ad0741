from __future__ import annotations

from pathlib import Path

import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.tasks import Tasks


async def test_a_task_is_kept_with_what_came_of_it(database: Database, thread_id: str) -> None:
    tasks = Tasks(database)
    outer = await tasks.begin(thread_id, None, "Find a sampler", {"node": "3"})
    inner = await tasks.begin(thread_id, outer, "Look it up", {})
    messages = [{"role": "user", "content": "Look it up"}, {"role": "assistant", "content": "KSampler 🎉"}]
    await tasks.finish(inner, "done", result={"answer": "KSampler"}, messages=messages, steps=2, tokens=1_200)
    first, second = await tasks.tree(thread_id)
    assert (first.id, first.status, first.inputs, first.ended_at) == (outer, "running", {"node": "3"}, None)
    assert second.as_json() == {
        "id": inner,
        "parentTaskId": outer,
        "task": "Look it up",
        "inputs": {},
        "status": "done",
        "steps": 2,
        "tokens": 1_200,
        "startedAt": second.started_at,
        "endedAt": second.ended_at,
        "result": {"answer": "KSampler"},
        "messages": messages,
    }


async def test_a_task_whose_process_went_away_is_cancelled(
    database: Database, folder: Path, thread_id: str
) -> None:
    task_id = await Tasks(database).begin(thread_id, None, "Never ends", {})
    after_restart = Tasks(Database.in_folder(folder))
    assert [(task.id, task.status) for task in await after_restart.tree(thread_id)] == [
        (task_id, "cancelled")
    ]


async def test_a_task_of_no_thread_is_refused(database: Database) -> None:
    with pytest.raises(RequestError) as caught:
        await Tasks(database).begin("thread_gone", None, "A task", {})
    assert caught.value.code == "unknown_thread"
