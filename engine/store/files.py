"""Files that are replaced as a whole or moved out of the way, never left half or lost."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

_PARTS = ("-wal", "-shm", "")
"""What SQLite adds to the name of a database for the files beside it; the database itself comes last."""


def write_whole_file(path: Path, content: bytes) -> None:
    """Write `content` for its owner's eyes only, in place of what may be there, and have it on the disk on return."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # mkstemp creates the file with mode 0600.
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def set_aside(path: Path) -> Path:
    """Move a file out of the way with its write-ahead log. Nothing is deleted; where it is now."""
    number = int(time.time())
    while (aside := path.with_name(f"{path.name}.broken-{number}")).exists():
        number += 1
    for suffix in _PARTS:
        if (file := path.with_name(path.name + suffix)).exists():
            file.rename(aside.with_name(aside.name + suffix))
    return aside


def remove_database(path: Path) -> None:
    """Delete a database of SQLite that nobody needs any more, if there is one."""
    for suffix in _PARTS:
        path.with_name(path.name + suffix).unlink(missing_ok=True)
