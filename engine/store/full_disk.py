"""A disk that is full: how it is told, and how room is made on it by deleting, for which SQLite needs room itself."""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import StoreError
from ..files.saving import is_disk_full

if TYPE_CHECKING:
    from sqlalchemy import Engine

logger = logging.getLogger(__name__)

_FULL, _CANNOT_WRITE = 13, 10
_RESERVE_BYTES = 6_000_000
"""More than the write-ahead log grows to before SQLite brings what it holds to its place."""
_LOG_PAGES, _FEWEST_PAGES = 1_000, 16
"""After so many SQLite does that: its own figure, and the least where there is little room."""
_LITTLE_ROOM = 65_536


def is_full(error: BaseException | None, file: Path) -> bool:
    """Whether an error says that there is no room left where the file lies."""
    if isinstance(error, OSError):
        return is_disk_full(error)
    if not isinstance(error, sqlite3.DatabaseError):
        return False
    # Python tells SQLite's code from 3.11 on.
    code = getattr(error, "sqlite_errorcode", None)
    if (code or 0) & 0xFF == _FULL or (code is None and "is full" in str(error)):
        return True
    with contextlib.suppress(OSError):
        is_io_error = (code or 0) & 0xFF == _CANNOT_WRITE or (code is None and "disk I/O" in str(error))
        return is_io_error and shutil.disk_usage(file.parent).free < _LITTLE_ROOM
    return False


def disk_full() -> StoreError:
    return StoreError(
        "disk_full",
        "The disk that holds your chats is full; nothing more can be written to it.",
        hint="Delete chats that you no longer need, or other files on that disk, then try again.",
        status=507,
    )


def keep_reserve(file: Path) -> None:
    """Keep room beside the database for the day on which there is none; at most a quarter of what there is."""
    reserve = _reserve(file)
    try:
        size = _room_to_keep(file)
        if reserve.exists() or size < _LITTLE_ROOM:
            return
        with os.fdopen(os.open(reserve, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as content:
            content.write(bytes(size))
    except OSError as error:
        with contextlib.suppress(OSError):
            reserve.unlink()
        logger.info("no room is kept for the day on which the disk is full: %s", error)


def keep_log_small(engine: Engine, file: Path) -> None:
    """Let the write-ahead log grow to no more than the room that is kept, which what it holds is to have in the end."""
    from sqlalchemy import event

    def bound(connection: sqlite3.Connection, _record: object) -> None:
        room = _RESERVE_BYTES
        with contextlib.suppress(OSError):
            reserve = _reserve(file)
            room = reserve.stat().st_size if reserve.exists() else _room_to_keep(file)
        pages = max(_FEWEST_PAGES, _LOG_PAGES * room // _RESERVE_BYTES)
        connection.execute(f"PRAGMA wal_autocheckpoint={pages}").fetchall()

    event.listen(engine, "connect", bound)


def make_room(file: Path, engine: Engine) -> None:
    """Give up the room that was kept, and bring what waits in the write-ahead log to its place."""
    with contextlib.suppress(OSError):
        _reserve(file).unlink()
    _pragmas(engine, "wal_checkpoint(TRUNCATE)")


@contextlib.contextmanager
def no_journal_on_disk(engine: Engine) -> Iterator[None]:
    """Let the body change the database where there is room for no journal.

    Should the process end within the body, the database is salvaged when it is opened next.
    """
    _pragmas(engine, "wal_checkpoint(TRUNCATE)", "temp_store=MEMORY", "journal_mode=MEMORY")
    try:
        yield
    finally:
        with contextlib.suppress(sqlite3.Error):
            _pragmas(engine, "journal_mode=WAL")


def _pragmas(engine: Engine, *names: str) -> None:
    with contextlib.closing(engine.raw_connection()) as connection:
        for name in names:
            connection.cursor().execute(f"PRAGMA {name}").fetchall()


def _room_to_keep(file: Path) -> int:
    return min(_RESERVE_BYTES, shutil.disk_usage(file.parent).free // 4)


def _reserve(file: Path) -> Path:
    return file.with_name(f"{file.name}.reserve")
