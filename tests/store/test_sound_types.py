"""A bit lost in a row makes a value of another type of it, or none, of which SQLite says nothing: reading goes on."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
from comfyui_assistant.engine.store.schema import metadata
from sqlalchemy import Column

from ..person_with_everything import keep_everything
from ..route_calls import route_calls
from ..running_assistant import RunningAssistant
from ..talking import talking


def rounds() -> Iterator[list[Column[Any]]]:
    """Columns of all tables, one of each at a time: what they name no other row by."""
    columns = [
        [
            column
            for column in table.columns
            if not (column.foreign_keys or column.primary_key or column.unique)
        ]
        for table in metadata.sorted_tables
    ]
    for together in zip_longest(*columns):
        yield [column for column in together if column is not None and column.name != "owner"]


def damage(folder: Path, column: Column[Any], value: Any) -> int:
    """Let every row hold it there; how many do. Some values SQLite itself lets stand nowhere twice."""
    statement = f'UPDATE "{column.table.name}" SET "{column.name}" = ?'
    with (
        contextlib.suppress(sqlite3.IntegrityError),
        that_may_hold_nothing(folder / "assistant.sqlite3", column.table.name) as file,
        closing(sqlite3.connect(file)) as database,
        database,
    ):
        return database.execute(statement, (value,)).rowcount
    return 0


@contextlib.contextmanager
def that_may_hold_nothing(file: Path, table: str) -> Iterator[Path]:
    """The file with a table that asks for no value meanwhile: what the damage does not care for."""

    def write(statement: str) -> None:
        with closing(sqlite3.connect(file)) as database, database:
            database.execute("PRAGMA writable_schema = ON")
            database.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (statement, table))

    with closing(sqlite3.connect(file)) as database:
        (made,) = database.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    write(made.replace(" NOT NULL", ""))
    try:
        yield file
    finally:
        write(made)


async def failures(assistant: RunningAssistant, places: Any) -> list[str]:
    """The calls that read, and a message, that are answered with a fault of ours."""
    calls = [
        call
        for call in route_calls(assistant, places)
        if call.route.method == "GET" or call.route.path == "/chat"
    ]
    replies = [(call, await assistant.call(call.route.method, call.path, call.body)) for call in calls]
    return [
        f"{call.name}: {reply.status} {reply.body[:200]!r}"
        for call, reply in replies
        if reply.status == 500 or b"internal_error" in reply.body
    ]


@pytest.mark.parametrize(
    "value",
    [b"\xff\x00{", "damaged", -7, 1e300, None],
    ids=["bytes", "text", "a number", "a fraction", "nothing"],
)
async def test_a_value_of_another_type_ends_no_reading(tmp_path: Path, value: Any) -> None:
    async with talking(tmp_path) as (assistant, _):
        places = await keep_everything(assistant.call, tmp_path)
    whole = {path: path.read_bytes() for path in tmp_path.glob("assistant.sqlite3*")}
    wrong, damaged = [], 0
    for columns in rounds():
        for path, content in whole.items():
            path.write_bytes(content)
        damaged += sum([damage(tmp_path, column, value) > 0 for column in columns])
        async with talking(tmp_path) as (assistant, _):
            wrong += [f"{[*map(str, columns)]}: {failure}" for failure in await failures(assistant, places)]
    assert wrong == []
    assert damaged > 30
