from __future__ import annotations

import asyncio

from dev.scripted.pauses import Pauses


async def test_pauses_that_are_made_and_those_to_come_end_at_once() -> None:
    pauses = Pauses()
    waiting = [asyncio.create_task(pauses.wait(600)) for _ in range(3)]
    await asyncio.sleep(0)
    assert not any(task.done() for task in waiting)
    pauses.end()
    await asyncio.wait_for(asyncio.gather(*waiting, pauses.wait(600)), 10)


async def test_a_pause_that_nobody_ends_lasts_its_time() -> None:
    begun = asyncio.get_running_loop().time()
    await Pauses().wait(0.05)
    assert asyncio.get_running_loop().time() - begun >= 0.04


async def test_one_who_leaves_in_a_pause_disturbs_no_other() -> None:
    pauses = Pauses()
    leaving, staying = (asyncio.create_task(pauses.wait(600)) for _ in range(2))
    await asyncio.sleep(0)
    leaving.cancel()
    await asyncio.wait([leaving])
    pauses.end()
    await asyncio.wait_for(staying, 10)
