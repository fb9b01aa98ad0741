from __future__ import annotations

import asyncio

import pytest
from comfyui_assistant.engine.within import within


async def test_what_comes_in_time_is_given_on_with_its_failure() -> None:
    async def fails() -> None:
        raise KeyError("mine")

    assert await within(60, asyncio.sleep(0, "done")) == "done"
    with pytest.raises(KeyError, match="mine"):
        await within(60, fails())


async def test_what_takes_too_long_is_over_when_the_waiting_is() -> None:
    work = asyncio.ensure_future(asyncio.sleep(60))
    with pytest.raises(asyncio.TimeoutError):
        await within(0.01, work)
    assert work.cancelled()


async def test_a_stop_in_the_moment_of_the_result_is_not_lost() -> None:
    result: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    waiting = asyncio.create_task(within(60, result))
    await asyncio.sleep(0)
    result.set_result("late")
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
