from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.base.errors import RequestError
from comfyui_assistant.engine.chat.turn_locks import TurnLocks
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.turn_leases import Renewal, TurnLeases

from .test_response_streams import until


async def test_a_thread_has_one_turn_at_a_time_and_others_go_on_beside_it() -> None:
    turns = TurnLocks(patience_seconds=0.01)
    async with turns.hold("t1"), turns.hold("t2"):
        with pytest.raises(RequestError) as caught:
            async with turns.hold("t1"):
                pass
    assert (caught.value.code, caught.value.status) == ("turn_running", 409)


async def test_a_turn_that_failed_leaves_its_thread_free() -> None:
    turns = TurnLocks(patience_seconds=0.5)
    with pytest.raises(KeyError):
        async with turns.hold("t1"):
            raise KeyError
    async with turns.hold("t1"):
        pass


@pytest.mark.parametrize("moments", range(6))
async def test_a_stop_in_the_moment_that_a_thread_gets_free_is_not_lost_and_leaves_it_free(
    moments: int,
) -> None:
    turns = TurnLocks(patience_seconds=0.5)

    async def answer() -> None:
        async with turns.hold("t1"):
            await asyncio.sleep(0.4)

    async with turns.hold("t1"):
        waiting, others = asyncio.create_task(answer()), asyncio.create_task(answer())
        await asyncio.sleep(0.01)
    for _ in range(moments):
        await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait([waiting], timeout=0.2)
    assert waiting.cancelled()
    others.cancel()
    await asyncio.wait([others])
    async with turns.hold("t1"):
        pass


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Callable[..., TurnLocks]]:
    """Makes the turns of one process more at the same store."""
    databases: list[Database] = []

    def begin(*, seconds: float = 0.5, patience: float = 0.3, **more: Any) -> TurnLocks:
        databases.append(Database.in_folder(tmp_path))
        return TurnLocks(TurnLeases(databases[-1], seconds=seconds), patience_seconds=patience, **more)

    yield begin
    for database in databases:
        database.close()


async def test_a_turn_of_another_process_is_waited_for_and_then_refused(processes: Any) -> None:
    ours, theirs, patient = processes(), processes(), processes(patience=30.0)
    async with ours.hold("t1"), theirs.hold("t2"):
        assert (await ours.is_elsewhere("t1"), await theirs.is_elsewhere("t1")) == (False, True)
        with pytest.raises(RequestError) as caught:
            async with theirs.hold("t1"):
                pass
        waiting = asyncio.create_task(_enter(patient))
        await asyncio.sleep(0.05)
    assert caught.value.code == "turn_running"
    await waiting
    assert not await ours.is_elsewhere("t1")


async def test_two_processes_never_answer_in_one_thread_at_once(processes: Any) -> None:
    inside: list[str] = []
    most = 0

    async def answer(name: str, turns: TurnLocks) -> None:
        nonlocal most
        async with turns.hold("t1"):
            inside.append(name)
            most = max(most, len(inside))
            await asyncio.sleep(0.02)
            inside.remove(name)

    sides = {name: processes(patience=5) for name in ("one", "other", "third")}
    await asyncio.gather(*(answer(name, turns) for name, turns in sides.items() for _ in range(5)))
    assert most == 1


async def test_the_thread_of_a_process_that_has_ended_is_free_when_its_lease_is_over(
    processes: Any, tmp_path: Path
) -> None:
    """It is waited for beyond the patience with a process that answers."""
    ours, database = processes(patience=0.05), Database.in_folder(tmp_path)
    await ours.is_elsewhere("t1")
    assert await TurnLeases(database, seconds=0.6).acquire("t1") is None
    database.close()
    begun = time.monotonic()
    async with ours.hold("t1"):
        assert 0.2 < time.monotonic() - begun < 2


