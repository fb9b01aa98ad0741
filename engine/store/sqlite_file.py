"""SQLite as it is used here, and what becomes of a file that is damaged."""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

logger = logging.getLogger(__name__)

_PRAGMAS = (
    "busy_timeout=5000",
    "synchronous=FULL",
    "foreign_keys=ON",
    "secure_delete=ON",
)
_PATIENCE_SECONDS = 5.0
_CORRUPT, _NOT_A_DATABASE = 11, 26
_NEWEST_SCHEMA_FORMAT = 4
_SMALLEST_PAGE = 512
_FRACTIONS = bytes((64, 32, 32))
_DIFFERENT_NAMES = (
    "SELECT 1 FROM event WHERE thread_id NOT IN (SELECT id FROM thread) LIMIT 1",
    "SELECT 1 FROM thread NOT INDEXED WHERE id NOT IN (SELECT id FROM thread) LIMIT 1",
)
"""What finds a thread whose name is another in an index than in its table, or in the log than in both."""


class SchemaDamage(Exception):
    """The file can be read, but its tables are not the ones that were made."""


def configure(engine: Engine) -> None:
    from sqlalchemy import event

    event.listen(engine, "connect", _configure_connection)
    event.listen(engine, "begin", _begin_to_write)


def drop_traces(engine: Engine) -> None:
    """Take what was deleted out of the write-ahead log too, unless another process is reading it."""
    connection = engine.raw_connection()
    try:
        connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error as error:
        logger.info("what was deleted stays in the write-ahead log for now: %s", error)
    finally:
        connection.close()


def is_no_database(path: Path) -> bool:
    """One whose name for itself is damaged is a database all the same where the fractions are there that all have.

    https://sqlite.org/fileformat2.html#the_database_header
    """
    if not path.exists():
        return False
    with path.open("rb") as file:
        header = file.read(_SMALLEST_PAGE)
    is_whole = header[:16] == b"SQLite format 3\0"
    return not is_whole and (len(header) < _SMALLEST_PAGE or header[21:24] != _FRACTIONS)


def is_from_before_release(path: Path) -> bool:
    """Whether the file has the shape of before the first release, whose revisions had numbers for names."""
    if not path.exists():
        return False
    with contextlib.closing(sqlite3.connect(path)) as connection:
        try:
            return connection.execute("SELECT version_num FROM alembic_version").fetchone() in (
                ("0001",),
                ("0002",),
            )
        except (sqlite3.DatabaseError, UnicodeDecodeError):
            return False


def which_file(path: Path) -> tuple[int, int] | None:
    """What tells this file from one that comes in its place; None where there is none."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def is_damage(error: BaseException | None) -> bool:
    """Whether an error says that the file itself is damaged."""
    if isinstance(error, (UnicodeDecodeError, SchemaDamage)):
        # SQLite quotes the damaged text of a schema in its message, which Python then cannot read.
        return True
    if not isinstance(error, sqlite3.DatabaseError):
        return False
    # Python tells SQLite's code from 3.11 on.
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        # Nor does it say anything where SQLite quotes damaged text. A search index that cannot be opened is damage
        # unless it is an OperationalError.
        wordings = ["malformed", "not a database"]
        if type(error) is sqlite3.DatabaseError:
            wordings.append("vtable constructor failed")
        return not str(error) or any(wording in str(error) for wording in wordings)
    return code & 0xFF in (_CORRUPT, _NOT_A_DATABASE)


def check_file(path: Path) -> None:
    """
    Raises:
        SchemaDamage: SQLite would take the file for one of another kind, or migrations for a new one.
    """
    with path.open("rb") as file:
        header = file.read(100)
    if len(header) < 100:
        raise SchemaDamage("it ends within its header")
    if not {header[18], header[19]} <= {1, 2} or int.from_bytes(header[44:48], "big") > _NEWEST_SCHEMA_FORMAT:
        raise SchemaDamage("its header names a form that SQLite does not have")
    with contextlib.closing(sqlite3.connect(path)) as connection:
        names = {
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        }
    if names and "alembic_version" not in names:
        raise SchemaDamage("it does not tell which version made it")


def check_schema(connection: Connection) -> None:
    """
    Raises:
        SchemaDamage: a table or a column of the schema is not in the file, or a thread has two names.
    """
    from .schema import metadata

    for table in metadata.sorted_tables:
        there = {row[1] for row in connection.exec_driver_sql(f"PRAGMA table_info({table.name})")}
        if missing := {column.name for column in table.columns} - there:
            raise SchemaDamage(f"{table.name} has no {', '.join(sorted(missing))}")
    if any(connection.exec_driver_sql(one).first() for one in _DIFFERENT_NAMES):
        raise SchemaDamage("a thread is under two names")


def _configure_connection(connection: Any, _record: Any) -> None:
    # sqlite3 would begin a transaction only at the first change: too late for what was read, and not for DDL.
    connection.isolation_level = None
    # Damaged text is read with marks in it; refusing it would hide the whole thread.
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    # SQLite's own leaves all letters but those of ASCII as they are.
    connection.create_function("lower", 1, _in_small_letters, deterministic=True)
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        _execute_patiently(cursor, f"PRAGMA {pragma}")
    _choose_journal(cursor)
    cursor.close()


def _choose_journal(cursor: Any) -> None:
    """A write-ahead log where there can be one: it needs memory that processes share, which some network drives lack.

    Without one readers wait for writers, and nothing else is different.
    """
    try:
        _execute_patiently(cursor, "PRAGMA journal_mode=WAL")
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise
        logger.info("no write-ahead log can be had where the chats are kept (%s)", error)
        _execute_patiently(cursor, "PRAGMA journal_mode=TRUNCATE")


def _in_small_letters(value: Any) -> Any:
    return value.lower() if isinstance(value, str) else value


def _execute_patiently(cursor: Any, statement: str) -> None:
    """SQLite does not wait when two processes turn a new file to WAL at once, whatever the busy timeout says.

    https://sqlite.org/c3ref/busy_handler.html: the handler is not called where waiting could be a deadlock.
    """
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            cursor.execute(statement)
            return
        except sqlite3.OperationalError as error:  # noqa: PERF203 - trying again is the point
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def _begin_to_write(connection: Connection) -> None:
    """Wait for another process before reading, so that nothing read is old when it is written back."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def first_line(error: BaseException) -> str:
    """What the database said."""
    return (str(getattr(error, "orig", None) or error).strip().splitlines() or ["no reason given"])[0]
