"""The files of a SQLite database, moved or removed together."""

from __future__ import annotations

import os
import time
from pathlib import Path

from ..base.files.writing import Move, move_with_retry

_PARTS = ("-journal", "-wal", "-shm", "")
"""The suffixes that SQLite adds for the files beside a database; the database itself comes last."""


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
