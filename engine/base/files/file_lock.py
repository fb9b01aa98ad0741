"""A lock between processes, which the system gives back where one of them ends."""

from __future__ import annotations

import contextlib
import logging
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from .private import make_private_file

logger = logging.getLogger(__name__)

_PATIENCE_SECONDS = 10.0


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
            connection = sqlite3.connect(path, timeout=_PATIENCE_SECONDS, isolation_level=None)
            held.callback(connection.close)
            connection.execute("BEGIN EXCLUSIVE")
        except (OSError, sqlite3.Error) as error:
            logger.info("%s cannot be locked (%s); two processes might change it at once", path, error)
        yield
