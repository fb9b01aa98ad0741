"""What can be read of another SQLite file, damaged or older, brought over into a new one."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .lost_rows import rows_on_pages
from .lost_schema import MadeTable
from .readable_copy import readable_copy

if TYPE_CHECKING:
    from sqlalchemy import Connection, Insert
    from sqlalchemy.types import TypeEngine

_ALL, _ONE = -1, 1
_SINGLE_STEPS = 64
_FARTHEST = 2**40
_FAR = 1_000_000
_DAY = 86_400.0


def salvage(file: Path, connection: Connection) -> int:
    """Copy every readable row into the new, empty database; how many threads there are then.

    Threads of which only the messages are left come back without their title. The conversation table is not copied
    but made anew from the log.
    """
    from ..message_rows import catch_up
    from ..schema import event, message, metadata, thread

    with (
        readable_copy(file, _tables(connection)) as copy,
        contextlib.closing(sqlite3.connect(copy)) as old,
    ):
        old.text_factory = lambda text: text.decode("utf-8", "replace")
        # What belongs to a thread is let in only once the thread is there, if need be for the sake of its events.
        for table in sorted(metadata.sorted_tables, key=lambda table: table not in (thread, event)):
            if table is not message:
                types = {column.name: column.type for column in table.columns}
                _copy(_found_rows(old, copy, table.name, types), connection, table.name, types)
    catch_up(connection)
    return len(connection.execute(thread.select()).all())


def _tables(connection: Connection) -> dict[str, MadeTable]:
    """Those of a new database."""
    rows = connection.exec_driver_sql("SELECT name, sql, rootpage FROM sqlite_master WHERE type = 'table'")
    return {name: MadeTable(sql, root) for name, sql, root in rows if sql and not name.startswith("sqlite_")}


def _copy(
    rows: Iterable[Mapping[str, Any]], connection: Connection, name: str, types: Mapping[str, TypeEngine[Any]]
) -> None:
    from sqlalchemy import column, table

    from ..sound_types import sound_value

    insert = table(name, *map(column, types)).insert().prefix_with("OR IGNORE")
    for row in rows:
        if sum(value is not None for value in row.values()) <= 1:
            # Nothing is left of it but its number.
            continue
        values = {name: sound_value(types[name], value) for name, value in row.items()}
        if name == "event":
            _keep_thread(connection, values)
        # What is missing is as in a row that is made without it.
        _insert(connection, insert, {name: value for name, value in values.items() if value is not None})


def _found_rows(
    old: sqlite3.Connection, file: Path, table: str, wanted: Container[str]
) -> Iterator[dict[str, Any]]:
    """The rows of a table, by the columns that are wanted: as SQLite reads them, then those that it does not read."""
    seen: set[int] = set()
    with contextlib.suppress(sqlite3.DatabaseError, UnicodeDecodeError):
        there = old.execute(f"PRAGMA table_info({table})").fetchall()
        if columns := [name for _, name, *_ in there if name in wanted]:
            for row in _readable_rows(old, table, columns, seen):
                yield dict(zip(columns, row, strict=True))
    with contextlib.suppress(sqlite3.DatabaseError, UnicodeDecodeError, TypeError):
        there = old.execute(f"PRAGMA table_info({table})").fetchall()
        (root,) = old.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", [table]).fetchone()
        for number, values in rows_on_pages(file, root):
            if number not in seen:
                seen.add(number)
                yield {
                    name: number if kind == "INTEGER" and key else value
                    # A row of before a column was added does not have it.
                    for (_, name, kind, _, _, key), value in zip(there, values, strict=False)
                    if name in wanted
                }


def _readable_rows(
    old: sqlite3.Connection, table: str, columns: Sequence[str], seen: set[int]
) -> Iterator[tuple[Any, ...]]:
    """The rows of a table in their order, over the damaged places: first row by row, then in growing steps.

    The driver looks at the row behind the one that it hands out, and where that fails it hands out neither: the one
    before a damaged place is read alone. Their numbers go into `seen`.
    """
    names = ", ".join(f'"{name}"' for name in columns)
    # From a row on, not behind the one before, which may stand on a page that is lost.
    rows = f'SELECT rowid, {names} FROM "{table}" WHERE rowid >= ? ORDER BY rowid LIMIT ?'  # noqa: S608 - names of our schema
    next_row, failures, at_once = 1, 0, _ALL
    while next_row <= _FARTHEST:
        begin = next_row
        with contextlib.suppress(sqlite3.DatabaseError):
            for row in old.execute(rows, (next_row, at_once)):
                if row[0] in seen:
                    # Pages that name each other go round for ever.
                    break
                seen.add(row[0])
                # A number far from the one before is damaged itself, and the rows behind it have theirs.
                next_row, failures = (row[0] if 0 <= row[0] - next_row < _FAR else next_row) + 1, 0
                yield row[1:]
            else:
                if at_once == _ALL or next_row == begin:
                    return
        if at_once == _ALL:
            at_once = _ONE
        elif next_row > begin:
            at_once = _ALL
        else:
            failures += 1
            next_row += 1 if failures <= _SINGLE_STEPS else 2 ** (failures - _SINGLE_STEPS)


def _keep_thread(connection: Connection, event: dict[str, Any]) -> None:
    """Have the thread of an event, as old as its first and as new as its newest."""
    from sqlalchemy import column, func, table
    from sqlalchemy.dialects.sqlite import insert

    at = event.get("created_at")
    if not isinstance(at, (int, float)) or not (event.get("kind") and event.get("payload")):
        return
    at = at if 0 < at < time.time() + _DAY else 0.0
    thread = table("thread", column("id"), column("created_at"), column("updated_at"))
    insertion = insert(thread)
    newest = func.max(thread.c.updated_at, insertion.excluded.updated_at)
    keeping = insertion.on_conflict_do_update(index_elements=["id"], set_={"updated_at": newest})
    _insert(connection, keeping, {"id": event.get("thread_id"), "created_at": at, "updated_at": at})


def _insert(connection: Connection, insert: Insert, values: dict[str, Any]) -> None:
    from sqlalchemy.exc import SQLAlchemyError

    # A row of which the database itself says that it cannot be.
    with contextlib.suppress(SQLAlchemyError):
        connection.execute(insert, values)
