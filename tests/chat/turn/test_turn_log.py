from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from comfyui_assistant.engine.chat.turn.turn_log import ThreadTurnLog, TurnLog
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.log.event_log import LogEvent
from comfyui_assistant.engine.store.threads import ThreadStore
from comfyui_assistant.engine.stream.step_news import StepNews

TEXT = {"type": "text", "text": "Hello."}
USER = LogEvent("user", "u1", {"parts": [TEXT]})


def news(number: int, keep: int, grow: str, *parts: dict[str, Any]) -> StepNews:
    return StepNews(number=number, keep=keep, grow=grow, parts=list(parts))


async def test_events_and_the_draft_go_to_the_log_of_the_thread(tmp_path: Path) -> None:
    database = Database.in_folder(tmp_path)
    threads = ThreadStore(database)
    thread_id = (await threads.create()).id
    log = ThreadTurnLog(threads, thread_id)
    await log.append([USER])
    log.save_draft("a1", news(0, 0, "", {"type": "step-start"}, {**TEXT, "text": "H"}))
    log.save_draft("a1", news(1, 2, "i"))
    messages: list[Any] = []
    while not any(message["id"] == "a1" for message in messages):
        await asyncio.sleep(0.01)
        messages = (await threads.read(thread_id)).messages
    database.close()
    assert [(message["id"], message["parts"][-1]["text"]) for message in messages] == [
        ("u1", "Hello."),
        ("a1", "Hi"),
    ]


async def test_nothing_is_kept_for_a_client_that_keeps_the_conversation_itself() -> None:
    log = TurnLog()
    await log.append([USER])
    log.save_draft("a1", news(0, 0, ""))
