"""Recovery of a damaged SQLite file: the rows that plain SELECT reads, and those of its backup, go into a new file.

Pages are not read by hand: rows that SQLite does not return are lost here, and the damaged file stays for other
tools.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.files.writing import make_private_file, move_with_retry
from .sqlite_file import remove_database, set_aside, sqlite_url

if TYPE_CHECKING:
    from sqlalchemy import Engine

_REBUILT = ("message", "alembic_version")
"""Tables that are not copied: messages are written from the log, and the version is that of the new file."""
_TRANSIENT = ("draft",)
"""Tables that are not taken from a backup: the drafts of that day are finished by now."""
_APPEND_ONLY = ("event",)
"""Tables whose rows are taken from the backup first: rows of a damaged file may only look intact."""
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
"""The words for a table's content, for users; tables without one refill with use."""


@dataclass
class Recovery:
    """The outcome of a recovery: the number of `threads` in the new file, and the content that is `incomplete`."""

    threads: int = 0
    incomplete: list[str] = field(default_factory=list)

    def sentence(self) -> str:
        """Return a sentence about what is incomplete, or ""."""
        if not self.incomplete:
            return ""
        if len(self.incomplete) == len(_WORDS):
            return "Nothing could be read of it."
        return f"Not all could be read of: {', '.join(self.incomplete)}."


def replace_file(file: Path, backup: Path | None, prepare: Callable[[Engine], None]) -> tuple[Path, Recovery]:
    """Replace a file by a new one with its readable rows; return the path of the old file and what was recovered.

    `prepare` makes the tables of the new file. That takes its place once it is complete, so if something fails the old
    file is still there for the next attempt.
    """
    from sqlalchemy import create_engine

    new = file.with_name(f"{file.name}.new")
    remove_database(new)
    engine = create_engine(sqlite_url(new))
    try:
        make_private_file(new)
        prepare(engine)
        engine.dispose()
        recovery = recover(file, new, backup)
    except BaseException:
        engine.dispose()
        remove_database(new)
        raise
    aside = set_aside(file)
    move_with_retry(os.rename, new, file)
    return aside, recovery


def missing_content(recovery: Recovery, backup: Path | None) -> str:
    """Return sentences for the user about what is missing, or ""."""
    if backup is None or not recovery.incomplete:
        return recovery.sentence()
    day = time.strftime("%Y-%m-%d %H:%M", time.localtime(backup.stat().st_mtime))
    return f"{recovery.sentence()} What the backup of {day} has of it was added; what came later is missing."


def recover(damaged: Path, new: Path, backup: Path | None) -> Recovery:
    """Fill the empty tables of `new` with the rows of `damaged`, and those of `backup` that are unreadable there."""
    recovery = Recovery()
    with contextlib.ExitStack() as opened:
        target = opened.enter_context(contextlib.closing(sqlite3.connect(new, isolation_level=None)))
        source = opened.enter_context(contextlib.closing(_open_read_only(damaged)))
        saved = opened.enter_context(contextlib.closing(_open_read_only(backup))) if backup else None
        target.execute("BEGIN")
        tables = _tables(target)
        for table in tables:
            columns = _columns(target, table)
            if table in _APPEND_ONLY and saved:
                _copy_readable(saved, target, table, columns)
            if _copy_readable(source, target, table, columns):
                continue
            if table in _WORDS:
                recovery.incomplete.append(_WORDS[table])
            if saved and table not in _TRANSIENT:
                _copy_readable(saved, target, table, columns)
        _keep_threads_of_events(target)
        _drop_orphans(target, tables)
        target.execute("COMMIT")
        (recovery.threads,) = target.execute("SELECT count(*) FROM thread").fetchone()
    return recovery


def _open_read_only(file: Path) -> sqlite3.Connection:
    # With immutable=1 SQLite writes no files beside it, but does not read a write-ahead log either.
    how = "mode=ro" if file.with_name(f"{file.name}-wal").exists() else "immutable=1"
    connection = sqlite3.connect(f"{file.absolute().as_uri()}?{how}", uri=True, isolation_level=None)
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    with contextlib.suppress(sqlite3.Error, UnicodeDecodeError):
        # A file shorter than its header says is then read as far as it goes, not refused.
        connection.execute("PRAGMA writable_schema=ON")
    return connection


def _tables(target: sqlite3.Connection) -> list[str]:
    made = target.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid").fetchall()
    return [
        name
        for (name,) in made
        if name not in _REBUILT and not name.startswith(("message_search", "sqlite_"))
    ]


def _columns(connection: sqlite3.Connection, table: str) -> dict[str, str]:
    """Return the types of a table's columns by name."""
    return {name: kind for _, name, kind, *_ in connection.execute(f"PRAGMA table_info({table})")}


def _copy_readable(
    source: sqlite3.Connection, target: sqlite3.Connection, table: str, columns: Mapping[str, str]
) -> bool:
    """Copy the missing rows of a table, from both ends up to the damage, and return whether all could be read."""
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
    """Reads the rows of a table in order up to the first unreadable one, then from the other end."""

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
        # The driver reads one row ahead and, if that fails, returns neither of the two:
        # the last row before the damage is read alone.
        for limit in (-1, 1):
            select = f"{self._select} WHERE rowid > ? AND rowid < ? ORDER BY rowid {order} LIMIT {limit}"
            try:
                for number, *values in self._source.execute(select, [self._low, self._high]):
                    if not self._low < number < self._high:
                        # Damaged pages that refer to each other are an endless loop.
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
    """Insert threads of which only messages are left, without a name, with the times of their first and last
    message.
    """
    target.execute(
        "INSERT OR IGNORE INTO thread (id, created_at, updated_at) "
        "SELECT thread_id, min(created_at), max(created_at) FROM event "
        "WHERE thread_id NOT IN (SELECT id FROM thread) GROUP BY thread_id"
    )


def _drop_orphans(target: sqlite3.Connection, tables: Sequence[str]) -> None:
    """Delete the rows of lost threads, as if those threads had been deleted."""
    for table in tables:
        for _, _, parent, column, to, _, on_delete, _ in target.execute(f"PRAGMA foreign_key_list({table})"):
            is_orphan = f"{column} NOT IN (SELECT {to} FROM {parent})"  # noqa: S608 - names of our schema
            if on_delete == "SET NULL":
                target.execute(f"UPDATE {table} SET {column} = NULL WHERE {is_orphan}")  # noqa: S608
            else:
                target.execute(f"DELETE FROM {table} WHERE {is_orphan}")  # noqa: S608
