"""The copy of the last good database that stands beside it, taken once a day."""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import sqlite3
import time
from pathlib import Path

from ..files.whole_file import patiently
from .files import make_private_file, remove_database

logger = logging.getLogger(__name__)

_DAY = 86_400.0


def backup_of(file: Path) -> Path:
    return file.with_name(f"{file.name}.backup")


def is_backup_due(file: Path) -> bool:
    """Whether the database of `file` has no copy that is younger than a day, and its disk has room for one."""
    try:
        age = time.time() - backup_of(file).stat().st_mtime
    except FileNotFoundError:
        age = _DAY
    # A clock that was set back makes no copy younger than new.
    return not 0 <= age < _DAY and shutil.disk_usage(file.parent).free > 2 * file.stat().st_size


def copy_database(file: Path) -> Path:
    """Copy a database that may be in use, as it is at this moment, under a temporary name; not for the event loop.

    Raises:
        sqlite3.Error, OSError: it cannot be read whole, or there is no room; nothing of the copy is left.
    """
    copy = file.with_name(f"{file.name}.backup-new")
    remove_database(copy)
    try:
        make_private_file(copy)
        with (
            contextlib.closing(sqlite3.connect(file)) as source,
            contextlib.closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)
            # One file, with nothing beside it.
            target.execute("PRAGMA journal_mode=DELETE")
    except BaseException:
        remove_database(copy)
        raise
    return copy


def put_in_place(copy: Path, file: Path) -> None:
    patiently(os.replace, copy, backup_of(file))


def set_backup_aside(file: Path) -> Path:
    """Keep the copy of a database that is gone from being replaced by the next one; where it is now."""
    aside = file.with_name(f"{file.name}.backup-{int(time.time())}")
    patiently(os.rename, backup_of(file), aside)
    return aside


def remove_backup(file: Path) -> None:
    try:
        backup_of(file).unlink(missing_ok=True)
    except OSError as error:
        logger.warning("%s still has what was deleted: %s", backup_of(file).name, error)
