from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from comfyui_assistant.engine.chat.running import RunningTurns
from comfyui_assistant.engine.errors import RequestError
from comfyui_assistant.engine.store.processes.thread_locks import FileLocks


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


async def test_a_turn_of_another_process_is_waited_for_and_then_refused(tmp_path: Path) -> None:
    ours = RunningTurns(FileLocks(tmp_path), patience_seconds=0.3)
    theirs = RunningTurns(FileLocks(tmp_path), patience_seconds=0.3)
    async with ours.only_one("t1"):
        with pytest.raises(RequestError) as caught:
            async with theirs.only_one("t1"):
                pass
        waiting = asyncio.create_task(_enter(theirs))
        await asyncio.sleep(0.05)
    assert caught.value.code == "turn_running"
    await waiting
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("seconds", [0, 0.0005, 0.001, 0.002, 0.005])
async def test_a_stop_in_the_moment_of_taking_leaves_the_thread_to_others(
    tmp_path: Path, seconds: float
) -> None:
    stopped = asyncio.create_task(_enter(RunningTurns(FileLocks(tmp_path)), stay=10))
    await asyncio.sleep(seconds)
    stopped.cancel()
    await asyncio.wait([stopped])
    await _enter(RunningTurns(FileLocks(tmp_path), patience_seconds=0.3))
    assert list(tmp_path.iterdir()) == []


async def _enter(turns: RunningTurns, stay: float = 0) -> None:
    async with turns.only_one("t1"):
        await asyncio.sleep(stay)
