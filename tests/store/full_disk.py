"""What a person can still do where the disk is full: run as a program, on a small disk that another mount hides.

python -m tests.store.full_disk <folder> <what filled it> <letters in a message>
"""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import sys
from pathlib import Path

from comfyui_assistant.engine.errors import StoreError
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.threads import ThreadStore

from tests.store.log_events import draft, step, text, user


async def live_on(folder: Path, filled_by: str, letters: int) -> dict[str, object]:
    database = Database.in_folder(folder)
    await database.keep_reserve()
    threads = ThreadStore(database)
    ids = [(await threads.create()).id for _ in range(3)]
    for number in range(8):
        for thread_id in ids:
            await threads.append(
                thread_id, [user(f"u{number}", "x" * letters), step(f"a{number}", text("words"))]
            )
    for thread_id in ids:
        await threads.save_drafts(draft(thread_id, "a9", [text("Half")]))
    if filled_by == "a log without its room":
        await database.run(lambda connection: connection.exec_driver_sql("PRAGMA wal_autocheckpoint=0"))
        (folder / "assistant.sqlite3.reserve").unlink()
    refusal = await fill(folder, threads, ids[0], filled_by)
    left = [await threads.messages(thread_id) for thread_id in ids]
    deleted = []
    for thread_id in (ids[2], ids[1]):
        await threads.delete(thread_id)
        deleted.append(thread_id)
    await threads.append(ids[0], [user("later", "It goes on.")])
    kept = [summary.id for summary in await threads.list()]
    newest = (await threads.messages(ids[0]))[-1]["id"]
    database.close()
    return {
        "refused": refusal.code,
        "hint": refusal.hint,
        "readable": [len(messages) for messages in left[1:]],
        "deleted": deleted == [ids[2], ids[1]],
        "kept": kept == [ids[0]],
        "newest": newest,
        "is_sound": sound(folder / "assistant.sqlite3"),
    }


async def fill(folder: Path, threads: ThreadStore, thread_id: str, filled_by: str) -> StoreError:
    if filled_by == "other files":
        fill_with_files(folder)
    for number in range(1_000):
        try:
            await threads.append(thread_id, [user(f"v{number}", "y" * 20_000)])
        except StoreError as error:  # noqa: PERF203 - until one is refused
            fill_with_files(folder)
            return error
    raise RuntimeError("the disk is never full")


def fill_with_files(folder: Path) -> None:
    for size in (65_536, 512):
        with (folder / f"filler-{size}").open("wb", buffering=0) as file:
            try:
                while file.write(os.urandom(size)) == size:
                    pass
            except OSError:
                pass


def sound(path: Path) -> bool:
    connection = sqlite3.connect(path)
    answer = connection.execute("PRAGMA integrity_check").fetchone()
    connection.close()
    return answer == ("ok",)


def main() -> None:
    _, folder, filled_by, letters = sys.argv
    print(json.dumps(asyncio.run(live_on(Path(folder), filled_by, int(letters)))))