class Late(TurnLeases):
    """Those of a process that is busy with something else for longer than its lease."""

    async def renew(self, thread_id: str) -> Renewal:
        await asyncio.sleep(2 * self.seconds)
        return await super().renew(thread_id)


async def test_a_process_that_was_too_late_to_renew_its_lease_stops_its_turn(
    processes: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    stopped: list[tuple[str, str]] = []

    async def stop(thread_id: str, answer: str) -> None:
        stopped.append((thread_id, answer))

    late, ours = processes(seconds=0.3, stop=stop), processes()
    async with late.hold("t1"):
        async with late._changing, ours.hold("t1"):
            pass
        await until(lambda: bool(stopped))
    assert stopped == [("t1", "")]
    assert "taken over" in caplog.text


async def test_a_page_makes_no_call_of_a_turn_that_another_process_has_taken_over_meanwhile(
    processes: Any, tmp_path: Path
) -> None:
    async def waits_for_tab(_: str) -> bool:
        return True

    theirs, database = processes(seconds=60, waits_for_tab=waits_for_tab), Database.in_folder(tmp_path)
    async with theirs.hold("t1"):
        pass
    assert await theirs.hold_for_tab("t1")
    await database.run(
        lambda connection: connection.exec_driver_sql("UPDATE turn_lease SET owner = 'another'")
    )
    assert not await theirs.hold_for_tab("t1")
    database.close()


async def test_a_stop_at_another_process_is_heard_when_the_lease_is_renewed(processes: Any) -> None:
    stopped: list[tuple[str, str]] = []
    turn: asyncio.Task[None]

    async def stop(thread_id: str, answer: str) -> None:
        stopped.append((thread_id, answer))
        turn.cancel()

    theirs, ours = processes(stop=stop), processes()
    turn = asyncio.create_task(_enter(theirs, stay=10))
    while not await ours.is_elsewhere("t1"):
        await asyncio.sleep(0.01)
    assert not await ours.stop_elsewhere("t2", "a1")
    assert not await theirs.stop_elsewhere("t1", "a1")
    assert await ours.stop_elsewhere("t1", "a1")
    await asyncio.wait([turn], timeout=10)
    assert (stopped, turn.cancelled()) == ([("t1", "a1")], True)
    assert not await ours.stop_elsewhere("t1", "a1")


async def test_a_turn_is_kept_for_a_page_of_the_process_as_long_as_it_is_there(processes: Any) -> None:
    waiting = {"t1"}

    async def waits_for_tab(thread_id: str) -> bool:
        return thread_id in waiting

    theirs, ours = processes(waits_for_tab=waits_for_tab), processes()
    for thread_id in ("t1", "t2"):
        async with theirs.hold(thread_id):
            pass
    assert not await ours.hold_for_tab("t1")
    assert await ours.hold_for_tab("t2")
    async with theirs.hold("t1"):
        pass
    await asyncio.sleep(0.7)
    assert await ours.is_elsewhere("t1")
    waiting.clear()
    while not await ours.hold_for_tab("t1"):
        await asyncio.sleep(0.02)
    await ours.close()
    assert await theirs.hold_for_tab("t1")
    await theirs.close()


@pytest.mark.parametrize("seconds", [0, 0.0005, 0.001, 0.002, 0.005])
async def test_a_stop_in_the_moment_of_taking_leaves_the_thread_to_others(
    processes: Any, seconds: float
) -> None:
    ours, theirs = processes(), processes()
    await ours.is_elsewhere("t1")
    await theirs.is_elsewhere("t1")
    stopped = asyncio.create_task(_enter(ours, stay=10))
    await asyncio.sleep(seconds)
    stopped.cancel()
    await asyncio.wait([stopped])
    await _enter(theirs)
    assert not await ours.is_elsewhere("t1")
    assert not await theirs.is_elsewhere("t1")


async def _enter(turns: TurnLocks, stay: float = 0) -> None:
    async with turns.hold("t1"):
        await asyncio.sleep(stay)
