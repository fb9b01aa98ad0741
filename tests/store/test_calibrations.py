from __future__ import annotations

from pathlib import Path

from comfyui_assistant.engine.store.calibrations import Calibrations
from comfyui_assistant.engine.store.database import Database


async def test_a_calibration_is_the_last_one_saved_and_outlives_a_restart(
    database: Database, folder: Path
) -> None:
    calibrations = Calibrations(database)
    assert await calibrations.load("local/small") is None
    await calibrations.save("local/small", {"ratio": 1.1, "count": 1})
    await calibrations.save("local/small", {"ratio": 1.2, "count": 2})
    await calibrations.save("local/large", {"ratio": 0.9})
    again = Calibrations(Database.in_folder(folder))
    assert await again.load("local/small") == {"ratio": 1.2, "count": 2}
