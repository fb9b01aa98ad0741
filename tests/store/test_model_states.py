from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.base.errors import StoreError
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.model_states import Key, ModelStates

SMALL, LARGE = Key("rules", "http://local", "small"), Key("rules", "http://local", "large")


async def test_a_state_is_the_last_one_saved_and_outlives_a_restart(database: Database, folder: Path) -> None:
    states = ModelStates(database)
    assert await states.load(SMALL) is None
    await states.save(SMALL, {"ratio": 1.1, "count": 1})
    await states.save(SMALL, {"ratio": 1.2, "count": 2})
    await states.save(LARGE, {"ratio": 0.9})
    again = Database.in_folder(folder)
    assert await ModelStates(again).load(SMALL) == {"ratio": 1.2, "count": 2}
    again.close()


async def test_another_process_at_the_same_store_knows_within_five_seconds(database: Database) -> None:
    now = [0.0]
    one, other = (ModelStates(database, clock=lambda: now[0]) for _ in range(2))
    assert await other.load(SMALL) is None
    await one.save(SMALL, {"ratio": 1.1})
    now[0] += 4.9
    assert await other.load(SMALL) is None
    now[0] += 0.1
    assert await other.load(SMALL) == {"ratio": 1.1}
    await other.forget(SMALL)
    now[0] += 5.0
    assert await one.load(SMALL) is None


async def test_what_cannot_be_written_or_read_again_holds(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    now = [0.0]
    states = ModelStates(database, clock=lambda: now[0])
    await states.save(LARGE, {"ratio": 0.9})
    await database.run(lambda connection: connection.exec_driver_sql("DROP TABLE learned"))
    await states.save(SMALL, {"ratio": 1.1})
    now[0] += 60.0
    assert await states.load(SMALL) == {"ratio": 1.1}
    assert await states.load(LARGE) == {"ratio": 0.9}
    assert await states.load(Key("window", "http://local", "small")) is None
    assert "could not be kept" in caplog.text
    assert "could not be read" in caplog.text
    with pytest.raises(StoreError):
        await states.forget(SMALL)


async def test_what_is_forgotten_stays_so_and_kinds_do_not_mix(database: Database, folder: Path) -> None:
    states = ModelStates(database)
    await states.save(SMALL, {"ratio": 1.1})
    assert await ModelStates(database).load(Key("window", "http://local", "small")) is None
    await states.forget(SMALL)
    assert await states.load(SMALL) is None
    assert await ModelStates(database).load(SMALL) is None


class Slow(Database):
    """One whose answers wait for a gate."""

    gate: asyncio.Event | None = None

    async def run(self, work: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        answer = await super().run(work, *arguments, **options)
        gate, self.gate = self.gate, None
        if gate is not None:
            await gate.wait()
        return answer


async def test_what_is_saved_while_it_is_read_is_newer(folder: Path, empty_database: Path) -> None:
    folder.mkdir()
    shutil.copy(empty_database, folder)
    database = Slow.in_folder(folder)
    assert isinstance(database, Slow)
    states = ModelStates(database)
    gate = database.gate = asyncio.Event()
    reading = asyncio.create_task(states.load(SMALL))
    while database.gate is not None:
        await asyncio.sleep(0.01)
    await states.save(SMALL, {"ratio": 1.1})
    gate.set()
    assert await reading == {"ratio": 1.1}
    database.close()


async def test_what_is_forgotten_while_it_is_read_is_not_read(folder: Path, empty_database: Path) -> None:
    folder.mkdir()
    shutil.copy(empty_database, folder)
    database = Slow.in_folder(folder)
    assert isinstance(database, Slow)
    now = [0.0]
    states = ModelStates(database, clock=lambda: now[0])
    await states.save(SMALL, {"ratio": 1.1})
    now[0] += 60.0
    gate = database.gate = asyncio.Event()
    reading = asyncio.create_task(states.load(SMALL))
    while database.gate is not None:
        await asyncio.sleep(0.01)
    await states.forget(SMALL)
    gate.set()
    assert await reading is None
    database.close()


async def test_without_a_database_all_holds_as_long_as_the_object() -> None:
    states = ModelStates()
    await states.save(SMALL, {"ratio": 1.1})
    assert await states.load(SMALL) == {"ratio": 1.1}
    await states.forget(SMALL)
    assert await states.load(SMALL) is None
