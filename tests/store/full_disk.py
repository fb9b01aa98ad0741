"""What becomes of chats where the disk is full and has room again: a program, on a small disk that another mount hides.

python -m tests.store.full_disk <folder> <what filled it> <letters in a message>
"""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import sys
from pathlib import Path

from comfyui_assistant.engine.base.errors import StoreError
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.threads import ThreadStore

from tests.store.log_events import draft, step, text, user


async def live_on(folder: Path, filled_by: str, letters: int) -> dict[str, object]:
    database = Database.in_folder(folder)
    threads = ThreadStore(database)
    ids = [(await threads.create()).id for _ in range(3)]
    for number in range(8):
        for thread_id in ids:
            await threads.append(
                thread_id, [user(f"u{number}", "x" * letters), step(f"a{number}", text("words"))]
            )
    for thread_id in ids:
        await threads.save_drafts(draft(thread_id, "a9", [text("Half")]))
    (folder / "filler-pictures").write_bytes(bytes(3_000_000))
    refusal = await fill(folder, threads, ids[0], filled_by)
    readable = [len(await threads.messages(thread_id)) for thread_id in ids[1:]]
    for filler in folder.glob("filler-*"):
        filler.unlink()
    await threads.append(ids[0], [user("later", "It goes on.")])
    newest = (await threads.messages(ids[0]))[-1]["id"]
    await threads.delete(ids[2])
    kept = {summary.id for summary in await threads.list()}
    database.close()
    return {
        "refused": refusal.code,
        "hint": refusal.hint,
        "readable": readable,
        "newest": newest,
        "kept": kept == set(ids[:2]),
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
