from __future__ import annotations

import random
import shutil
import sqlite3
from pathlib import Path

import pytest
from comfyui_assistant.engine.base.errors import StoreError
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.threads import ThreadStore

from .log_events import step, text, user
from .message_ids import message_ids


async def test_a_full_disk_loses_nothing_and_leaves_no_half_of_anything(
    store: ThreadStore, database: Database, thread_id: str
) -> None:
    async def limit(pages: int) -> None:
        await database.run(lambda c: c.exec_driver_sql(f"PRAGMA max_page_count = {pages}"))

    await limit(await database.run(lambda c: c.exec_driver_sql("PRAGMA page_count").scalar_one()) + 12)
    written = 0
    failure: StoreError | None = None
    while failure is None:
        events = [user(f"u{written}", "x" * 3_000), step(f"a{written}", text("y" * 3_000))]
        try:
            await store.append(thread_id, events)
            written += 1
        except StoreError as error:
            failure = error
    assert written > 0
    assert failure.code == "disk_full"
    assert "Delete files on that disk" in failure.hint
    kept = [one for number in range(written) for one in (f"u{number}", f"a{number}")]
    assert await message_ids(store, thread_id) == kept
    await limit(1_000_000)
    await store.append(thread_id, [user("later", "again")])
    assert await message_ids(store, thread_id) == [*kept, "later"]


@pytest.mark.parametrize("seed", range(8))
async def test_a_torn_write_ahead_log_leaves_a_beginning_of_what_was_written(
    store: ThreadStore, folder: Path, thread_id: str, seed: int, tmp_path: Path
) -> None:
    for number in range(12):
        await store.append(thread_id, [user(f"u{number}", "x" * 500)])
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("*-shm"))
    log = copy / "assistant.sqlite3-wal"
    content = bytearray(log.read_bytes())
    dice = random.Random(seed)
    if seed % 2:
        content[dice.randrange(len(content))] ^= 0xFF
    else:
        del content[dice.randrange(len(content)) :]
    log.write_bytes(content)
    after = ThreadStore(Database.in_folder(copy))
    threads = await after.list()
    if threads:
        found = await message_ids(after, thread_id)
        assert found == [f"u{number}" for number in range(len(found))]
    connection = sqlite3.connect(copy / "assistant.sqlite3")
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


async def test_a_file_that_is_deleted_while_it_is_open_is_named_and_a_new_one_begun(
    store: ThreadStore, database: Database, folder: Path, thread_id: str
) -> None:
    await store.append(thread_id, [user("u1", "this goes")])
    await database.back_up()
    for suffix in ("", "-wal", "-shm"):
        (folder / f"assistant.sqlite3{suffix}").unlink()
    later = (await store.create()).id
    assert database.notice is not None
    assert "deleted or replaced" in database.notice
    (backup,) = folder.glob("*.backup*")
    assert f"is kept as {backup.name}." in database.notice
    await store.append(later, [user("u2", "this stays")])
    assert [summary.id for summary in await store.list()] == [later]
    database.close()
    again = Database.in_folder(folder)
    assert await message_ids(ThreadStore(again), later) == ["u2"]
    again.close()


async def test_a_file_that_is_put_in_place_of_the_open_one_is_read(
    store: ThreadStore, folder: Path, thread_id: str, empty_database: Path
) -> None:
    for file in folder.glob("assistant.sqlite3*"):
        file.unlink()
    shutil.copy(empty_database, folder)
    assert await store.list() == []
    assert store.notice is not None


@pytest.mark.parametrize("length", [1, 16, 18, 19, 47, 99])
async def test_a_file_that_ends_within_its_header_is_kept_and_a_new_one_begun(
    folder: Path, empty_database: Path, length: int
) -> None:
    folder.mkdir()
    (folder / "assistant.sqlite3").write_bytes(empty_database.read_bytes()[:length])
    database = Database.in_folder(folder)
    threads = ThreadStore(database)

    made = await threads.create()

    assert [summary.id for summary in await threads.list()] == [made.id]
    assert "is kept as" in str(database.notice)
    assert [path.stat().st_size for path in folder.glob("*.broken-*")] == [length]
    database.close()


async def test_a_link_to_a_disk_that_is_not_connected_stays_until_it_is(
    folder: Path, empty_database: Path, tmp_path: Path
) -> None:
    folder.mkdir()
    link, disk = folder / "assistant.sqlite3", tmp_path / "disk"
    link.symlink_to(disk / "chats.sqlite3")
    database = Database.in_folder(folder)
    threads = ThreadStore(database)
    for _ in range(2):
        with pytest.raises(StoreError, match=r"is a link to .* and that folder is not there") as refused:
            await threads.create()
        assert "Connect the disk" in str(refused.value.hint)

    disk.mkdir()
    shutil.copy(empty_database, disk / "chats.sqlite3")
    made = await threads.create()

    assert link.is_symlink()
    database.close()
    elsewhere = Database.in_folder(folder)
    assert [summary.id for summary in await ThreadStore(elsewhere).list()] == [made.id]
    elsewhere.close()
