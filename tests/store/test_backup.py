from __future__ import annotations

import asyncio
import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from comfyui_assistant.engine.store import backup
from comfyui_assistant.engine.store.backup import backup_path, copy_database, is_backup_due
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.threads import ThreadStore

from .log_events import user
from .message_ids import message_ids

HOUR = 3_600


def set_age(file: Path, seconds: float) -> None:
    at = time.time() - seconds
    os.utime(backup_path(file), (at, at))


async def test_a_copy_of_the_day_stands_beside_the_database_and_is_taken_once(
    store: ThreadStore, database: Database, folder: Path, thread_id: str
) -> None:
    file = folder / "assistant.sqlite3"
    await store.append(thread_id, [user("u1", "hello")])
    await database.back_up()
    first = backup_path(file).stat()
    await database.back_up()
    assert backup_path(file).stat() == first
    if os.name == "posix":
        assert first.st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(f"{backup_path(file).as_uri()}?mode=ro", uri=True)) as connection:
        assert connection.execute("SELECT message_id FROM event").fetchall() == [("u1",)]
    assert [path.name for path in folder.glob("*backup*")] == ["assistant.sqlite3.backup"]

    set_age(file, 25 * HOUR)
    await database.back_up()
    assert time.time() - backup_path(file).stat().st_mtime < HOUR


@pytest.mark.parametrize(("hours", "expected"), [(23, False), (25, True), (-1, True)])
def test_a_copy_is_due_a_day_after_the_last_one(tmp_path: Path, hours: int, *, expected: bool) -> None:
    file = tmp_path / "assistant.sqlite3"
    file.touch()
    assert is_backup_due(file)
    backup_path(file).touch()
    set_age(file, hours * HOUR)
    assert is_backup_due(file) is expected


def test_a_disk_without_room_for_a_copy_gets_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "assistant.sqlite3"
    file.write_bytes(bytes(1_000))
    usage = backup.shutil.disk_usage(tmp_path)
    monkeypatch.setattr(backup.shutil, "disk_usage", lambda _: usage._replace(free=1_999))
    assert not is_backup_due(file)


def test_of_what_is_no_database_no_copy_is_left(tmp_path: Path) -> None:
    file = tmp_path / "assistant.sqlite3"
    file.write_bytes(b"somebody's letter. " * 500)
    with pytest.raises(sqlite3.DatabaseError):
        copy_database(file)
    assert list(tmp_path.iterdir()) == [file]


async def test_the_chat_goes_on_while_a_copy_is_taken(
    store: ThreadStore, database: Database, thread_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end = asyncio.Event()
    loop = asyncio.get_running_loop()

    def slow(file: Path) -> Path:
        copy = copy_database(file)
        asyncio.run_coroutine_threadsafe(may_end.wait(), loop).result(5)
        return copy

    monkeypatch.setattr(backup, "copy_database", slow)
    backing_up = asyncio.create_task(database.back_up())
    await store.append(thread_id, [user("u1", "hello")])
    assert await message_ids(store, thread_id) == ["u1"]
    assert not backing_up.done()
    may_end.set()
    await backing_up


async def test_what_is_deleted_while_a_copy_is_taken_is_not_kept_in_it(
    store: ThreadStore, database: Database, folder: Path, thread_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    deleted = asyncio.Event()
    loop = asyncio.get_running_loop()

    def slow(file: Path) -> Path:
        copy = copy_database(file)
        asyncio.run_coroutine_threadsafe(deleted.wait(), loop).result(5)
        return copy

    monkeypatch.setattr(backup, "copy_database", slow)
    backing_up = asyncio.create_task(database.back_up())
    await asyncio.sleep(0.05)
    await store.delete(thread_id)
    deleted.set()
    await backing_up
    assert not list(folder.glob("*backup*"))


async def test_a_damaged_database_takes_no_good_backup_away(
    store: ThreadStore, database: Database, folder: Path, thread_id: str
) -> None:
    file = folder / "assistant.sqlite3"
    await store.append(thread_id, [user(f"u{number}", "x" * 3_000) for number in range(20)])
    await database.back_up()
    good = backup_path(file).read_bytes()
    set_age(file, 25 * HOUR)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    content = file.read_bytes()
    with file.open("r+b") as opened:
        opened.seek(content.index(b'{"parts"') // 4_096 * 4_096)
        opened.write(b"\x77" * 4_096)

    await database.back_up()

    assert backup_path(file).read_bytes() == good
    assert await message_ids(store, thread_id) == [f"u{number}" for number in range(20)]
    assert "was damaged" in str(database.notice)


async def test_the_backup_of_a_database_that_is_gone_is_kept_from_the_next_one(
    store: ThreadStore, database: Database, folder: Path, thread_id: str
) -> None:
    await store.append(thread_id, [user("u1", "hello")])
    await database.back_up()
    database.close()
    for part in ("", "-wal", "-shm"):
        (folder / f"assistant.sqlite3{part}").unlink(missing_ok=True)

    again = Database.in_folder(folder)
    assert await ThreadStore(again).list() == []
    (aside,) = folder.glob("assistant.sqlite3.backup-*")
    assert f"Its backup is kept as {aside.name}" in str(again.notice)
    again.close()


async def test_a_copy_that_a_killed_process_left_goes_with_the_next_one(
    store: ThreadStore, database: Database, folder: Path, thread_id: str
) -> None:
    left = folder / "assistant.sqlite3.backup-new-1"
    left.write_bytes(b"half a copy")
    at = time.time() - 25 * HOUR
    os.utime(left, (at, at))
    await store.append(thread_id, [user("u1", "hello")])
    await database.back_up()
    assert [path.name for path in folder.glob("*backup*")] == ["assistant.sqlite3.backup"]
