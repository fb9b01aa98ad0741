"""Atomic replacement of files.

On Windows a file that another program has open, such as a virus scanner or a backup, can be neither replaced nor
renamed. That lasts for moments, so a refusal is retried for a while.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

Move = Callable[[Path, Path], None]

_PATIENCE_SECONDS = 2.0
_PAUSE_SECONDS = 0.02


def write_whole_file(path: Path, content: bytes, *, replace: Move = os.replace) -> None:
    """Replace `path` by a file of `content` that only its owner can read (mode 0600), synced to the disk on return."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # mkstemp creates the file with mode 0600.
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        move_with_retry(replace, Path(name), path)
    except BaseException:
        # The failure itself is raised, not one of the cleanup.
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def move_with_retry(move: Move, source: Path, target: Path) -> None:
    """Move a file, retrying for two seconds while another program has one of the two open."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            move(source, target)
            return
        except PermissionError:  # noqa: PERF203 - trying again is the point
            if time.monotonic() > deadline:
                raise
            time.sleep(_PAUSE_SECONDS)
