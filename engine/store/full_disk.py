"""Detection of a full disk, and the error for it."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from pathlib import Path

from ..base.errors import StoreError
from ..base.files.disk_errors import is_disk_full

_FULL, _CANNOT_WRITE = 13, 10
_LITTLE_ROOM = 65_536


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
