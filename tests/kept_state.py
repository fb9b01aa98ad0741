"""The data of the assistant as comparable values: its database row by row, and its files."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path


def kept_rows(data: Path) -> dict[str, list[str]]:
    """Return the rows of each table, each as a text."""
    with closing(sqlite3.connect(data / "assistant.sqlite3")) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: [repr(row) for row in database.execute(f'SELECT * FROM "{name}"')] for name in names}


def files_of(folder: Path) -> dict[str, bytes]:
    """Return all files below a folder, except the database."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".sqlite3" not in path.name
    }
