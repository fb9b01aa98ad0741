"""What plain SELECT reads of a damaged SQLite file, and what its backup has, carried into a new one.

No reading of pages by hand: a row that SQLite does not give is lost to us, and the damaged file stays for other tools.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_MADE_ANEW = ("message", "alembic_version")
"""The conversation table is made from the log, with its full-text index; the version is that of the new file."""
_OF_THE_MOMENT = ("draft",)
"""Not taken from a backup: what was being written on that day is finished by now."""
_NEVER_CHANGED = ("event",)
"""Rows that a backup has better: what looks whole in a damaged file may not be."""
_WORDS: Mapping[str, str] = {
    "thread": "names and settings of chats",
    "event": "messages",
    "pin": "pins",
    "own_entry": "rules, reminders and preferences",
    "cost": "costs",
    "made_run": "records of what was made",
    "task": "delegated tasks",
    "request": "records of requests",
}
"""What a person would miss of a table; the others are made anew by use."""


@dataclass
class Recovery:
    """What became of a damaged file: how many `threads` are in the new one, and of what rows are missing."""

    threads: int = 0
    incomplete: list[str] = field(default_factory=list)

    def told(self) -> str:
        """A sentence, or nothing."""
        if not self.incomplete:
            return ""
        if len(self.incomplete) == len(_WORDS):
            return "Nothing could be read of it."
        return f"Not all could be read of: {', '.join(self.incomplete)}."


def recover(damaged: Path, new: Path, backup: Path | None) -> Recovery:
    """Fill `new`, which has empty tables, with the rows of `damaged`, and of `backup` what could not be read there."""
    recovery = Recovery()
    with contextlib.ExitStack() as opened:
        target = opened.enter_context(contextlib.closing(sqlite3.connect(new, isolation_level=None)))
        source = opened.enter_context(contextlib.closing(_open_to_read(damaged)))
        saved = opened.enter_context(contextlib.closing(_open_to_read(backup))) if backup else None
        target.execute("BEGIN")
        tables = _tables(target)
        for table in tables:
            columns = _columns(target, table)
            if table in _NEVER_CHANGED and saved:
                _copy_readable(saved, target, table, columns)
            if _copy_readable(source, target, table, columns):
                continue
            if table in _WORDS:
                recovery.incomplete.append(_WORDS[table])
            if saved and table not in _OF_THE_MOMENT:
                _copy_readable(saved, target, table, columns)
        _keep_threads_of_events(target)
        _drop_orphans(target, tables)
        target.execute("COMMIT")
        (recovery.threads,) = target.execute("SELECT count(*) FROM thread").fetchone()
    return recovery


def _open_to_read(file: Path) -> sqlite3.Connection:
    # Immutable, SQLite writes nothing beside it; but then it does not read a write-ahead log either.
    how = "mode=ro" if file.with_name(f"{file.name}-wal").exists() else "immutable=1"
    connection = sqlite3.connect(f"{file.absolute().as_uri()}?{how}", uri=True, isolation_level=None)
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    with contextlib.suppress(sqlite3.Error, UnicodeDecodeError):
        # A file that is shorter than its header says is read as far as it goes, not refused as a whole.
        connection.execute("PRAGMA writable_schema=ON")
    return connection


def _tables(target: sqlite3.Connection) -> list[str]:
    made = target.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid").fetchall()
    return [
        name
        for (name,) in made
        if name not in _MADE_ANEW and not name.startswith(("message_search", "sqlite_"))
    ]


def _columns(connection: sqlite3.Connection, table: str) -> dict[str, str]:
    """The types of a table's columns by name."""
    return {name: kind for _, name, kind, *_ in connection.execute(f"PRAGMA table_info({table})")}


def _copy_readable(
    source: sqlite3.Connection, target: sqlite3.Connection, table: str, columns: Mapping[str, str]
) -> bool:
    """Copy the rows of a table that are not there yet, from both ends up to what is damaged; whether these are all."""
    try:
        there = _columns(source, table)
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        return False
    names = [name for name in columns if name in there]
    if not names:
        return False
    # A damaged value may be of any type.
    values = ", ".join(f'CAST("{name}" AS {columns[name]})' for name in names)
    into = ", ".join(f'"{name}"' for name in names)
    places = ", ".join("?" * len(names))
    insert = f'INSERT OR IGNORE INTO "{table}" ({into}) VALUES ({places})'  # noqa: S608 - names of our schema
    reader = _Reader(source, f'SELECT rowid, {values} FROM "{table}"')  # noqa: S608 - as above
    for row in reader.rows():
        target.execute(insert, row)
    return reader.is_complete


class _Reader:
    """Reads the rows of a table in their order up to one that cannot be read, then from the other end."""

    def __init__(self, source: sqlite3.Connection, select: str) -> None:
        self._source = source
        self._select = select
        self._low, self._high = -(2**63), 2**63 - 1
        self.is_complete = False

    def rows(self) -> Iterator[list[Any]]:
        yield from self._read("ASC")
        if not self.is_complete:
            yield from self._read("DESC")

    def _read(self, order: str) -> Iterator[list[Any]]:
        # The driver looks at the row behind the one that it hands out, and where that fails hands out neither:
        # the last one before a damaged place is read alone.
        for limit in (-1, 1):
            select = f"{self._select} WHERE rowid > ? AND rowid < ? ORDER BY rowid {order} LIMIT {limit}"
            try:
                for number, *values in self._source.execute(select, [self._low, self._high]):
                    if not self._low < number < self._high:
                        # Pages that name each other go round for ever.
                        return
                    if order == "ASC":
                        self._low = number
                    else:
                        self._high = number
                    yield values
                self.is_complete = limit == -1
                return
            except (sqlite3.DatabaseError, UnicodeDecodeError):
                continue


def _keep_threads_of_events(target: sqlite3.Connection) -> None:
    """A thread of which only the messages are left comes back without its name, as old and as new as they are."""
    target.execute(
        "INSERT OR IGNORE INTO thread (id, created_at, updated_at) "
        "SELECT thread_id, min(created_at), max(created_at) FROM event "
        "WHERE thread_id NOT IN (SELECT id FROM thread) GROUP BY thread_id"
    )


def _drop_orphans(target: sqlite3.Connection, tables: Sequence[str]) -> None:
    """What belongs to a thread that is lost goes as if it had been deleted."""
    for table in tables:
        for _, _, parent, column, to, _, on_delete, _ in target.execute(f"PRAGMA foreign_key_list({table})"):
            is_orphan = f"{column} NOT IN (SELECT {to} FROM {parent})"  # noqa: S608 - names of our schema
            if on_delete == "SET NULL":
                target.execute(f"UPDATE {table} SET {column} = NULL WHERE {is_orphan}")  # noqa: S608
            else:
                target.execute(f"DELETE FROM {table} WHERE {is_orphan}")  # noqa: S608
