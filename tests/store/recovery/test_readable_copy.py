"""Copies of a database, each damaged in its own way: every one opens, and what is lost is told."""

from __future__ import annotations

import contextlib
import random
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.threads import ThreadStore

from ..damage import (
    DAMAGE,
    MESSAGES,
    PAGE,
    THREADS,
    messages_that_sqlite_recovers,
    whole_database,
    with_a_tail_of_zeros,
    with_bits_turned,
)
from ..log_events import user
from ..message_ids import message_ids

SEEDS = range(6)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return whole_database(tmp_path_factory.mktemp("whole"))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("damage", DAMAGE)
async def test_every_damaged_copy_opens_and_tells_what_is_lost(
    whole: bytes, tmp_path: Path, damage: Callable[[bytearray, random.Random], bytes], seed: int
) -> None:
    file = tmp_path / "assistant.sqlite3"
    content = damage(bytearray(whole), random.Random(seed))
    file.write_bytes(content)
    readable = messages_that_sqlite_recovers(file) or 0
    database = Database.in_folder(tmp_path)
    store = ThreadStore(database)
    found = sum([len(await message_ids(store, thread.id)) for thread in await store.list()])
    assert found >= readable
    # There are no checksums: a bit within the id of a thread makes another id of it, and nobody can tell.
    if found < THREADS * MESSAGES and damage is not with_bits_turned:
        assert database.notice is not None
        aside = tmp_path / database.notice.rstrip(".").split(" is kept as ")[-1].split()[0]
        assert aside.read_bytes()[:100] == content[:100]
    assert not list(tmp_path.glob("*.salvage*"))
    thread_id = (await store.create()).id
    await store.append(thread_id, [user("later", "and on it goes")])
    assert await message_ids(store, thread_id) == ["later"]
    database.close()


@pytest.mark.parametrize("first", [bytes(PAGE), b"\x77" * PAGE, random.Random(1).randbytes(PAGE), None])
async def test_of_a_file_without_its_first_page_everything_else_is_read(
    whole: bytes, tmp_path: Path, first: bytes | None
) -> None:
    begin = whole[:100] + bytes(PAGE - 100) if first is None else first
    (tmp_path / "assistant.sqlite3").write_bytes(begin + whole[PAGE:])
    database = Database.in_folder(tmp_path)
    store = ThreadStore(database)
    threads = await store.list()
    assert len(threads) == THREADS
    assert sum([len(await message_ids(store, thread.id)) for thread in threads]) == THREADS * MESSAGES
    assert database.notice is not None
    assert f"what could be read of {THREADS} threads" in database.notice
    database.close()


@pytest.mark.parametrize("told", [0x0200, 0x0800, 0x2000, 0x8000, 0x0001, 0x1234])
async def test_all_is_read_where_the_header_tells_another_size_of_pages(
    whole: bytes, tmp_path: Path, told: int
) -> None:
    (tmp_path / "assistant.sqlite3").write_bytes(whole[:16] + told.to_bytes(2, "big") + whole[18:])
    database = Database.in_folder(tmp_path)
    store = ThreadStore(database)
    assert sum([len(await message_ids(store, each.id)) for each in await store.list()]) == THREADS * MESSAGES
    database.close()


@pytest.mark.parametrize("size", [512, 1_024, 8_192, 65_536])
async def test_of_a_damaged_database_with_pages_of_another_size_as_much_is_read(
    whole: bytes, tmp_path: Path, size: int
) -> None:
    file = tmp_path / "assistant.sqlite3"
    file.write_bytes(whole)
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute(f"PRAGMA page_size = {size}")
        connection.execute("VACUUM")
    content = file.read_bytes()
    assert int.from_bytes(content[16:18], "big") == size % 65_535
    file.write_bytes(content[:44] + b"\xff" + content[45:])
    database = Database.in_folder(tmp_path)
    store = ThreadStore(database)
    assert sum([len(await message_ids(store, each.id)) for each in await store.list()]) == THREADS * MESSAGES
    assert database.notice is not None
    database.close()


async def test_a_row_that_is_found_again_and_again_does_not_hold_the_store_up(
    whole: bytes, tmp_path: Path
) -> None:
    (tmp_path / "assistant.sqlite3").write_bytes(with_a_tail_of_zeros(bytearray(whole), random.Random(17)))
    database = Database.in_folder(tmp_path)
    store = ThreadStore(database)
    for thread in await store.list():
        await store.messages(thread.id)
    database.close()


async def test_nobody_else_on_the_machine_can_read_the_chats(tmp_path: Path) -> None:
    folder = tmp_path / "assistant"
    folder.mkdir(mode=0o755)
    (folder / "assistant.sqlite3").touch(mode=0o644)
    (folder / "assistant.sqlite3").unlink()
    database = Database.in_folder(folder)
    await ThreadStore(database).create()
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()} == dict.fromkeys(
        ("assistant.lock", "assistant.sqlite3", "assistant.sqlite3-wal", "assistant.sqlite3-shm"), 384
    )
    database.close()
