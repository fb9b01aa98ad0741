"""Copies of a database, each damaged in its own way: each opens, and what SQLite recovers is there too."""

from __future__ import annotations

import asyncio
import logging
import random
import tempfile
from dataclasses import dataclass
from pathlib import Path

from comfyui_assistant.engine.store.database import Database
from comfyui_assistant.engine.store.threads import ThreadStore

from bench.report import Figure, Report, none_of
from tests.store.damage import (
    DAMAGE,
    MESSAGES,
    THREADS,
    messages_that_sqlite_recovers,
    whole_database,
    with_bits_turned,
)
from tests.store.log_events import user
from tests.store.message_ids import message_ids


@dataclass
class Tally:
    copies: int = 0
    closed: int = 0
    less_than_sqlite: int = 0
    untold: int = 0
    found: int = 0
    compared: int = 0
    recoverable: int = 0


async def measure(amount: int, dice: random.Random) -> Report:
    logging.getLogger("comfyui_assistant").setLevel(logging.CRITICAL)
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        whole = await asyncio.to_thread(whole_database, Path(folder))
    while tally.copies < amount:
        damage = DAMAGE[tally.copies % len(DAMAGE)]
        content = damage(bytearray(whole), dice)
        with tempfile.TemporaryDirectory() as folder:
            await _open(Path(folder), content, tally, is_told=damage is not with_bits_turned)
        tally.copies += 1
    total = tally.copies * THREADS * MESSAGES
    figures = [
        none_of("copies that do not open, or take no new message", tally.closed, tally.copies),
        none_of(
            "copies of which fewer messages are there than SQLite recovers",
            tally.less_than_sqlite,
            tally.compared,
        ),
        none_of("copies with a loss that is not told", tally.untold, tally.copies),
        Figure("messages that are there", f"{tally.found:,} of {total:,}"),
    ]
    recovery = f"{tally.recoverable:,} of {total:,}" if tally.compared else "the shell here has no `.recover`"
    figures.append(Figure("messages that `.recover` of SQLite finds", recovery))
    return Report(
        name="damage",
        title="A damaged database",
        how=(
            f"{amount} copies of a database of {THREADS} threads with {MESSAGES} messages each, damaged in "
            f"{len(DAMAGE)} ways "
            "(cut, emptied, pages, headers, schema texts or bits lost); SQLite's own recovery by its shell, of "
            "which the messages that are whole count. A bit within the id of a thread makes another id of it, which "
            "nobody can tell: there are no checksums."
        ),
        figures=figures,
    )


async def _open(folder: Path, content: bytes, tally: Tally, *, is_told: bool) -> None:
    file = folder / "assistant.sqlite3"
    file.write_bytes(content)
    recoverable = messages_that_sqlite_recovers(file)
    database = Database.in_folder(folder)
    store = ThreadStore(database)
    try:
        found = sum([len(await message_ids(store, thread.id)) for thread in await store.list()])
        thread_id = (await store.create()).id
        await store.append(thread_id, [user("later", "and on it goes")])
        tally.closed += await message_ids(store, thread_id) != ["later"]
    except Exception as error:
        print(f"copy {tally.copies}: {type(error).__name__}: {error}")
        tally.closed += 1
        return
    finally:
        database.close()
    tally.found += found
    tally.compared += recoverable is not None
    tally.recoverable += recoverable or 0
    tally.less_than_sqlite += found < (recoverable or 0)
    tally.untold += is_told and found < THREADS * MESSAGES and database.notice is None
