"""Folders and files that nobody else on this machine can look into."""

from __future__ import annotations

import contextlib
from pathlib import Path


def make_private_folder(path: Path) -> None:
    """Make a folder that only its owner can look into; a drive that knows no modes is left as it is."""
    with contextlib.suppress(OSError):
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.chmod(0o700)


def make_private_file(path: Path) -> None:
    """The same for a file. What SQLite writes beside a database has the mode of the database."""
    with contextlib.suppress(OSError):
        path.touch(mode=0o600)
        path.chmod(0o600)
