"""A thread's turn is one process's at a time, however that process ends."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.turn_leases import Renewal, TurnLeases


@pytest.fixture
def pair(folder: Path) -> Iterator[tuple[TurnLeases, TurnLeases]]:
    """Two processes at one store."""
    databases = Database.in_folder(folder), Database.in_folder(folder)
    yield TurnLeases(databases[0], seconds=5), TurnLeases(databases[1], seconds=5)
    for database in databases:
        database.close()


async def test_a_lease_is_its_owners_until_it_is_given_back(pair: tuple[TurnLeases, TurnLeases]) -> None:
    ours, theirs = pair
    assert await ours.acquire("t1") is None
    assert await theirs.acquire("t1") is not None
    assert await theirs.acquire("t2") is None
    assert [await each.is_elsewhere("t1") for each in pair] == [False, True]
    await theirs.release("t1")
    assert await ours.renew("t1") == Renewal()
    await ours.release("t1")
    assert [await each.is_elsewhere("t1") for each in pair] == [False, False]
    assert await theirs.acquire("t1") is None
    assert await ours.renew("t1") == Renewal(is_lost=True)


async def test_a_lease_that_is_renewed_tells_so_and_one_that_is_over_is_taken(
    pair: tuple[TurnLeases, TurnLeases],
) -> None:
    ours, theirs = pair
    ours.seconds = 0.3
    assert await ours.acquire("t1") is None
    first = await theirs.acquire("t1")
    await asyncio.sleep(0.05)
    await ours.renew("t1")
    second = await theirs.acquire("t1")
    assert first is not None
    assert second is not None
    assert first < second
    await asyncio.sleep(0.35)
    assert not await theirs.is_elsewhere("t1")
    assert await ours.renew("t1") == Renewal()
    await asyncio.sleep(0.35)
    assert await theirs.acquire("t1") is None
    assert await ours.renew("t1") == Renewal(is_lost=True)


async def test_a_clock_that_was_set_back_leaves_no_thread_with_a_process_that_has_ended(
    pair: tuple[TurnLeases, TurnLeases],
) -> None:
    ours, theirs = pair
    ours.seconds = 3_600
    assert await ours.acquire("t1") is None
    assert not await theirs.is_elsewhere("t1")
    assert await theirs.acquire("t1") is None


async def test_many_that_want_one_lease_at_once_get_it_once(folder: Path) -> None:
    databases = [Database.in_folder(folder) for _ in range(4)]
    taken = await asyncio.gather(*(TurnLeases(each).acquire("t1") for each in databases for _ in range(3)))
    assert [until is None for until in taken].count(True) == 1
    for database in databases:
        database.close()


async def test_a_wish_to_stop_is_told_once_and_to_the_owner_alone(
    pair: tuple[TurnLeases, TurnLeases],
) -> None:
    ours, theirs = pair
    assert not await theirs.ask_to_stop("t1", "a1")
    await ours.acquire("t1")
    assert not await ours.ask_to_stop("t1", "a1")
    assert await theirs.ask_to_stop("t1", "a1")
    assert await ours.renew("t1") == Renewal(stop="a1")
    assert await ours.renew("t1") == Renewal()
    assert await theirs.ask_to_stop("t1", "")
    await ours.release("t1")
    await ours.acquire("t1")
    assert await ours.renew("t1") == Renewal()


async def test_an_id_may_be_of_any_length_and_hold_half_a_character(
    pair: tuple[TurnLeases, TurnLeases],
) -> None:
    ours, theirs = pair
    for thread_id in ("../../outside\ud83d", "x" * 10_000):
        assert await ours.acquire(thread_id) is None
        assert await theirs.acquire(thread_id) is not None
