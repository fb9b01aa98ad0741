from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextvars import ContextVar

import pytest
from comfyui_assistant.engine.store.worker_thread import WorkerThread

CALLER: ContextVar[str] = ContextVar("CALLER", default="nobody")


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
