from __future__ import annotations

from pathlib import Path

import pytest
from comfyui_assistant.engine.errors import StoreError
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.learned_states import LearnedStates


async def test_a_calibration_is_the_last_one_saved_and_outlives_a_restart(
    database: Database, folder: Path
) -> None:
    calibrations = LearnedStates(database, "calibration")
    assert await calibrations.load("local/small") is None
    await calibrations.save("local/small", {"ratio": 1.1, "count": 1})
    await calibrations.save("local/small", {"ratio": 1.2, "count": 2})
    await calibrations.save("local/large", {"ratio": 0.9})
    again = LearnedStates(Database.in_folder(folder), "calibration")
    assert await again.load("local/small") == {"ratio": 1.2, "count": 2}


async def test_another_process_at_the_same_store_knows_within_five_seconds(database: Database) -> None:
    now = [0.0]
    one, other = (LearnedStates(database, "endpoint_rules", clock=lambda: now[0]) for _ in range(2))
    assert await other.load("local/small") is None
    await one.save("local/small", {"ratio": 1.1})
    now[0] += 5.0
    assert await other.load("local/small") == {"ratio": 1.1}
    await other.forget("local/small")
    now[0] += 5.0
    assert await one.load("local/small") is None


async def test_what_cannot_be_written_or_read_again_holds(database: Database) -> None:
    now = [0.0]
    states = LearnedStates(database, "endpoint_rules", clock=lambda: now[0])
    await states.save("local/large", {"ratio": 0.9})
    await database.run(lambda connection: connection.exec_driver_sql("DROP TABLE endpoint_rules"))
    with pytest.raises(StoreError):
        await states.save("local/small", {"ratio": 1.1})
    now[0] += 60.0
    assert await states.load("local/small") == {"ratio": 1.1}
    assert await states.load("local/large") == {"ratio": 0.9}


async def test_what_is_forgotten_stays_so_and_tables_do_not_mix(database: Database, folder: Path) -> None:
    rules = LearnedStates(database, "endpoint_rules")
    await rules.save("local/small", {"ratio": 1.1})
    assert await LearnedStates(database, "calibration").load("local/small") is None
    assert await LearnedStates(database, "endpoint_rules").load("local/small") == {"ratio": 1.1}
    await rules.forget("local/small")
    assert await rules.load("local/small") is None
    assert await LearnedStates(Database.in_folder(folder), "endpoint_rules").load("local/small") is None
