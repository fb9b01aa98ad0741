from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.base.errors import StoreError
from comfyui_assistant.engine.store.database import Database, WorkerThread
from comfyui_assistant.engine.store.threads import ThreadStore

from .log_events import draft, step, text

CALLER: ContextVar[str] = ContextVar("CALLER", default="nobody")


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


@pytest.fixture
def thread() -> Iterator[WorkerThread]:
    thread = WorkerThread("one-of-a-test")
    yield thread
    thread.close()


async def test_all_work_is_done_there_as_its_caller(thread: WorkerThread) -> None:
    CALLER.set("somebody")
    for run in (thread.run, thread.run_next):
        assert await run(lambda: (threading.current_thread().name, CALLER.get())) == (
            "one-of-a-test_0",
            "somebody",
        )


async def test_what_is_urgent_is_done_before_all_that_waits(thread: WorkerThread) -> None:
    may_go_on = threading.Event()
    done: list[str] = []
    running = asyncio.create_task(thread.run(may_go_on.wait))
    await asyncio.sleep(0)
    waiting = [asyncio.create_task(thread.run(lambda: done.append("waiting"))) for _ in range(3)]
    await asyncio.sleep(0)
    urgent = asyncio.create_task(thread.run_next(lambda: done.append("urgent")))
    await asyncio.sleep(0)
    may_go_on.set()
    await asyncio.gather(running, *waiting, urgent)
    assert done == ["urgent", "waiting", "waiting", "waiting"]


async def test_what_nobody_waits_for_any_more_is_not_begun(thread: WorkerThread) -> None:
    may_go_on = threading.Event()
    done: list[str] = []
    running = asyncio.create_task(thread.run(may_go_on.wait))
    await asyncio.sleep(0)
    given_up = [
        asyncio.create_task(run(lambda: done.append("given up"))) for run in (thread.run, thread.run_next)
    ]
    await asyncio.sleep(0)
    for task in given_up:
        task.cancel()
    await asyncio.gather(*given_up, return_exceptions=True)
    may_go_on.set()
    await running
    await thread.run(lambda: done.append("later"))
    assert done == ["later"]


@pytest.mark.parametrize("is_urgent", [False, True])
async def test_what_fails_is_told_to_its_caller_and_what_follows_is_done(
    thread: WorkerThread, is_urgent: bool
) -> None:
    def fail() -> None:
        raise ValueError("no room")

    with pytest.raises(ValueError, match="no room"):
        await (thread.run_next if is_urgent else thread.run)(fail)
    assert await thread.run(lambda: 1) == 1
