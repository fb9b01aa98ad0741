"""Configuration of SQLite, its files, and detection of damaged ones and of full disks."""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..base.errors import StoreError
from ..base.files.writing import Move, is_disk_full, move_with_retry

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection, Engine

logger = logging.getLogger(__name__)

_PRAGMAS = (
    "busy_timeout=5000",
    "synchronous=FULL",
    "foreign_keys=ON",
    "secure_delete=ON",
)
_PATIENCE_SECONDS = 5.0
_PARTS = ("-journal", "-wal", "-shm", "")
"""The suffixes that SQLite adds for the files beside a database; the database itself comes last."""
_CORRUPT, _NOT_A_DATABASE = 11, 26
_HEADER_BYTES = 100
_NEWEST_SCHEMA_FORMAT = 4
_MAGIC = b"SQLite format 3\0"
_FULL, _CANNOT_WRITE = 13, 10
_LITTLE_ROOM = 65_536


class FileDamage(Exception):
    """The error that the file is no database of ours, or that its pages or tables are damaged."""


class EarlyFile(FileDamage):
    """The error that the file has tables from before the first release."""


def configure(engine: Engine) -> None:
    """Set the pragmas of each new connection, and begin each transaction with a write lock."""
    from sqlalchemy import event

    event.listen(engine, "connect", _configure_connection)
    event.listen(engine, "begin", _begin_immediate)


def drop_traces(engine: Engine) -> None:
    """Truncate the write-ahead log, which still has deleted data, unless another process is reading it."""
    connection = engine.raw_connection()
    try:
        connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error as error:
        logger.info("what was deleted stays in the write-ahead log for now: %s", error)
    finally:
        connection.close()


def file_identity(path: Path) -> tuple[int, int] | None:
    """Return the identity of a file, which differs once another file takes its place; None if there is none."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def is_damage(error: BaseException | None) -> bool:
    """Return whether an error says that the file itself is damaged."""
    if isinstance(error, (UnicodeDecodeError, FileDamage)):
        # SQLite quotes damaged text of a schema in its message, which Python cannot decode.
        return True
    if not isinstance(error, sqlite3.DatabaseError):
        return False
    # Python 3.11 and newer have SQLite's code.
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        # In older versions the message is empty if SQLite quotes damaged text.
        return not str(error) or any(wording in str(error) for wording in ("malformed", "not a database"))
    return code & 0xFF in (_CORRUPT, _NOT_A_DATABASE)


def check_file(path: Path) -> None:
    """Check that a file is an intact database of ours.

    Raises:
        FileDamage: it is no database, SQLite finds damage, or it has tables but no revision.
        sqlite3.DatabaseError, UnicodeDecodeError: it cannot be read at all, mostly for the same reasons.
    """
    with path.open("rb") as file:
        header = file.read(_HEADER_BYTES)
    if len(header) < _HEADER_BYTES or not header.startswith(_MAGIC):
        raise FileDamage("it does not begin as a database does")
    if not {header[18], header[19]} <= {1, 2} or int.from_bytes(header[44:48], "big") > _NEWEST_SCHEMA_FORMAT:
        raise FileDamage("its header names a form that SQLite does not have")
    # Without mode=rw SQLite would create a missing file.
    with contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise FileDamage(found)
        if tables and ("alembic_version",) not in tables:
            raise FileDamage("it does not tell which version made it")


def check_schema(connection: Connection) -> None:
    """Check that a file has all tables and columns of the schema.

    Raises:
        FileDamage: a table or a column is missing.
    """
    from .schema import metadata

    for table in metadata.sorted_tables:
        there = {row[1] for row in connection.exec_driver_sql(f"PRAGMA table_info({table.name})")}
        if missing := {column.name for column in table.columns} - there:
            raise FileDamage(f"{table.name} has no {', '.join(sorted(missing))}")


def _configure_connection(connection: Any, _record: Any) -> None:
    # sqlite3 begins a transaction only at the first change, too late for what was read, and never for DDL.
    connection.isolation_level = None
    # Damaged text is read with replacement characters; refusing it would hide the whole thread.
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    # SQLite's own `lower` changes only ASCII letters.
    connection.create_function("lower", 1, _lower, deterministic=True)
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        _execute_with_retry(cursor, f"PRAGMA {pragma}")
    _choose_journal(cursor)
    cursor.close()


def _choose_journal(cursor: Any) -> None:
    """Choose a write-ahead log where possible: it needs shared memory, which some network drives lack.

    Without one, readers wait for writers; nothing else differs.
    """
    try:
        _execute_with_retry(cursor, "PRAGMA journal_mode=WAL")
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise
        logger.info("no write-ahead log can be had where the chats are kept (%s)", error)
        _execute_with_retry(cursor, "PRAGMA journal_mode=TRUNCATE")


def _lower(value: Any) -> Any:
    return value.lower() if isinstance(value, str) else value


def _execute_with_retry(cursor: Any, statement: str) -> None:
    """Execute a statement, retrying for 5 s while the database is locked.

    SQLite ignores the busy timeout when two processes switch a new file to WAL at once, since waiting could deadlock:
    https://sqlite.org/c3ref/busy_handler.html
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


