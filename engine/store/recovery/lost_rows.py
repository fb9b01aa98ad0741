"""Rows of a damaged SQLite file that SQLite does not come to, read from the pages of their table.

SQLite looks a row up by the numbers of those around it, and gives none of which a part is missing. Here each row counts
for itself: what is left of it is read.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .sqlite_pages import Pages, cells, column_types, pages_of, varint

_HEADER = 24
_OWN_NUMBER_BITS = 64


def rows_on_pages(file: Path, root: int) -> Iterator[tuple[int, list[Any]]]:
    """The number and the values of each row of the table whose first page is `root`.

    A column that is the row's own number holds None. A row of before a column was added has fewer values.
    """
    with pages_of(file, _page_size(file)) as pages:
        for page in pages.leaves(root):
            for cell in cells(page):
                if 0 < cell < len(page) - 2:
                    yield _row(pages, page, cell)


def _page_size(file: Path) -> int:
    with file.open("rb") as opened:
        size = int.from_bytes(opened.read(_HEADER)[16:18], "big")
    return 65_536 if size == 1 else size


def _row(pages: Pages, page: bytes, cell: int) -> tuple[int, list[Any]]:
    length, at = varint(page, cell)
    number, at = varint(page, at)
    content = _content(pages, page, at, length)
    types, at = column_types(content, 0)
    values: list[Any] = []
    for kind in types:
        size = _size(kind)
        values.append(_value(kind, content[at : at + size]))
        at += size
    return number - (1 << _OWN_NUMBER_BITS if number >> _OWN_NUMBER_BITS - 1 else 0), values


def _content(pages: Pages, page: bytes, at: int, length: int) -> bytes:
    """Of a row: what stands on its page, and on those where it goes on."""
    most = pages.size - 35
    if length <= most:
        return page[at : at + length]
    least = (pages.size - 12) * 32 // 255 - 23
    here = least + (length - least) % (pages.size - 4)
    here = here if here <= most else least
    pieces, found = [page[at : at + here]], here
    following = int.from_bytes(page[at + here : at + here + 4], "big")
    seen: set[int] = set()
    while found < length and following not in seen and (page := pages.page(following)):
        seen.add(following)
        pieces.append(page[4:])
        found += len(pieces[-1])
        following = int.from_bytes(page[:4], "big")
    return b"".join(pieces)[:length]


def _size(kind: int) -> int:
    """How many bytes a value takes."""
    if kind >= 12:
        return (kind - 12) // 2
    return (0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0)[kind]


def _value(kind: int, content: bytes) -> Any:
    """None too where the bytes of a number are missing."""
    if kind >= 12:
        return content.decode("utf-8", "replace") if kind % 2 else content
    if kind in (8, 9):
        return kind - 8
    if len(content) < _size(kind) or not content:
        return None
    return struct.unpack(">d", content)[0] if kind == 7 else int.from_bytes(content, "big", signed=True)
