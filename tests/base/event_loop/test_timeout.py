from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest
from comfyui_assistant.engine.base.event_loop.timeout import each_with_timeout, timeout


async def test_what_comes_in_time_is_given_on_with_its_failure() -> None:
    async def fails() -> None:
        raise KeyError("mine")

    assert await timeout(60, asyncio.sleep(0, "done")) == "done"
    with pytest.raises(KeyError, match="mine"):
        await timeout(60, fails())


async def test_what_takes_too_long_is_over_when_the_waiting_is() -> None:
    work = asyncio.ensure_future(asyncio.sleep(60))
    with pytest.raises(asyncio.TimeoutError):
        await timeout(0.01, work)
    assert work.cancelled()


async def test_a_stop_in_the_moment_of_the_result_is_not_lost() -> None:
    result: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    waiting = asyncio.create_task(timeout(60, result))
    await asyncio.sleep(0)
    result.set_result("late")
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting


async def numbers(*pauses: float) -> AsyncIterator[int]:
    for number, pause in enumerate(pauses):
        await asyncio.sleep(pause)
        yield number


async def collect(items: AsyncIterator[int], found: list[int]) -> None:
    async for item in items:
        found.append(item)  # noqa: PERF401 - what came before a failure counts


async def test_items_come_in_their_order_with_the_failure_behind_them() -> None:
    async def fails() -> AsyncIterator[int]:
        for number in range(100):
            yield number
        raise KeyError("mine")

    found: list[int] = []
    with pytest.raises(KeyError, match="mine"):
        await collect(each_with_timeout(fails(), first=60, then=lambda _: 60), found)
    assert found == list(range(100))


@pytest.mark.parametrize(
    ("pauses", "first", "then", "expected"),
    [
        pytest.param([60], 0.02, 60, [], id="the first"),
        pytest.param([0, 0, 60], 60, 0.02, [0, 1], id="a later one, sooner than the first might have"),
        pytest.param([0, 0.15, 0.15, 0.15, 60], 60, 0.4, [0, 1, 2, 3], id="one after others in time"),
    ],
)
async def test_an_item_that_takes_too_long_ends_the_waiting(
    pauses: list[float], first: float, then: float, expected: list[int]
) -> None:
    found: list[int] = []
    with pytest.raises(asyncio.TimeoutError):
        await collect(each_with_timeout(numbers(*pauses), first=first, then=lambda _: then), found)
    assert found == expected


async def test_how_long_the_next_is_waited_for_may_hang_on_the_one_before() -> None:
    found: list[int] = []
    waiting = each_with_timeout(
        numbers(0, 0.1, 0.1, 60), first=60, then=lambda number: 60 if number < 2 else 0.02
    )
    with pytest.raises(asyncio.TimeoutError):
        await collect(waiting, found)
    assert found == [0, 1, 2]


async def test_no_more_is_read_ahead_than_a_little() -> None:
    read: list[int] = []

    async def many() -> AsyncIterator[int]:
        for number in range(10_000):
            read.append(number)
            yield number

    async with contextlib.aclosing(each_with_timeout(many(), first=60, then=lambda _: 60)) as items:
        await anext(items)
        await asyncio.sleep(0.01)
        assert len(read) < 50


async def test_a_stop_in_the_moment_of_an_item_is_not_lost_and_ends_the_reading() -> None:
    may_come, has_ended = asyncio.Event(), asyncio.Event()

    async def one() -> AsyncIterator[int]:
        try:
            await may_come.wait()
            yield 1
            await asyncio.sleep(60)
        finally:
            has_ended.set()

    async def read() -> None:
        async with contextlib.aclosing(each_with_timeout(one(), first=60, then=lambda _: 60)) as items:
            async for _ in items:
                pass

    reading = asyncio.create_task(read())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    may_come.set()
    await asyncio.sleep(0)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert has_ended.is_set()


async def test_others_have_their_turn_while_items_are_at_hand_at_once() -> None:
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(others())

    async def at_hand() -> AsyncIterator[int]:
        for number in range(1_000):
            yield number

    before = turns
    async for _ in each_with_timeout(at_hand(), first=60, then=lambda _: 60):
        pass
    task.cancel()
    assert turns - before > 50
