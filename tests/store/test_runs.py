from __future__ import annotations

from pathlib import Path

import pytest
from comfyui_assistant.engine.errors import RequestError
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.runs import Runs


async def test_a_run_is_kept_with_its_task_and_what_came_of_it(database: Database, thread_id: str) -> None:
    runs = Runs(database)
    outer = await runs.begin(thread_id, None, "Find a sampler", {"node": "3"})
    inner = await runs.begin(thread_id, outer, "Look it up", {})
    messages = [{"role": "user", "content": "Look it up"}, {"role": "assistant", "content": "KSampler 🎉"}]
    await runs.finish(inner, "done", result={"answer": "KSampler"}, messages=messages, steps=2, tokens=1_200)
    first, second = await runs.tree(thread_id)
    assert (first.id, first.status, first.inputs, first.ended_at) == (outer, "running", {"node": "3"}, None)
    assert second.as_json() == {
        "id": inner,
        "parentRunId": outer,
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


async def test_a_run_whose_process_went_away_is_cancelled(
    database: Database, folder: Path, thread_id: str
) -> None:
    run_id = await Runs(database).begin(thread_id, None, "Never ends", {})
    after_restart = Runs(Database.in_folder(folder))
    assert [(run.id, run.status) for run in await after_restart.tree(thread_id)] == [(run_id, "cancelled")]


async def test_a_run_of_no_thread_is_refused(database: Database) -> None:
    with pytest.raises(RequestError) as caught:
        await Runs(database).begin("thread_gone", None, "A task", {})
    assert caught.value.code == "unknown_thread"
