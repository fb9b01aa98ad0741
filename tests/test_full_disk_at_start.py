from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from .full_disk_at_start import CHANGES, OF_FILES, OF_THE_DATABASE
from .small_disk import disk, on_a_small_disk

__all__ = ["disk"]

PROGRAM = "import tests.conftest; from tests.full_disk_at_start import main; main()"


@pytest.mark.slow
def test_a_full_disk_without_a_history_is_told_and_all_goes_on_once_there_is_room(disk: Path) -> None:
    run = on_a_small_disk(disk, 1, sys.executable, "-c", PROGRAM, str(disk))
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)

    assert found["reads"] == {**dict.fromkeys(OF_FILES, 200), **dict.fromkeys(OF_THE_DATABASE, 507)}
    assert found["changes"] == {path: [507, "disk_full"] for path in CHANGES}
    assert "is full, so the chats cannot be opened" in found["notice"]
    assert found["left_behind"] == []
    assert found["later"] == {"said": "Hello there.", "chats": 1, "notice": None, "kept": []}
