"""The daily copy of the last good database, kept beside it."""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import sqlite3
import time
from pathlib import Path

from ..base.files.writing import make_private_file, move_with_retry
from .sqlite_file import check_file, remove_database

logger = logging.getLogger(__name__)

_DAY = 86_400.0
_NEW = ".backup-new-"
"""The suffix of a copy that is being taken, after the name of the database and before the process id."""


def backup_path(file: Path) -> Path:
    """Return the path of a database's backup."""
    return file.with_name(f"{file.name}.backup")


def back_up(file: Path) -> None:
    """Copy a database if there is no backup of today. Blocks.

    Raises:
        FileDamage, sqlite3.Error, UnicodeDecodeError, OSError: it is damaged, cannot be read, or there is no room.
    """
    if not file.exists() or not is_backup_due(file):
        return
    copy = copy_database(file)
    try:
        check_file(copy)
    except BaseException:
        remove_database(copy)
        raise
    replace_backup(copy, file)


def is_backup_due(file: Path) -> bool:
    """Return whether the database `file` has no backup younger than a day, while its disk has room for one."""
    try:
        age = time.time() - backup_path(file).stat().st_mtime
    except FileNotFoundError:
        age = _DAY
    # If the clock was set back, the age is negative.
    return not 0 <= age < _DAY and shutil.disk_usage(file.parent).free > 2 * file.stat().st_size


def copy_database(file: Path) -> Path:
    """Copy a database that may be in use, as it is at this moment, under a temporary name. Blocks.

    Raises:
        sqlite3.Error, OSError: it cannot be read completely, or there is no room; no part of the copy remains.
    """
    for left in _copies(file):
        if time.time() - left.stat().st_mtime > _DAY:
            # It is from a killed process.
            remove_database(left)
    copy = file.with_name(f"{file.name}{_NEW}{os.getpid()}")
    remove_database(copy)
    try:
        make_private_file(copy)
        with (
            contextlib.closing(sqlite3.connect(file)) as source,
            contextlib.closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)
            # The copy is a single file, without a write-ahead log.
            target.execute("PRAGMA journal_mode=DELETE")
    except BaseException:
        remove_database(copy)
        raise
    return copy


def replace_backup(copy: Path, file: Path) -> None:
    """Replace the previous backup by the copy, unless something was deleted while it was taken."""
    with contextlib.suppress(FileNotFoundError):
        move_with_retry(os.replace, copy, backup_path(file))


def set_backup_aside(file: Path) -> Path:
    """Rename the backup of a database that is gone, so that the next backup does not replace it, and return its new
    path.
    """
    aside = file.with_name(f"{file.name}.backup-{int(time.time())}")
    move_with_retry(os.rename, backup_path(file), aside)
    return aside


def remove_backup(file: Path) -> None:
    """Remove the backup, and the copies that any process is taking."""
    for copy in (backup_path(file), *_copies(file)):
        try:
            copy.unlink(missing_ok=True)
        except OSError as error:  # noqa: PERF203 - each for itself
            logger.warning("%s still has what was deleted: %s", copy.name, error)


def _copies(file: Path) -> list[Path]:
    return [copy for copy in file.parent.iterdir() if copy.name.startswith(f"{file.name}{_NEW}")]
