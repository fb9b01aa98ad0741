"""The files of a database, moved out of the way together or removed together."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

from ..base.files.whole_file import Move, move_with_retry

_PARTS = ("-journal", "-wal", "-shm", "")
"""What SQLite adds to the name of a database for the files beside it; the database itself comes last."""


def make_private_folder(path: Path) -> None:
    """Make a folder that nobody else on this machine can look into; a drive that knows no modes is left as it is."""
    with contextlib.suppress(OSError):
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.chmod(0o700)


def make_private_file(path: Path) -> None:
    """The same for a file. What SQLite writes beside a database has the mode of the database."""
    with contextlib.suppress(OSError):
        path.touch(mode=0o600)
        path.chmod(0o600)


def set_aside(path: Path, *, rename: Move = os.rename) -> Path:
    """Move a file out of the way with its write-ahead log. Nothing is deleted; where it is now.

    Where one of them cannot be moved, all stay: a database without its log has lost what was said last.
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
    """Delete a database of SQLite that nobody needs any more, if there is one."""
    for suffix in _PARTS:
        path.with_name(path.name + suffix).unlink(missing_ok=True)
