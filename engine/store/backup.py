"""The copy of the last good database that stands beside it, taken once a day."""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import sqlite3
import time
from pathlib import Path

from ..base.files.private import make_private_file
from ..base.files.whole_file import move_with_retry
from .files import remove_database

logger = logging.getLogger(__name__)

_DAY = 86_400.0
_NEW = ".backup-new-"
"""Begins what stands behind the name of the database in that of a copy which is just taken, before the process's id."""


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
    for left in _copies(file):
        if time.time() - left.stat().st_mtime > _DAY:
            # A process that was killed has left it.
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
            # One file, with nothing beside it.
            target.execute("PRAGMA journal_mode=DELETE")
    except BaseException:
        remove_database(copy)
        raise
    return copy


def put_in_place(copy: Path, file: Path) -> None:
    """Have the copy stand for the one of the day before, unless something was deleted since it was begun."""
    with contextlib.suppress(FileNotFoundError):
        move_with_retry(os.replace, copy, backup_of(file))


def set_backup_aside(file: Path) -> Path:
    """Keep the copy of a database that is gone from being replaced by the next one; where it is now."""
    aside = file.with_name(f"{file.name}.backup-{int(time.time())}")
    move_with_retry(os.rename, backup_of(file), aside)
    return aside


def remove_backup(file: Path) -> None:
    """Remove the copy, and those that any process is just taking."""
    for copy in (backup_of(file), *_copies(file)):
        try:
            copy.unlink(missing_ok=True)
        except OSError as error:  # noqa: PERF203 - each for itself
            logger.warning("%s still has what was deleted: %s", copy.name, error)


def _copies(file: Path) -> list[Path]:
    return [copy for copy in file.parent.iterdir() if copy.name.startswith(f"{file.name}{_NEW}")]
