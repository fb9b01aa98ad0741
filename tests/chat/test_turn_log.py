from __future__ import annotations

from pathlib import Path

from comfyui_assistant.engine.chat.turn_log import NoTurnLog, ThreadTurnLog
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.thread_log import LogEvent
from comfyui_assistant.engine.store.threads import ThreadStore

TEXT = {"type": "text", "text": "Hello."}
USER = LogEvent("user", "u1", {"parts": [TEXT]})


async def test_events_and_the_draft_go_to_the_log_of_the_thread(tmp_path: Path) -> None:
    database = Database.in_folder(tmp_path)
    threads = ThreadStore(database)
    thread_id = (await threads.create()).id
    log = ThreadTurnLog(threads, thread_id)
    await log.append([USER])
    await log.save_draft("a1", [{"type": "step-start"}, {**TEXT, "text": "Hi"}])
    messages = (await threads.read(thread_id)).messages
    database.close()
    assert [(message["id"], message["parts"][-1]["text"]) for message in messages] == [
        ("u1", "Hello."),
        ("a1", "Hi"),
    ]


async def test_nothing_is_kept_for_a_client_that_keeps_the_conversation_itself() -> None:
    log = NoTurnLog()
    await log.append([USER])
    await log.save_draft("a1", [])
