"""The memory of condensed chats: a Markdown file for each day in the user's folder, to be read and edited."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..base.caller import folder_of_user
from ..base.errors import RequestError
from ..base.files.writing import write_whole_file
from ..base.secret import Secret
from ..context.find import excerpt, in_small_letters
from .documents import MAX_BYTES, Document, DocumentPlace, lock_texts

logger = logging.getLogger(__name__)

_NAME = re.compile(r"\d{4}-\d\d-\d\d(?:-\d{1,3})?")
_MOST_AT_ONCE = MAX_BYTES // 2
_MOST_LINES = 3


@dataclass(frozen=True)
class Day:
    """A day of the memory. `lines` are those that match a search; a `problem` says why it cannot be read completely."""

    name: str
    bytes: int
    lines: tuple[str, ...] = ()
    problem: str = ""

    def as_json(self) -> dict[str, Any]:
        problem = {"problem": self.problem} if self.problem else {}
        return {"day": self.name, "bytes": self.bytes, "lines": list(self.lines), **problem}


class MemoryDays:
    """The memory of the current user. `keys` returns the keys that are masked in its files."""

    def __init__(self, data: Path, keys: Callable[[], Awaitable[Sequence[Secret]]]) -> None:
        self._data = data
        self._keys = keys

    async def add(self, text: str) -> str:
        """Append a text to today's file, and return the problem if that fails, else ""."""
        keys = await self._keys()
        folder = folder_of_user(self._data)
        try:
            await asyncio.to_thread(_add, folder, text, keys)
        except OSError as error:
            problem = (
                f"The memory of today could not be saved in {folder / 'memory'}: {error.strerror or error}."
            )
            logger.warning("%s", problem)
            return problem
        return ""

    async def days(self, query: str = "") -> list[Day]:
        """Return the days, newest first; with a query, those that contain all of its words."""
        return await asyncio.to_thread(_days, folder_of_user(self._data), query)

    async def read(self, day: str) -> Document:
        """Return the text of a day.

        Raises:
            RequestError: `not_found`.
        """
        document = await asyncio.to_thread(_place(folder_of_user(self._data), day).read)
        if not document.source:
            raise _unknown(day)
        return document

    async def write(self, day: str, text: str, seen: str) -> Document:
        """Write the text of a day, or delete the day if it is ""; `seen` is the text that it replaces.

        Raises:
            RequestError: `not_found`, `too_large`, `changed_meanwhile` or `unreadable`.
            StoreError: `disk_full` or `not_saved`.
        """
        return await asyncio.to_thread(_place(folder_of_user(self._data), day).write, text, seen)


def is_day(name: str) -> bool:
    """Return whether a name is one of a memory file, such as "2026-01-31"; the file need not exist."""
    return _NAME.fullmatch(name) is not None


def _add(folder: Path, text: str, keys: Sequence[Secret]) -> None:
    for key in keys:
        text = key.mask(text)
    memory = folder / "memory"
    memory.mkdir(parents=True, exist_ok=True)
    with lock_texts(folder):
        for piece in _pieces(f"{text.strip()}\n\n".encode("utf-8", "replace")):
            path, present = _file_with_room(memory, len(piece))
            write_whole_file(path, present + piece)


def _pieces(content: bytes) -> Iterator[bytes]:
    """Split content into pieces of whole lines, each small enough for a file, unless one line is longer."""
    piece = b""
    for line in content.splitlines(keepends=True):
        if piece and len(piece) + len(line) > _MOST_AT_ONCE:
            yield piece
            piece = b""
        piece += line
    yield piece


def _file_with_room(memory: Path, size: int) -> tuple[Path, bytes]:
    """Return today's first file that has room for `size` bytes, and its content; links and folders are skipped."""
    today = time.strftime("%Y-%m-%d")
    for number in range(1, 1_000):
        path = memory / f"{today}{f'-{number}' if number > 1 else ''}.md"
        if not path.is_symlink() and not path.exists():
            return path, b""
        if path.is_file() and not path.is_symlink() and path.stat().st_size + size <= MAX_BYTES:
            return path, path.read_bytes()
    raise OSError(f"there are 999 files of {today}")


def _days(folder: Path, query: str) -> list[Day]:
    memory = folder / "memory"
    try:
        names = sorted((path.stem for path in memory.glob("*.md") if is_day(path.stem)), reverse=True)
    except OSError:
        return []
    words = in_small_letters(query).split()
    days: list[Day] = []
    for name in names:
        document = _place(folder, name).read()
        text = document.text
        small_text = in_small_letters(text)
        if all(word in small_text for word in words):
            lines = _matching_lines(text, words)[:_MOST_LINES] if words else []
            days.append(Day(name, len(text.encode()), tuple(lines), document.problem))
    return days


def _matching_lines(text: str, words: Sequence[str]) -> list[str]:
    """Return the lines with any of the words, those with most of them first."""
    found: list[tuple[int, str]] = []
    for line in text.splitlines():
        small_line = in_small_letters(line)
        if present := [word for word in words if word in small_line]:
            found.append((-len(present), excerpt(line, min(small_line.index(word) for word in present))))
    return [line for _, line in sorted(found, key=lambda each: each[0])]


def _place(folder: Path, day: str) -> DocumentPlace:
    if not is_day(day):
        raise _unknown(day)
    return DocumentPlace(folder, f"memory/{day}.md")


def _unknown(day: str) -> RequestError:
    return RequestError(
        "not_found",
        f'There is no memory of "{day[:40]}"; a day is written like 2026-01-31.',
        hint="/memory lists the days that there are.",
        status=404,
    )
