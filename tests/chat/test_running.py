from __future__ import annotations

import asyncio

import pytest
from comfyui_assistant.engine.chat.running import RunningTurns
from comfyui_assistant.engine.errors import RequestError


async def test_a_thread_has_one_turn_at_a_time_and_others_go_on_beside_it() -> None:
    turns = RunningTurns(patience_seconds=0.01)
    async with turns.only_one("t1"), turns.only_one("t2"):
        with pytest.raises(RequestError) as caught:
            async with turns.only_one("t1"):
                pass
    assert (caught.value.code, caught.value.status) == ("turn_running", 409)


async def test_a_turn_that_failed_leaves_its_thread_free() -> None:
    turns = RunningTurns(patience_seconds=0.5)
    with pytest.raises(KeyError):
        async with turns.only_one("t1"):
            raise KeyError
    async with turns.only_one("t1"):
        pass


@pytest.mark.parametrize("moments", range(6))
async def test_a_stop_in_the_moment_that_a_thread_gets_free_is_not_lost_and_leaves_it_free(
    moments: int,
) -> None:
    turns = RunningTurns(patience_seconds=0.5)

    async def answer() -> None:
        async with turns.only_one("t1"):
            await asyncio.sleep(0.4)

    async with turns.only_one("t1"):
        waiting, others = asyncio.create_task(answer()), asyncio.create_task(answer())
        await asyncio.sleep(0.01)
    for _ in range(moments):
        await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait([waiting], timeout=0.2)
    assert waiting.cancelled()
    others.cancel()
    await asyncio.wait([others])
    async with turns.only_one("t1"):
        pass
