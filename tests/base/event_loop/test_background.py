from __future__ import annotations

import asyncio

import pytest
from comfyui_assistant.engine.base.event_loop.background import BackgroundWork


async def test_work_that_fails_is_one_line_in_the_log_and_disturbs_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def fail() -> None:
        raise ValueError("the disk is full")

    done: list[int] = []

    async def succeed() -> None:
        done.append(1)

    work = BackgroundWork()
    with caplog.at_level("INFO"):
        work.begin("tidying", fail())
        work.begin("warming", succeed())
        await asyncio.gather(*work.tasks)
    assert caplog.messages == ["tidying was left out: the disk is full"]
    assert done == [1]
    assert work.tasks == set()


async def test_what_still_runs_ends_with_the_server(caplog: pytest.LogCaptureFixture) -> None:
    ended: list[int] = []

    async def wait() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(1)

    work = BackgroundWork()
    work.begin("waiting", wait())
    await asyncio.sleep(0)
    tasks = list(work.tasks)
    work.cancel()
    await asyncio.gather(*tasks)
    assert ended == [1]
    assert work.tasks == set()
    assert caplog.messages == []
