"""A GET can be sent by an image or a link, so it changes nothing of what is kept."""

from __future__ import annotations

import asyncio
from pathlib import Path

from .kept_state import files_of, kept_rows
from .person_with_everything import keep_everything
from .route_calls import route_calls
from .running_assistant import RunningAssistant
from .talking import talking


async def warmed_up(assistant: RunningAssistant) -> None:
    tasks = assistant.assistant.background.tasks
    await asyncio.gather(*(task for task in tasks if task.get_name() == "warming up"))


async def test_no_get_changes_the_database_or_a_file(tmp_path: Path) -> None:
    async with talking(tmp_path) as (assistant, provider):
        places = await keep_everything(assistant.call, tmp_path)
        new_thread = await assistant.new_thread()
        # What the first reading of the environment leaves, an answer to no one.
        await assistant.call("GET", "/environment/summary")
        await warmed_up(assistant)
        before, asked = (kept_rows(tmp_path), files_of(tmp_path)), len(provider.requests)

        answers = {}
        for call in route_calls(assistant, places):
            if call.route.method == "GET":
                answers[call.name] = (await assistant.call("GET", call.path)).status
        assert (await assistant.call("GET", f"/assistant/threads/{new_thread}/context")).status == 200
        await warmed_up(assistant)

        assert (kept_rows(tmp_path), files_of(tmp_path)) == before
        assert len(provider.requests) == asked
    missing = {name for name, status in answers.items() if status != 200}
    assert missing == {
        "GET /assistant/models/downloads/{download}",
        "GET /assistant/runs/{made}/workflow",
        "GET /assistant/templates/{name}",
        "GET /system-context/skills/{slug}",
    }
    assert len(answers) >= 20
