"""Chats as they would be kept, written into ComfyUI's database without a turn for each message."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any


def write_chats(folder: Path, write: Callable[[Any], None]) -> None:
    """Call `write` with a connection to the database of the assistant's `folder`."""
    from comfyui_assistant.engine.store.database import Database

    database = Database.in_folder(folder)
    # Playwright has an event loop in this thread.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(database.run(write))).result()
    database.close()


def plant_chat(folder: Path, title: str, turns: Iterable[tuple[str, str]]) -> None:
    """A chat of questions and answers; the messages are `q0`, `a0`, `q1` …"""
    from comfyui_assistant.engine.store.log.event_log import LogEvent
    from comfyui_assistant.engine.store.log.thread_writer import append_events
    from comfyui_assistant.engine.store.thread_list import change_thread, create_thread

    def write(connection: Any) -> None:
        thread_id = create_thread(connection).id
        for number, (question, answer) in enumerate(turns):
            asked = LogEvent("user", f"q{number}", {"parts": [{"type": "text", "text": question}]})
            said = {"type": "text", "text": answer, "state": "done"}
            step = LogEvent("step", f"a{number}", {"parts": [{"type": "step-start"}, said]})
            append_events(connection, thread_id, [asked, step])
        change_thread(connection, thread_id, title=title)

    write_chats(folder, write)
