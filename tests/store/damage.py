"""A database with threads, and ways in which it may be damaged."""

from __future__ import annotations

import asyncio
import contextlib
import random
import sqlite3
from collections.abc import Callable
from pathlib import Path

from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.threads import ThreadStore

from .log_events import user

PAGE = 4_096
THREADS, MESSAGES = 8, 12
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


def with_its_first_page_lost(content: bytearray, dice: random.Random) -> bytes:
    content[:PAGE] = dice.choice([dice.randbytes(PAGE), bytes(PAGE), content[:100] + bytes(PAGE - 100)])
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
    with_its_first_page_lost,
    with_a_table_renamed_by_accident,
    with_bits_turned,
]


def whole_database(folder: Path) -> bytes:
    """The content of a database with eight threads of twelve messages."""
    asyncio.run(_fill(folder))
    with contextlib.closing(sqlite3.connect(folder / "assistant.sqlite3")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return (folder / "assistant.sqlite3").read_bytes()


async def _fill(folder: Path) -> None:
    database = Database.in_folder(folder)
    store = ThreadStore(database)
    for thread in range(THREADS):
        thread_id = (await store.create()).id
        lengths = random.Random(thread)
        said = [user(f"u{thread}-{n}", "x" * lengths.randrange(20, 3_000)) for n in range(MESSAGES)]
        await store.append(thread_id, said)
    database.close()
