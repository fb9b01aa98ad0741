"""Copies of a database, each damaged in its own way: each opens, with all that its backup has."""

from __future__ import annotations

import asyncio
import logging
import random
import tempfile
from dataclasses import dataclass
from pathlib import Path

from comfyui_assistant.engine.store.backup import backup_path
from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.threads import ThreadStore

from bench.report import Figure, Report, none_of
from tests.store.damage import DAMAGE, MESSAGES, THREADS, whole_database, with_bits_turned
from tests.store.log_events import user
from tests.store.message_ids import message_ids

ALL = THREADS * MESSAGES


@dataclass
class Tally:
    copies: int = 0
    closed: int = 0
    untold: int = 0
    less_than_backup: int = 0
    compared: int = 0
    read: int = 0
    """Messages that are there without a backup."""


async def measure(amount: int, dice: random.Random) -> Report:
    logging.getLogger("comfyui_assistant").setLevel(logging.CRITICAL)
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        whole = await asyncio.to_thread(whole_database, Path(folder))
    while tally.copies < amount:
        damage = DAMAGE[tally.copies % len(DAMAGE)]
        content = damage(bytearray(whole), dice)
        is_certain = damage is not with_bits_turned
        found, is_told = await _open(content, None, tally)
        tally.read += found
        tally.untold += is_certain and found < ALL and not is_told
        if is_certain:
            found, _ = await _open(content, whole, tally)
            tally.compared += 1
            tally.less_than_backup += found < ALL
        tally.copies += 1
    return Report(
        name="damage",
        title="A damaged database",
        how=(
            f"{amount} copies of a database of {THREADS} threads with {MESSAGES} messages each, damaged in "
            f"{len(DAMAGE)} ways "
            "(cut, emptied, pages, headers, schema texts or bits lost), each opened without a backup, and but for the "
            "lost bits with the backup that is taken once a day. A bit within the id of a thread makes another id of "
            "it, which nobody can tell: there are no checksums."
        ),
        figures=[
            none_of("copies that do not open, or take no new message", tally.closed, tally.copies),
            none_of("copies with a loss that is not told", tally.untold, tally.copies),
            none_of("copies with a backup that lack a message of it", tally.less_than_backup, tally.compared),
            Figure("messages that are there without a backup", f"{tally.read:,} of {tally.copies * ALL:,}"),
        ],
    )


async def _open(content: bytes, backup: bytes | None, tally: Tally) -> tuple[int, bool]:
    """How many messages are there, and whether the person is told of damage."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "assistant.sqlite3"
        file.write_bytes(content)
        if backup is not None:
            backup_path(file).write_bytes(backup)
        database = Database(file)
        store = ThreadStore(database)
        try:
            found = sum([len(await message_ids(store, thread.id)) for thread in await store.list()])
            thread_id = (await store.create()).id
            await store.append(thread_id, [user("later", "and on it goes")])
            tally.closed += await message_ids(store, thread_id) != ["later"]
            return found, database.notice is not None
        except Exception as error:
            print(f"copy {tally.copies}: {type(error).__name__}: {error}")
            tally.closed += 1
            return 0, True
        finally:
            database.close()
