"""What is read from a store again: the newest of all who write there, and what could not be written."""

from __future__ import annotations

import asyncio

import pytest
from comfyui_assistant.engine.errors import StoreError
from comfyui_assistant.engine.store.read_again import ReadAgain


class Table:
    """A table that others write to as well; while it `is_broken` nobody reads or writes."""

    def __init__(self) -> None:
        self.rows: dict[str, int] = {}
        self.is_broken = False
        self.reads = 0
        self.now = 0.0
        self.gate: asyncio.Event | None = None

    async def read(self, key: str) -> int | None:
        self.reads += 1
        row = self.rows.get(key)
        if self.gate is not None:
            await self.gate.wait()
        if self.is_broken:
            raise StoreError("unreadable", "It cannot be read.")
        return row

    async def write(self, key: str, value: int) -> None:
        if self.is_broken:
            raise StoreError("unwritable", "It cannot be written.")
        self.rows[key] = value

    def remembered(self) -> ReadAgain[str, int]:
        return ReadAgain(self.read, clock=lambda: self.now)


async def test_a_row_is_read_once_in_five_seconds() -> None:
    table = Table()
    rows = table.remembered()
    assert [await rows.get("a"), await rows.get("a")] == [None, None]
    table.rows["a"] = 1
    table.now = 4.9
    assert (await rows.get("a"), table.reads) == (None, 1)
    table.now = 5.0
    assert (await rows.get("a"), table.reads) == (1, 2)


async def test_what_cannot_be_written_holds_and_what_can_gives_way_to_others() -> None:
    table = Table()
    rows = table.remembered()
    table.is_broken = True
    with pytest.raises(StoreError):
        await rows.write("a", 1, table.write("a", 1))
    table.is_broken, table.now = False, 60.0
    assert await rows.get("a") == 1
    await rows.write("a", 2, table.write("a", 2))
    table.rows["a"], table.now = 3, 65.0
    assert await rows.get("a") == 3


async def test_what_was_read_before_holds_where_it_cannot_be_read_now() -> None:
    table = Table()
    rows = table.remembered()
    table.rows["a"] = 1
    assert await rows.get("a") == 1
    table.is_broken, table.now = True, 5.0
    assert await rows.get("a") == 1
    with pytest.raises(StoreError):
        await rows.get("b")


async def test_what_is_written_while_it_is_read_is_newer() -> None:
    table = Table()
    rows = table.remembered()
    table.gate = asyncio.Event()
    reading = asyncio.create_task(rows.get("a"))
    await asyncio.sleep(0)
    await rows.write("a", 2, table.write("a", 2))
    table.gate.set()
    assert await reading == 2
    assert await rows.get("a") == 2
