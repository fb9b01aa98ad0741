from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.threads import ThreadStore

ROOT = Path(__file__).parents[2]
WRITER = """
import asyncio, sys
sys.path.insert(0, sys.argv[1])
import tests.conftest
from pathlib import Path
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.log.event_log import LogEvent
from comfyui_assistant.engine.store.threads import ThreadStore
from tests.store.log_events import draft

async def write_for_ever():
    store = ThreadStore(Database.in_folder(Path(sys.argv[2])))
    thread_id = (await store.create()).id
    number = 0
    while True:
        said = {"parts": [{"type": "text", "text": f"question {number}"}]}
        await store.append(thread_id, [LogEvent("user", f"u{number}", said)])
        print(thread_id, f"u{number}", flush=True)
        await store.save_drafts(draft(thread_id, f"a{number}", said["parts"]))
        number += 1

asyncio.run(write_for_ever())
"""


@pytest.mark.slow
async def test_what_was_acknowledged_survives_a_process_that_is_killed(folder: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(ROOT), str(folder)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        acknowledged = [process.stdout.readline().split() for _ in range(15)]
        process.kill()
        acknowledged += [line.split() for line in process.stdout if line.endswith("\n")]
    thread_id = acknowledged[0][0]
    database = Database.in_folder(folder)
    messages = await ThreadStore(database).messages(thread_id)
    ids = [message["id"] for message in messages if message["role"] == "user"]
    told = [message_id for _, message_id in acknowledged]
    assert ids[: len(told)] == told
    assert len(ids) <= len(told) + 1
    database.close()
