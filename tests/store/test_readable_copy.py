"""Copies of a database, each damaged in its own way: every one opens, and what is lost is told."""

from __future__ import annotations

import asyncio
import contextlib
import random
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.threads import ThreadStore

from .log_events import user
from .message_ids import message_ids

PAGE = 4_096
THREADS, MESSAGES = 8, 12
SEEDS = range(6)
TABLES = (b"thread", b"event", b"pin", b"message", b"alembic_version")


def cut(content: bytearray, dice: random.Random) -> bytes:
    return bytes(content[: dice.randrange(len(content))])


def cut_by_a_page(content: bytearray, _: random.Random) -> bytes:
    return bytes(content[:-PAGE])


def empty(_: bytearray, __: random.Random) -> bytes:
    return b""


def with_pages_lost(content: bytearray, dice: random.Random) -> bytes:
    for start in dice.sample(range(0, len(content), PAGE), 4):
        content[start : start + PAGE] = dice.choice([dice.randbytes(PAGE), bytes(PAGE)])
    return bytes(content)


def with_a_tail_of_zeros(content: bytearray, dice: random.Random) -> bytes:
    length = dice.randrange(1, len(content) // 2)
    return bytes(content[:-length]) + bytes(length)


def with_bytes_of_the_header_lost(content: bytearray, dice: random.Random) -> bytes:
    for _ in range(dice.randrange(1, 8)):
        content[dice.randrange(100)] = dice.randrange(256)
    return bytes(content)


def with_bytes_of_the_schema_lost(content: bytearray, dice: random.Random) -> bytes:
    for _ in range(dice.randrange(1, 10)):
        content[dice.randrange(100, PAGE)] = dice.randrange(256)
    return bytes(content)


def with_a_table_renamed_by_accident(content: bytearray, dice: random.Random) -> bytes:
    place = content.index(b"CREATE TABLE " + dice.choice(TABLES))
    content[place + dice.randrange(24)] = dice.choice([0xE8, 0x58, 0x00])
    return bytes(content)


def with_bits_turned(content: bytearray, dice: random.Random) -> bytes:
    for _ in range(dice.choice([20, 200])):
        content[dice.randrange(len(content))] ^= 1 << dice.randrange(8)
    return bytes(content)


DAMAGE: list[Callable[[bytearray, random.Random], bytes]] = [
    cut,
    cut_by_a_page,
    empty,
    with_pages_lost,
    with_a_tail_of_zeros,
    with_bytes_of_the_header_lost,
    with_bytes_of_the_schema_lost,
    with_a_table_renamed_by_accident,
    with_bits_turned,
]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The content of a database with eight threads of twelve messages."""
    folder = tmp_path_factory.mktemp("whole")
    asyncio.run(fill(folder))
    with contextlib.closing(sqlite3.connect(folder / "assistant.sqlite3")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return (folder / "assistant.sqlite3").read_bytes()


async def fill(folder: Path) -> None:
    database = Database.in_folder(folder)
    store = ThreadStore(database)
    for thread in range(THREADS):
        thread_id = (await store.create()).id
        lengths = random.Random(thread)
        said = [user(f"u{thread}-{n}", "x" * lengths.randrange(20, 3_000)) for n in range(MESSAGES)]
        await store.append(thread_id, said)
    database.close()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("damage", DAMAGE)
async def test_every_damaged_copy_opens_and_tells_what_is_lost(
    whole: bytes, tmp_path: Path, damage: Callable[[bytearray, random.Random], bytes], seed: int
) -> None:
    file = tmp_path / "assistant.sqlite3"
    content = damage(bytearray(whole), random.Random(seed))
    file.write_bytes(content)
    readable = messages_that_sqlite_recovers(file)
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


def messages_that_sqlite_recovers(file: Path) -> int:
    """What `.recover` of SQLite's own shell finds; 0 where it is not installed."""
    if (shell := shutil.which("sqlite3")) is None:
        return 0
    script = subprocess.run(
        [shell, str(file), ".recover"], capture_output=True, timeout=60, check=False
    ).stdout
    with contextlib.closing(sqlite3.connect(":memory:")) as recovered:
        for statement in script.decode("utf-8", "replace").split(";\n"):
            with contextlib.suppress(sqlite3.Error):
                recovered.execute(statement)
        with contextlib.suppress(sqlite3.Error):
            return recovered.execute("SELECT count(*) FROM event").fetchone()[0]
    return 0


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
