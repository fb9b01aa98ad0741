"""The pages of a SQLite file, read without SQLite: what is damaged in one is left out, and nothing fails for it.

A table is a tree of pages: inner ones name those below, leaves hold the rows. What the form is:
https://www.sqlite.org/fileformat2.html.
"""

from __future__ import annotations

import contextlib
import mmap
from collections.abc import Iterator
from pathlib import Path

INTERIOR, LEAF = 5, 13


class Pages:
    def __init__(self, content: bytes | mmap.mmap, size: int) -> None:
        self._content = content
        self.size = size
        self.count = len(content) // size

    def page(self, number: int) -> bytes:
        """Empty where there is none of that number."""
        return self._content[(number - 1) * self.size : number * self.size] if number > 0 else b""

    def trees(self) -> Iterator[int]:
        return (number for number in range(2, self.count + 1) if is_of_tree(self.page(number)))

    def leaves(self, root: int) -> Iterator[bytes]:
        """The leaves below a page that can still be come to from it, in their order."""
        waiting, seen = [root], set[int]()
        while waiting:
            number = waiting.pop()
            page = self.page(number)
            if number in seen or not page:
                continue
            seen.add(number)
            if page[0] == LEAF:
                yield page
            else:
                waiting += reversed(children(page))


@contextlib.contextmanager
def pages_of(file: Path, size: int) -> Iterator[Pages]:
    if file.stat().st_size < size:
        yield Pages(b"", size)
        return
    with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as content:
        yield Pages(content, size)


def is_of_tree(page: bytes) -> bool:
    if page[0] not in (INTERIOR, LEAF):
        return False
    begin = _head(page) + 2 * _cell_count(page)
    content = int.from_bytes(page[5:7], "big") or 65_536
    return begin <= content <= len(page) and all(begin <= cell < len(page) - 2 for cell in cells(page))


def cells(page: bytes) -> list[int]:
    """Where on it each of its rows, or the number of each page below it, begins."""
    head = _head(page)
    end = min(head + 2 * _cell_count(page), len(page) - 1)
    return [int.from_bytes(page[at : at + 2], "big") for at in range(head, end, 2)]


def children(page: bytes) -> list[int]:
    if page[0] != INTERIOR:
        return []
    return [int.from_bytes(page[at : at + 4], "big") for at in (*cells(page), 8)]


def column_types(content: bytes, begin: int) -> tuple[list[int], int]:
    """What the columns of the row that begins there hold, as SQLite numbers it, and where the first one is."""
    size, at = varint(content, begin)
    types: list[int] = []
    while at < min(begin + size, len(content)):
        kind, at = varint(content, at)
        types.append(kind)
    return types, begin + size


def varint(content: bytes, at: int) -> tuple[int, int]:
    """The number that is written there in groups of seven bits, and where it ends."""
    value = 0
    for count in range(9):
        byte = content[at] if at < len(content) else 0
        at += 1
        if count == 8:
            return value << 8 | byte, at
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            break
    return value, at


def _head(page: bytes) -> int:
    return 12 if page[0] == INTERIOR else 8


def _cell_count(page: bytes) -> int:
    return int.from_bytes(page[3:5], "big")
