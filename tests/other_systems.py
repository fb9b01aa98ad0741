"""Fakes for Windows and network drives, as far as they differ for us."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass
class Windows:
    """Refuses to move or replace a file as often as another program still has it open."""

    open_for: int
    path: Path
    refusals: int = 0

    def replace(self, source: Path, target: Path) -> None:
        self._look_whether_it_is_open(source, target)
        os.replace(source, target)

    def rename(self, source: Path, target: Path) -> None:
        """Rename a file; unlike on other systems, an existing target is an error."""
        self._look_whether_it_is_open(source, target)
        if target.exists():
            raise FileExistsError(183, "Cannot create a file when that file already exists", str(target))
        os.rename(source, target)

    def _look_whether_it_is_open(self, *paths: Path) -> None:
        if self.path in paths and self.refusals < self.open_for:
            self.refusals += 1
            raise PermissionError(
                32, "The process cannot access the file because it is being used", str(self.path)
            )


class NetworkDrive(sqlite3.Connection):
    """A database without memory shared between processes, which a write-ahead log needs."""

    def cursor(self, *_: Any, **__: Any) -> sqlite3.Cursor:
        return super().cursor(_CursorWithoutSharedMemory)


class _CursorWithoutSharedMemory(sqlite3.Cursor):
    def execute(self, statement: str, *arguments: Any) -> sqlite3.Cursor:
        if statement.upper() == "PRAGMA JOURNAL_MODE=WAL":
            raise sqlite3.OperationalError("locking protocol")
        return super().execute(statement, *arguments)


class ProactorLike(asyncio.SelectorEventLoop):
    """An event loop without the methods that the one of Windows lacks."""

    def add_reader(self, *_: Any) -> None:
        raise NotImplementedError

    add_writer = remove_reader = remove_writer = add_signal_handler = remove_signal_handler = add_reader
