from __future__ import annotations

import asyncio

from comfyui_assistant.engine.base.event_loop.yield_fairly import FairYield, fair_yield


async def test_no_more_than_so_many_go_on_in_one_turn_of_the_loop_and_in_their_order() -> None:
    turns = FairYield(per_turn=3)
    went_on: list[list[int]] = [[]]

    async def work(number: int) -> None:
        await turns.wait()
        went_on[-1].append(number)

    async def others() -> None:
        while sum(map(len, went_on)) < 20:
            went_on.append([])
            await asyncio.sleep(0)

    await asyncio.gather(*(work(number) for number in range(20)), others())
    assert max(map(len, went_on)) <= 6
    assert [number for turn in went_on for number in turn] == list(range(20))


async def test_who_comes_alone_does_not_wait() -> None:
    turns = FairYield()
    for _ in range(100):
        going_on = asyncio.ensure_future(turns.wait())
        await asyncio.sleep(0)
        assert going_on.done()


async def test_who_gives_up_takes_no_turn_from_the_others() -> None:
    turns = FairYield(per_turn=1)
    tasks = [asyncio.create_task(turns.wait()) for _ in range(3)]
    await asyncio.sleep(0)
    tasks[1].cancel()
    await asyncio.wait_for(tasks[2], 1)


async def test_every_loop_has_its_own() -> None:
    assert fair_yield() is fair_yield()
    assert await asyncio.to_thread(lambda: asyncio.run(_other())) is not fair_yield()


async def _other() -> FairYield:
    return fair_yield()
