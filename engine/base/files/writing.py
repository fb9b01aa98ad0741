"""Files written whole, by one process at a time, for their owner alone; a full disk is an error for the user.

On Windows a file that another program has open, such as a virus scanner or a backup, can be neither replaced nor
renamed. That lasts for moments, so a refusal is retried for a while.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from ..errors import StoreError

logger = logging.getLogger(__name__)

Move = Callable[[Path, Path], None]

_PATIENCE_SECONDS = 2.0
_PAUSE_SECONDS = 0.02
_LOCK_SECONDS = 10.0


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


def make_private_folder(path: Path) -> None:
    """Make a folder that only its owner can look into; a drive that knows no modes is left as it is."""
    with contextlib.suppress(OSError):
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.chmod(0o700)


def make_private_file(path: Path) -> None:
    """Make a file that only its owner can read. What SQLite writes beside a database has the mode of the database."""
    with contextlib.suppress(OSError):
        path.touch(mode=0o600)
        path.chmod(0o600)


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Wait for the lock file `path`, which is made where there is none, and hold it; not for the event loop.

    SQLite knows how every system locks a file, so the file is an empty database. Where there can be no such file, or no
    lock on it, as on some network drives, the work is done without one.
    """
    with contextlib.ExitStack() as held:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            make_private_file(path)
            connection = sqlite3.connect(path, timeout=_LOCK_SECONDS, isolation_level=None)
            held.callback(connection.close)
            connection.execute("BEGIN EXCLUSIVE")
        except (OSError, sqlite3.Error) as error:
            logger.info("%s cannot be locked (%s); two processes might change it at once", path, error)
        yield


def is_disk_full(error: OSError) -> bool:
    return error.errno in (errno.ENOSPC, errno.EDQUOT)


@contextlib.contextmanager
def saving(what: str) -> Iterator[None]:
    """Turn an OSError of the block into an error for the user; `what` begins its sentence.

    Raises:
        StoreError: `disk_full` or `not_saved`.
    """
    try:
        yield
    except OSError as error:
        if is_disk_full(error):
            raise StoreError(
                "disk_full",
                f"{what} was not saved, and what was there is as it was: the disk is full.",
                hint="Delete files on the disk that holds ComfyUI's user folder, then try again.",
                status=507,
            ) from error
        raise StoreError(
            "not_saved",
            f"{what} could not be saved: {error.strerror or type(error).__name__}.",
            hint="Check that ComfyUI's user folder is writable.",
        ) from error
