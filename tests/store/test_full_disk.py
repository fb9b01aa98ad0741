from __future__ import annotations

import errno
import json
import sqlite3
import sys
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from comfyui_assistant.engine.store.full_disk import is_full

from ..small_disk import disk, on_a_small_disk

__all__ = ["disk"]

PROGRAM = "import tests.conftest; from tests.store.full_disk import main; main()"


def live_on(disk: Path, megabytes: int, filled_by: str, letters: int) -> CompletedProcess[str]:
    program = [sys.executable, "-c", PROGRAM, str(disk), filled_by, str(letters)]
    return on_a_small_disk(disk, megabytes, *program)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("megabytes", "filled_by", "letters"),
    [
        (16, "chats", 60_000),
        (16, "other files", 60_000),
        (8, "chats", 3_000),
        (8, "other files", 3_000),
    ],
    ids=lambda each: str(each),
)
def test_a_full_disk_harms_nothing_and_chats_go_on_once_there_is_room(
    disk: Path, megabytes: int, filled_by: str, letters: int
) -> None:
    run = live_on(disk, megabytes, filled_by, letters)
    assert run.returncode == 0, run.stderr
    found: dict[str, Any] = json.loads(run.stdout)
    assert found == {
        "refused": "disk_full",
        "hint": found["hint"],
        "readable": [17, 17],
        "newest": "later",
        "kept": True,
        "is_sound": True,
    }
    assert "Delete files on that disk" in found["hint"]


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        pytest.param(sqlite3.OperationalError("database or disk is full"), True, id="said by SQLite"),
        pytest.param(OSError(errno.ENOSPC, "No space left"), True, id="said by the system"),
        pytest.param(OSError(errno.EDQUOT, "Quota exceeded"), True, id="a quota"),
        pytest.param(OSError(errno.EACCES, "Permission denied"), False, id="another refusal"),
        pytest.param(sqlite3.OperationalError("disk I/O error"), False, id="an error while there is room"),
        pytest.param(sqlite3.OperationalError("database is locked"), False, id="a lock"),
        pytest.param(None, False, id="nothing"),
    ],
)
def test_a_full_disk_is_told_from_other_faults(
    tmp_path: Path, error: BaseException | None, expected: bool
) -> None:
    assert is_full(error, tmp_path / "assistant.sqlite3") is expected
