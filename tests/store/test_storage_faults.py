from __future__ import annotations

import random
import shutil
import sqlite3
from pathlib import Path

import pytest
from comfyui_assistant.engine.errors import StoreError
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.requests import Requests
from comfyui_assistant.engine.store.search import ThreadSearch
from comfyui_assistant.engine.store.threads import ThreadStore

from .log_events import step, text, user


async def questions(store: ThreadStore, thread_id: str) -> list[str]:
    return [message["id"] for message in await store.messages(thread_id)]


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
    assert failure.code == "store_failed"
    assert "full" in failure.message
    kept = [one for number in range(written) for one in (f"u{number}", f"a{number}")]
    assert await questions(store, thread_id) == kept
    await limit(1_000_000)
    await store.append(thread_id, [user("later", "again")])
    assert await questions(store, thread_id) == [*kept, "later"]


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
        found = await questions(after, thread_id)
        assert found == [f"u{number}" for number in range(len(found))]
    connection = sqlite3.connect(copy / "assistant.sqlite3")
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


PAGE = 4_096


@pytest.fixture
async def full(store: ThreadStore, folder: Path, tmp_path: Path) -> tuple[Path, dict[str, list[str]]]:
    """A copy of a database with six threads, and their messages."""
    written: dict[str, list[str]] = {}
    for number in range(6):
        thread_id = (await store.create()).id
        written[thread_id] = [f"u{number}-{index}" for index in range(40)]
        await store.append(thread_id, [user(one, f"{one} " + "x" * 300) for one in written[thread_id]])
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    connection = sqlite3.connect(copy / "assistant.sqlite3")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return copy, written


@pytest.mark.parametrize("seed", range(8))
async def test_of_a_file_with_damaged_pages_all_other_pages_are_read(
    full: tuple[Path, dict[str, list[str]]], seed: int
) -> None:
    copy, written = full
    content = bytearray((copy / "assistant.sqlite3").read_bytes())
    starts = range(0, len(content), PAGE)
    holding_messages = [start for start in starts if b'"parts"' in content[start : start + PAGE]]
    dice = random.Random(seed)
    for start in dice.sample(holding_messages, 3):
        content[start : start + PAGE] = bytes(PAGE) if seed % 2 else dice.randbytes(PAGE)
    (copy / "assistant.sqlite3").write_bytes(content)
    database = Database.in_folder(copy)
    after = ThreadStore(database)
    for thread_id in written:
        await after.messages(thread_id)
    found = {thread_id: await questions(after, thread_id) for thread_id in written}
    for thread_id, ids in found.items():
        assert ids == [one for one in written[thread_id] if one in ids]
    lost = sum(map(len, written.values())) - sum(map(len, found.values()))
    assert 0 < lost <= 3 * PAGE // 300
    assert database.notice is not None
    assert (copy / database.notice.rstrip(".").split()[-1]).stat().st_size == len(content)
    thread_id = next(iter(written))
    await after.append(thread_id, [user("later", "and on it goes")])
    assert [hit.message_id for hit in await ThreadSearch(database).search("goes")] == ["later"]
    database.close()


@pytest.mark.parametrize("left", [100, 3_000, PAGE, 5 * PAGE, 20 * PAGE + 17])
@pytest.mark.parametrize("is_cut", [True, False])
async def test_a_file_that_is_damaged_beyond_reading_is_kept_and_named(
    full: tuple[Path, dict[str, list[str]]], left: int, is_cut: bool
) -> None:
    copy, _ = full
    content = (copy / "assistant.sqlite3").read_bytes()
    rest = b"" if is_cut else b"\x77" * (len(content) - left)
    (copy / "assistant.sqlite3").write_bytes(content[:left] + rest)
    database = Database.in_folder(copy)
    after = ThreadStore(database)
    for summary in await after.list():
        await after.messages(summary.id)
    thread_id = (await after.create()).id
    await after.append(thread_id, [user("u1", "a new beginning")])
    assert await questions(after, thread_id) == ["u1"]
    assert database.notice is not None
    assert (copy / database.notice.rstrip(".").split()[-1]).read_bytes()[:100] == content[:100]
    database.close()


async def test_no_word_of_a_deleted_thread_is_left_on_the_disk(
    store: ThreadStore, database: Database, folder: Path, thread_id: str
) -> None:
    secret = "canary-7391"
    await store.append(thread_id, [user("u1", f"my {secret}"), step("a1", text(f"your {secret}"))])
    await store.save_draft(thread_id, "a2", [text(secret)])
    await Requests(database).keep(
        thread_id,
        message_id="a1",
        step=1,
        model="small",
        messages=[{"role": "user", "content": secret}],
        tools=[],
        estimated_tokens=1,
    )
    kept = (await store.create()).id
    await store.append(kept, [user("u1", "this stays")])

    def places() -> list[str]:
        return [path.name for path in folder.iterdir() if secret.encode() in path.read_bytes()]

    assert places() != []
    await store.delete(thread_id)
    assert places() == []
    assert await questions(store, kept) == ["u1"]


async def test_a_file_that_is_deleted_while_it_is_open_is_named_and_a_new_one_begun(
    store: ThreadStore, database: Database, folder: Path, thread_id: str
) -> None:
    await store.append(thread_id, [user("u1", "this goes")])
    for file in folder.glob("assistant.sqlite3*"):
        file.unlink()
    later = (await store.create()).id
    assert database.notice is not None
    assert "deleted or replaced" in database.notice
    await store.append(later, [user("u2", "this stays")])
    assert [summary.id for summary in await store.list()] == [later]
    database.close()
    again = Database.in_folder(folder)
    assert await questions(ThreadStore(again), later) == ["u2"]
    again.close()


async def test_a_file_that_is_put_in_place_of_the_open_one_is_read(
    store: ThreadStore, folder: Path, thread_id: str, empty_database: Path
) -> None:
    for file in folder.glob("assistant.sqlite3*"):
        file.unlink()
    shutil.copy(empty_database, folder)
    assert await store.list() == []
    assert store.notice is not None
