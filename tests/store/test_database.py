from __future__ import annotations

import asyncio
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.base.errors import StoreError
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.threads import ThreadStore

from .log_events import draft, step, text


async def test_work_is_done_on_one_thread_that_is_not_the_callers(database: Database) -> None:
    def where(_: Any) -> str:
        return threading.current_thread().name

    names = {await database.run(where) for _ in range(3)}
    assert len(names) == 1
    assert threading.current_thread().name not in names


async def test_what_was_read_is_written_before_all_that_waits(database: Database, store: ThreadStore) -> None:
    thread_id = (await store.create()).id
    may_go_on = threading.Event()
    done: list[str] = []

    def begin(name: str, work: Any) -> asyncio.Task[Any]:
        task = asyncio.create_task(work)
        task.add_done_callback(lambda _: done.append(name))
        return task

    tasks = [begin("running", database.run(lambda _: may_go_on.wait(5)))]
    tasks += [begin("waiting", store.messages(thread_id)) for _ in range(3)]
    await asyncio.sleep(0.05)
    tasks.append(begin("draft", store.save_drafts(draft(thread_id, "a1", [text("Half of")]))))
    await asyncio.sleep(0.05)
    tasks.append(begin("step", store.append(thread_id, [step("a1", text("Half of it."))])))
    await asyncio.sleep(0.05)
    may_go_on.set()
    await asyncio.gather(*tasks)

    assert done == ["running", "draft", "step", "waiting", "waiting", "waiting"]
    (message,) = await store.messages(thread_id)
    assert message["parts"][-1] == text("Half of it.")


async def test_an_urgent_change_that_fails_is_told_as_any_other(database: Database) -> None:
    with pytest.raises(StoreError) as caught:
        await database.run_next(lambda connection: connection.exec_driver_sql("SELECT nothing"))
    assert caught.value.code == "store_failed"


async def test_what_fails_is_taken_back_and_told_as_an_error_of_the_store(
    database: Database, store: ThreadStore
) -> None:
    def fail(connection: Any) -> None:
        connection.exec_driver_sql(
            "INSERT INTO thread (id, created_at, updated_at, pinned) VALUES ('x', 1, 1, 0)"
        )
        raise sqlite3.OperationalError("attempt to write a readonly database")

    with pytest.raises(StoreError) as caught:
        await database.run(fail)
    assert caught.value.code == "store_failed"
    assert "attempt to write a readonly database" in caught.value.message
    assert await store.list() == []


async def test_a_file_that_is_no_database_is_set_aside_not_lost(folder: Path) -> None:
    folder.mkdir()
    (folder / "assistant.sqlite3").write_bytes(b"this is not a database, but somebody's text")
    thread = await ThreadStore(Database.in_folder(folder)).create()
    assert thread.message_count == 0
    kept = [path for path in folder.iterdir() if ".broken-" in path.name]
    assert kept[0].read_bytes() == b"this is not a database, but somebody's text"
