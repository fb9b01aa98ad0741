"""A lock between processes, which the system gives back where one of them ends."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path

logger = logging.getLogger(__name__)


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Wait for the lock file `path`, which is made where there is none, and hold it; not for the event loop.

    Where there can be no such file, or no lock on it, as on some network drives, the work is done without one.
    """
    handle = -1
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        _lock(handle)
    except OSError as error:
        logger.info("%s cannot be locked (%s); two processes might change it at once", path, error)
    try:
        yield
    finally:
        if handle >= 0:
            os.close(handle)


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        # It tries once a second, ten times.
        msvcrt.locking(handle, msvcrt.LK_LOCK, 1)

else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX)
