from __future__ import annotations

import errno
import json
import os
import sqlite3
import sys
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from comfyui_assistant.engine.errors import StoreError
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.full_disk import is_full

from ..small_disk import disk, on_a_small_disk

__all__ = ["disk"]

PROGRAM = "import tests.conftest; from tests.store.full_disk import main; main()"


def live_on(disk: Path, megabytes: int, filled_by: str, letters: int) -> CompletedProcess[str]:
    program = [sys.executable, "-c", PROGRAM, str(disk), filled_by, str(letters)]
    return on_a_small_disk(disk, megabytes, *program)


@pytest.mark.parametrize(
    ("megabytes", "filled_by", "letters"),
    [
        (32, "chats", 60_000),
        (32, "other files", 60_000),
        (16, "chats", 60_000),
        (8, "chats", 3_000),
        (5, "chats", 3_000),
        (2, "chats", 3_000),
        (2, "other files", 3_000),
    ],
    ids=lambda each: str(each),
)
def test_chats_can_be_deleted_from_a_full_disk_and_the_others_go_on(
    disk: Path, megabytes: int, filled_by: str, letters: int
) -> None:
    run = live_on(disk, megabytes, filled_by, letters)
    assert run.returncode == 0, run.stderr
    found: dict[str, Any] = json.loads(run.stdout)
    assert found == {
        "refused": "disk_full",
        "hint": found["hint"],
        "readable": [17, 17],
        "deleted": True,
        "kept": True,
        "newest": "later",
        "is_sound": True,
    }
    assert "Delete chats" in found["hint"]


def test_where_there_is_no_room_even_to_delete_the_full_disk_is_told(disk: Path) -> None:
    run = live_on(disk, 5, "a log without its room", 3_000)
    assert "threads.delete(thread_id)" in run.stderr
    assert run.stderr.splitlines()[-1].endswith(
        "StoreError: The disk that holds your chats is full; nothing more can be written to it."
    )


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


async def test_room_is_kept_once_for_its_owner_alone_and_no_more_of_it(
    database: Database, folder: Path
) -> None:
    for _ in range(2):
        await database.keep_reserve()
    (reserve,) = folder.glob("*.reserve")
    assert reserve.stat().st_size == 6_000_000
    if os.name == "posix":
        assert reserve.stat().st_mode & 0o777 == 0o600


async def test_what_is_no_full_disk_is_not_tried_again(database: Database, thread_id: str) -> None:
    tries = 0

    def work(_: object) -> None:
        nonlocal tries
        tries += 1
        raise OSError(errno.EACCES, "Permission denied")

    with pytest.raises(StoreError) as caught:
        await database.delete(work)
    assert (caught.value.code, tries) == ("store_failed", 1)