def _begin_immediate(connection: Connection) -> None:
    """Lock the database before reading, so that nothing read is outdated when it is written back."""
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def first_line(error: BaseException) -> str:
    """Return the first line of the database's own message."""
    return (str(getattr(error, "orig", None) or error).strip().splitlines() or ["no reason given"])[0]


def is_full(error: BaseException | None, file: Path) -> bool:
    """Return whether an error says that the disk of `file` is full."""
    if isinstance(error, OSError):
        return is_disk_full(error)
    if not isinstance(error, sqlite3.DatabaseError):
        return False
    # Python 3.11 and newer have SQLite's code.
    code = getattr(error, "sqlite_errorcode", None)
    if (code or 0) & 0xFF == _FULL or (code is None and "is full" in str(error)):
        return True
    with contextlib.suppress(OSError):
        is_io_error = (code or 0) & 0xFF == _CANNOT_WRITE or (code is None and "disk I/O" in str(error))
        return is_io_error and shutil.disk_usage(file.parent).free < _LITTLE_ROOM
    return False


def disk_full() -> StoreError:
    """Return the error that the disk of the chats is full."""
    return StoreError(
        "disk_full",
        "The disk that holds your chats is full; nothing more can be written to it.",
        hint="Nothing that was saved is harmed. Delete files on that disk that you no longer need, such as pictures or "
        "models, then try again.",
        status=507,
    )


@contextlib.contextmanager
def remove_if_incomplete(file: Path, engine: Engine) -> Iterator[None]:
    """Remove a new database that could not be completed, since it would pass for a damaged one."""
    was_there = os.path.lexists(file)
    try:
        yield
    except BaseException:
        if not was_there:
            engine.dispose()
            remove_database(file)
        raise


def sqlite_url(file: Path | None) -> URL:
    """Return the URL of a SQLite file, as an object, since in the text of a URL some letters have other meanings."""
    from sqlalchemy import URL

    return URL.create("sqlite", database=str(file))


def set_aside(path: Path, *, rename: Move = os.rename) -> Path:
    """Rename a file and its write-ahead log to `<name>.broken-<number>`, and return the new path. Nothing is deleted.

    If one of them cannot be moved, all stay: a database without its log lacks the newest messages.
    """
    number = int(time.time())
    while (aside := path.with_name(f"{path.name}.broken-{number}")).exists():
        number += 1
    moved: list[tuple[Path, Path]] = []
    try:
        for suffix in _PARTS:
            if (file := path.with_name(path.name + suffix)).exists():
                target = aside.with_name(aside.name + suffix)
                move_with_retry(rename, file, target)
                moved.append((file, target))
    except OSError:
        for file, target in moved:
            move_with_retry(rename, target, file)
        raise
    return aside


def remove_database(path: Path) -> None:
    """Delete a SQLite database, if there is one."""
    for suffix in _PARTS:
        path.with_name(path.name + suffix).unlink(missing_ok=True)
